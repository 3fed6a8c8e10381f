"""`diagnose agree`: how far raters say the same, and each against one of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchwright.cli.diagnose_read import one_of, print_grids, read, without_empty
from benchwright.cli.output import emit_json
from benchwright.diagnosis.agreement.against import against as held_against
from benchwright.diagnosis.agreement.among import among
from benchwright.diagnosis.agreement.findings import findings_against
from benchwright.diagnosis.agreement.grids import (
    against_grid,
    among_grid,
    findings_grid,
    kappas_grid,
)
from benchwright.diagnosis.agreement.levels import LEVELS, Rated, SetLevel, rated
from benchwright.diagnosis.published.stated import Level
from benchwright.diagnosis.tables.grid import Grid
from benchwright.episodes.folder import RunFolder
from benchwright.episodes.places import places_in
from benchwright.errors import SpecError

Ours = tuple[str, Level, str, float | None]
"""What stands beside a published kappa: kind, level, rater, kappa."""


def run(
    paths: Sequence[Path],
    against: str | None,
    level: str,
    taxonomies: Sequence[Path],
    runs: Sequence[Path],
    as_json: bool,
) -> int:
    """Print agreement at one level, and the published kappas of that level beside it."""
    wanted = one_of(level, LEVELS, "--level")
    labels = read(paths, taxonomies)
    every = rated(labels.carried, labels.versions[-1])
    if wanted == "finding":
        found, grid, ours = _findings(every, against, runs)
    elif against is None:
        found, grid, ours = _among(every, wanted)
    else:
        found, grid, ours = _against(every, against, wanted)
    judged = every.raters if against is None else (against,)
    beside = kappas_grid(ours, [name for name in judged if every.is_program(name)])
    if as_json:
        emit_json("diagnose.agree", {
            "level": wanted, "raters": every.raters, "against": against, "taxonomy":
            every.taxonomy.version, "found": found, "published": [
                dict(zip((c.title for c in beside.columns), row, strict=True))
                for row in (beside.rows if ours else ())
            ],
        })  # fmt: skip
    else:
        print_grids([grid, *([beside] if beside.rows and ours else [])])
    return 0


def _among(every: Rated, level: SetLevel) -> tuple[object, Grid, list[Ours]]:
    rows = among(every, level)
    ours: Ours = ("raters", level, ", ".join(every.raters), rows[0].agreement.mean)
    return rows, _used(among_grid(rows, level, every.taxonomy), 0), [ours]


def _against(every: Rated, truth: str, level: SetLevel) -> tuple[object, Grid, list[Ours]]:
    found = held_against(every, truth, level)
    ours: list[Ours] = [("against", level, one.rater, one.compared[0].kappa.value) for one in found]
    return found, _used(against_grid(found, level, every.taxonomy), 1), ours


def _findings(
    every: Rated, truth: str | None, runs: Sequence[Path]
) -> tuple[object, Grid, list[Ours]]:
    if truth is None:
        raise SpecError(
            "findings are held against those of one rater",
            value="finding",
            where="--level",
            hint=f"Name the rater: --against {every.raters[0]}.",
        )
    folders = [RunFolder.open(path) for path in runs]
    episodes = {one.id: places_in(run.folder(one.id)) for run in folders for one in run.plan}
    found = findings_against(every, truth, episodes=episodes)
    return found, findings_grid(found), []


def _used(grid: Grid, name: int) -> Grid:
    """Without patterns, pillars or stages, named in a column, that nobody found; no rater goes."""
    places = [
        n
        for n, column in enumerate(grid.columns)
        if column.title.startswith("found by") or column.title in ("right", "wrong", "missed")
    ]
    return without_empty(grid, name, places)
