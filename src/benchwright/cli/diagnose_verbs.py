"""The verbs of `diagnose` with their arguments; the work is imported when one is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchwright.cli.options import Json

_THIN = "Reason of the episode's score: no_decision, no_computation, timeout, infrastructure: thin."


def register_diagnose(app: typer.Typer) -> None:
    """Attach `diagnose` and its verbs."""
    diagnose = typer.Typer(help="Why an agent failed.", no_args_is_help=True)
    diagnose.callback()(alone)
    diagnose.command()(screen)
    diagnose.command()(check)
    diagnose.command()(labels)
    diagnose.command()(cards)
    app.add_typer(diagnose, name="diagnose")


def alone() -> None:
    """Why an agent failed: by a taxonomy of failure patterns."""


def screen(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="LOG...", help="Runs, episodes, logs, folders.")
    ] = None,
    artifacts: Annotated[
        Path | None, typer.Option(help="Folder that the run of one foreign log left.")
    ] = None,
    only: Annotated[str | None, typer.Option(help="Names of detectors, with commas.")] = None,
    labels: Annotated[Path | None, typer.Option(help="Folder for the findings as labels.")] = None,
    detectors: Annotated[
        bool, typer.Option("--detectors", help="List the detectors and what each states.")
    ] = False,
    json: Json = False,
) -> int:
    """Failures that trajectory and artifacts alone show; exit 1 where there is a verdict."""
    from benchwright.cli import diagnose_screen
    from benchwright.errors import SpecError

    if detectors:
        return diagnose_screen.listing(json)
    if not paths:
        hint = "Name a run, an episode, a log or a folder of logs; or --detectors."
        raise SpecError("nothing to screen", value="no LOG", where="diagnose screen", hint=hint)
    return diagnose_screen.run(paths, artifacts, only, labels, json)


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Analyses in Markdown.")],
    episode: Annotated[
        Path | None, typer.Option(help="Folder of the episode that they are about.")
    ] = None,
    artifacts: Annotated[Path | None, typer.Option(help="Folder that the agent left.")] = None,
    log: Annotated[Path | None, typer.Option(help="Log of the agent.")] = None,
    trajectory: Annotated[Path | None, typer.Option(help="Its ATIF document.")] = None,
    reason: Annotated[str | None, typer.Option(help=_THIN)] = None,
    json: Json = False,
) -> int:
    """Check analyses by six gates; exit 1 where one does not pass."""
    from benchwright.cli import diagnose_check
    from benchwright.diagnosis.documents.sources import places_of

    places = places_of(episode, artifacts, log, trajectory)
    return diagnose_check.run(files, places, reason, json)


def labels(
    folder: Annotated[Path, typer.Argument(help="Folder of label files, at any depth.")],
    run: Annotated[
        list[Path] | None, typer.Option(help="Run that they are about; repeat for several.")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(help="Folder of analyses: ID.md or ID/analysis.md.")
    ] = None,
    pool: Annotated[
        str | None, typer.Option(help="What reasons of scores mean: arft, or a file of your own.")
    ] = None,
    json: Json = False,
) -> int:
    """Check label files by their rules, and state run verdicts; exit 1 where one breaks a rule."""
    from benchwright.cli import diagnose_labels

    return diagnose_labels.run(folder, run or [], documents, pool, json)


def cards(
    runs: Annotated[list[Path] | None, typer.Argument(help="Runs to draw cards from.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write: hand-out, key, sample.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(help="Cards; without it every closed episode.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of sample, numbers and orders.")] = 0,
    raters: Annotated[str, typer.Option(help="Names of raters, set apart by commas.")] = "A,B",
    read: Annotated[
        Path | None, typer.Option(help="Read the filled sheets of this folder.")
    ] = None,
    pool: Annotated[
        str | None, typer.Option(help="With --read, what reasons of scores mean: arft, or a file.")
    ] = None,
    json: Json = False,
) -> int:
    """Blind cards and sheets for people to label episodes; with --read, their labels."""
    if read is not None and not runs and out is None:
        from benchwright.cli import diagnose_cards_read

        return diagnose_cards_read.read(read, pool, json)
    from benchwright.cli import diagnose_cards

    if read is not None or not runs or out is None:
        raise diagnose_cards.neither(read)
    return diagnose_cards.make(runs, out, sample, seed, raters, json)
