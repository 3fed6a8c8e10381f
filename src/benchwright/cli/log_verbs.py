"""The verbs of `log` with their arguments; the work is imported when one is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchwright.cli.options import Json

Log = Annotated[Path, typer.Argument(help="Log of an agent: its file.")]
Dialect = Annotated[str | None, typer.Option(help="Name of its format, to skip detection.")]


def register_log(app: typer.Typer) -> None:
    """Attach `log` and its verbs."""
    log = typer.Typer(help="Read the log of any agent.", no_args_is_help=True)
    for verb in (timeline, files, reconstruct, searches, text, metrics, atif):
        log.command()(verb)
    app.add_typer(log, name="log")


def timeline(log: Log, dialect: Dialect = None, json: Json = False) -> int:
    """What happened, one line each."""
    from benchwright.cli import log as verbs

    return verbs.timeline(log, dialect, json)


def files(log: Log, dialect: Dialect = None, json: Json = False) -> int:
    """Which files were changed, by which calls, and how each call ended."""
    from benchwright.cli import log as verbs

    return verbs.files(log, dialect, json)


def reconstruct(
    log: Log,
    path: Annotated[str, typer.Argument(help="The file, or the end of its path.")],
    before: Annotated[
        int | None, typer.Option(help="Stop at calls of this line of the log or later.")
    ] = None,
    workspace: Annotated[
        Path | None, typer.Option(help="The real folder at the end; it wins where it has the file.")
    ] = None,
    dialect: Dialect = None,
    json: Json = False,
) -> int:
    """What a file held; exit 1 where that is not in the log, or the name fits several files."""
    from benchwright.cli import log as verbs

    return verbs.rebuild(log, path, dialect, before, workspace, json)


def searches(
    log: Log,
    local: Annotated[bool, typer.Option("--local", help="Searches of the file tree too.")] = False,
    dialect: Dialect = None,
    json: Json = False,
) -> int:
    """What the agent looked up, where, and what came back."""
    from benchwright.cli import log as verbs

    return verbs.searches(log, dialect, local, json)


def text(
    log: Log,
    everyone: Annotated[bool, typer.Option("--all", help="Words of everyone.")] = False,
    dialect: Dialect = None,
    json: Json = False,
) -> int:
    """What the agent said, whole."""
    from benchwright.cli import log as verbs

    return verbs.words(log, dialect, everyone, json)


def metrics(
    log: Log,
    artifacts: Annotated[
        Path | None, typer.Option(help="Folder that the run left: its images are the plots.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 1 where the evaluator's hard rules do not hold.")
    ] = False,
    dialect: Dialect = None,
    json: Json = False,
) -> int:
    """What the agent did, printed, read and spent, in figures."""
    from benchwright.cli.log_metrics import metrics as verb

    return verb(log, dialect, artifacts, strict, json)


def atif(
    log: Log,
    out: Annotated[Path | None, typer.Option("--out", help="File to write.")] = None,
    dialect: Dialect = None,
    json: Json = False,
) -> int:
    """The log as ATIF v1.8: one document, or one a line where the log holds several runs."""
    from benchwright.cli import log as verbs

    return verbs.atif(log, dialect, out, json)
