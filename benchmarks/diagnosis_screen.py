"""The screen: on planted cases set by set and detector by detector, on real logs, and its speed.

Planted cases were written by people who did not see the detectors. Sets `open` and `first` have
been seen, so that their rows only inform. `second` was run once before any change that followed;
since then only its counts are looked at, never a case.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.bar import Bar
from benchwright.diagnosis.screen.registry import DETECTORS
from benchwright.diagnosis.screen.run import Screened, screen
from benchwright.errors import FormatError
from benchwright.executors import open_executor
from benchwright.stats.intervals import clopper_pearson
from benchwright.trajectory.events import Call, Mark
from benchwright.trajectory.log import open_log
from tests.diagnosis.screen.cases import PLANTED, SETS, Tally, lay_out, read_cases, tally

ROOT: Final = Path(__file__).parents[1]
AREA: Final = "diagnosis"
PRECISION: Final = 0.9
RECALL: Final = 0.7
LOWEST: Final = 0.75
RATE: Final = 100
JUDGED: Final = "second"
"""The set whose cases nobody who works on the detectors has seen."""
TWENTY: Final = 20
ENOUGH: Final = 5
"""Calls of a log that is long enough to go wrong."""
VERDICTS: Final = tuple(d.name for d in DETECTORS if d.kind == "verdict")


def measure() -> Iterator[Bar]:
    """Planted sets, then every detector of verdicts on what was sealed, real logs, speed."""
    with TemporaryDirectory() as folder:
        tallies = {name: tally(name, Path(folder)) for name in SETS}
        for name in SETS:
            yield _pooled(name, tallies[name])
        for detector in VERDICTS:
            yield _alone(detector, tallies[JUDGED][detector])
    yield from _real()
    yield _speed()


def _pooled(name: str, found: dict[str, Tally]) -> Bar:
    whole = sum((found[detector] for detector in VERDICTS if detector in found), Tally())
    if name != JUDGED:
        return Bar(
            AREA, f"screen, planted set `{name}` (seen), all verdicts", _told(whole), "", None
        )
    fine = (whole.precision or 0) >= PRECISION and (whole.recall or 0) >= RECALL
    must = f"precision {PRECISION}, recall {RECALL}"
    return Bar(AREA, f"screen, planted set `{name}`, all verdicts", _told(whole), must, fine)


def _alone(detector: str, one: Tally) -> Bar:
    fine = (one.precision or 0) >= LOWEST
    must = f"precision {LOWEST}, else a lead"
    return Bar(AREA, f"screen, `second`: {detector}", _told(one), must, fine)


def _told(one: Tally) -> str:
    return (
        f"precision {_share(one.hits, one.hits + one.false)}, "
        f"recall {_share(one.hits, one.hits + one.misses)}"
    )


def _share(part: int, whole: int) -> str:
    low, high = clopper_pearson(part, whole)
    return f"{part}/{whole} ({low:.2f} to {high:.2f})"


def _real() -> Iterator[Bar]:
    """Verdicts on real logs, and how far from the annotated mistake those on teams lie."""
    folder = Path(os.environ.get("BENCHWRIGHT_SHARED", ROOT.parent / "shared")) / "logs"
    runs = {path: found for path in sorted(folder.rglob("*")) if (found := _screened(path))}
    if not runs:
        yield Bar(AREA, "screen, real logs", "no real logs here", "", None)
        return
    long = [path for path in runs if _calls(path) >= ENOUGH]
    for name, paths in (("real logs", list(runs)), (f"real logs of {ENOUGH} calls or more", long)):
        with_one = sum(any(run.verdicts for run in runs[path]) for path in paths)
        told = f"{with_one} of {len(paths)} logs have a verdict"
        fine = 20 * with_one <= len(paths)
        yield Bar(AREA, f"screen, {name}", told, "at most one in 20", fine)
    verdicts = sum(len(run.verdicts) for found in runs.values() for run in found)
    told = f"{verdicts} on real logs"
    read = None if verdicts >= TWENTY else False
    yield Bar(AREA, "screen, verdicts read by hand", told, "twenty read, 16 right", read)
    yield from _teams(runs)


def _calls(path: Path) -> int:
    return sum(isinstance(event, Call) for event in open_log(path))


def _teams(runs: Mapping[Path, list[Screened]]) -> Iterator[Bar]:
    """Of annotated failures of teams: the turn of each finding beside that of the mistake."""
    for path, found in runs.items():
        mistake = _mistake(path)
        if mistake is None:
            continue
        told = [
            f"{finding.detector} at {finding.evidence[0].at.rpartition('/')[2]}"
            for run in found
            for finding in run.findings
        ]
        figure = f"mistake at turn {mistake}; {', '.join(told) or 'no finding'}"
        yield Bar(AREA, f"screen, Who&When {path.stem}", figure, "", None)


def _mistake(path: Path) -> str | None:
    """The turn that is annotated as the mistake."""
    if "annotated_whowhen" not in path.parts:
        return None
    marks = (e for e in open_log(path) if isinstance(e, Mark) and e.label == "annotation")
    return next((str(mark.extra.get("mistake_step")) for mark in marks), None)


def _screened(path: Path) -> list[Screened] | None:
    if path.suffix not in (".json", ".jsonl", ".eval") or not path.is_file():
        return None
    try:
        return screen(path)
    except FormatError:
        return None


def _speed() -> Bar:
    """Every planted case laid out first, then screened on two processes."""
    with TemporaryDirectory() as folder, open_executor("processes") as executor:
        laid = [
            lay_out(case, Path(folder) / name / case.id)
            for name in SETS
            for file in sorted((PLANTED / name).glob("*.jsonl"))
            for case in read_cases(file)
        ]
        list(executor.map(_screen_one, laid[:4]))
        start = time.perf_counter()
        list(executor.map(_screen_one, laid))
        took = time.perf_counter() - start
    rate = 60 * len(laid) / took
    told = f"{rate:,.0f} episodes a minute ({len(laid)} in {took:.1f} s, short: see planted cases)"
    return Bar(AREA, "screen, speed on two processes", told, f"{RATE} a minute", rate >= RATE)


def _screen_one(place: tuple[Path, Path | None]) -> int:
    return len(screen(*place))
