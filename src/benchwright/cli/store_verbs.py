"""The verbs of `store` with their arguments; the work is imported when one is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchwright.cli.options import Json, Out, Tasks

Folder = Annotated[Path, typer.Argument(help="Store folder.")]


def register_store(app: typer.Typer) -> None:
    """Attach `store` and its verbs."""
    store = typer.Typer(help="A read-only store of telemetry.", no_args_is_help=True)
    for verb in (draft, build, streams, query, serve, coverage):
        store.command()(verb)
    app.add_typer(store, name="store")


def draft(
    folder: Annotated[Path, typer.Argument(help="Folder of CSV files.")],
    out: Annotated[
        Path | None, typer.Option(help="Corpus file to write; corpus.toml in FOLDER without it.")
    ] = None,
    json: Json = False,
) -> int:
    """Draft a corpus file from CSV files, with marks where you must say."""
    from benchwright.cli import store_draft

    return store_draft.run(folder, out, json)


def build(
    corpus: Annotated[str, typer.Argument(help="A shipped corpus, or a TOML file.")],
    out: Out,
    data: Annotated[
        Path | None, typer.Option(help="Folder of the data files, if not beside the TOML.")
    ] = None,
    json: Json = False,
) -> int:
    """Build the store of a corpus."""
    from benchwright.cli import store as verbs

    return verbs.build(corpus, out, data, json)


def streams(store: Folder, json: Json = False) -> int:
    """What is held of every stream, how good it is, and what was left out."""
    from benchwright.cli import store_streams

    return store_streams.run(store, json)


def query(
    store: Folder,
    operation: Annotated[str, typer.Argument(help="One of the nine, such as resolve_point.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="Arguments as name=value.")] = None,
    json: Json = False,
) -> int:
    """Ask one operation; exit 1 where it refuses an answer."""
    from benchwright.cli import store as verbs

    return verbs.query(store, operation, arguments or [], json)


def serve(store: Folder) -> int:
    """All operations over the Model Context Protocol, on standard input and output."""
    from benchwright.cli import store as verbs

    return verbs.serve(store)


def coverage(
    tasks: Tasks,
    executor: Annotated[
        str, typer.Option(help="serial, processes, processes:N or dask:ADDRESS.")
    ] = "processes",
    json: Json = False,
) -> int:
    """What a scorer observes: break and bend every record of a set; exit 1 on a wrong verdict."""
    from benchwright.cli import store_coverage

    return store_coverage.run(tasks, executor, json)
