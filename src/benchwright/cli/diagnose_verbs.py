"""The verbs of `diagnose` with their arguments; the work is imported when one is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchwright.cli.options import Json

_LABELS = typer.Argument(metavar="LABELS...", help="Label files, or folders of them.")
_VERSIONS = typer.Option(help="Taxonomy file; repeat for its versions, oldest first.")
_THIN = "Reason of the episode's score: no_decision, no_computation, timeout, infrastructure: thin."


def register_diagnose(app: typer.Typer) -> None:
    """Attach `diagnose` and its verbs."""
    diagnose = typer.Typer(help="Why an agent failed.", no_args_is_help=True)
    diagnose.callback()(alone)
    diagnose.command()(screen)
    diagnose.command()(check)
    diagnose.command()(labels)
    diagnose.command()(cards)
    diagnose.command()(tables)
    diagnose.command()(agree)
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
    dialect: Annotated[str | None, typer.Option(help="Kind of the log, to skip detection.")] = None,
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
    return diagnose_screen.run(paths, artifacts, only, labels, dialect, json)


def check(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE...", help="Analyses in Markdown.")
    ] = None,
    episode: Annotated[
        Path | None, typer.Option(help="Folder of the episode that they are about.")
    ] = None,
    artifacts: Annotated[Path | None, typer.Option(help="Folder that the agent left.")] = None,
    log: Annotated[Path | None, typer.Option(help="Log of the agent.")] = None,
    trajectory: Annotated[Path | None, typer.Option(help="Its ATIF document.")] = None,
    reason: Annotated[str | None, typer.Option(help=_THIN)] = None,
    skeleton: Annotated[
        bool, typer.Option("--skeleton", help="Print an analysis to fill, with all floors.")
    ] = False,
    json: Json = False,
) -> int:
    """Check analyses by six gates; exit 1 where one does not pass."""
    from benchwright.cli import diagnose_check
    from benchwright.diagnosis.documents.sources import places_of
    from benchwright.errors import SpecError

    if skeleton and not files:
        return diagnose_check.blank(reason, json)
    if skeleton or not files:
        raise SpecError(
            "analyses are checked, or a skeleton is printed",
            value="both" if skeleton else "no FILE",
            where="diagnose check",
            hint="Write: diagnose check FILE..., or: diagnose check --skeleton.",
        )
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

    if read is not None or pool is not None or not runs or out is None:
        raise diagnose_cards.neither(read, pool)
    return diagnose_cards.make(runs, out, sample, seed, raters, json)


def tables(
    labels: Annotated[list[Path] | None, _LABELS] = None,
    by: Annotated[str, typer.Option(help="What is set apart: system, kind, domain.")] = "system",
    rater: Annotated[str | None, typer.Option(help="Whose labels, where several have any.")] = None,
    planned: Annotated[
        list[Path] | None,
        typer.Option(help="Run, or folder of cards, that was to be labelled; repeat."),
    ] = None,
    taxonomy: Annotated[list[Path] | None, _VERSIONS] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write: every table by all three, CSV, Markdown.")
    ] = None,
    published: Annotated[
        bool, typer.Option("--published", help="The paper's own figures, recomputed.")
    ] = False,
    json: Json = False,
) -> int:
    """Tables of labels: patterns, pillars, rates, what stands together, what fits no pattern."""
    from benchwright.cli import diagnose_tables

    if published:
        if out is not None:
            raise diagnose_tables.printed_only(out)
        return diagnose_tables.published(labels or [], json)
    asked = diagnose_tables.Asked(by, rater, tuple(planned or ()), tuple(taxonomy or ()), out)
    return diagnose_tables.run(labels or [], asked, json)


def agree(
    labels: Annotated[list[Path], _LABELS],
    against: Annotated[
        str | None, typer.Option(metavar="RATER", help="The rater whom the others are held to.")
    ] = None,
    level: Annotated[str, typer.Option(help="pattern, pillar, stage or finding.")] = "pattern",
    taxonomy: Annotated[list[Path] | None, _VERSIONS] = None,
    run: Annotated[
        list[Path] | None,
        typer.Option(help="Run in which evidence of findings is followed; repeat for several."),
    ] = None,
    json: Json = False,
) -> int:
    """Agreement of raters: kappa and alpha; with --against precision, recall and F1 too."""
    from benchwright.cli import diagnose_agree

    return diagnose_agree.run(labels, against, level, tuple(taxonomy or ()), tuple(run or ()), json)
