"""The shortcuts bar: what learners tell from what must not tell, on a set as large as the paper's.

All three systems at low and high noise, drawn by the paper-like policies with a public seed: five
seeds of ten samples, three examples per class, 142 held-out samples per class. Every view and
learner of the audit, with accuracy, chance and the interval at the level of one test; then
leaks that are planted into the same samples; then the time. Run it as a module to see the rows
without BARS.md.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.bar import Bar
from benchwright.checks.shortcuts.audit import LEVEL, Answer, Verdict, ask, judged
from benchwright.checks.shortcuts.view import View, numbered
from benchwright.executors import open_executor
from benchwright.suites.tracebench.audited import Audited
from benchwright.suites.tracebench.build import PUBLIC, build
from benchwright.suites.tracebench.leak_views import views
from benchwright.suites.tracebench.listings import listing_view
from benchwright.suites.tracebench.shortcuts import audit
from benchwright.suites.tracebench.spec import parse_spec

AREA: Final = "shortcuts"
SPEC: Final = {
    **{"suite": "tracebench", "noise": ["low", "high"], "modes": ["programmatic"], "shots": [3]},
    **{"seeds": [0, 1, 2, 3, 4], "samples": 10, "heldout": 142, "secret": False},
    "recipes": {"policy": "paper-like"},
}
PLANTED: Final = "MassSlide"
_OFFSET: Final = 0.02
"""Of a channel's root mean square, per class: what is planted into one channel."""
_LOUDER: Final = 0.5
"""Of the noise, per class."""
_BYTES: Final = 8


def measure() -> Iterator[Bar]:
    """Every test of the audit, every planted leak, and the time."""
    with tempfile.TemporaryDirectory() as folder, open_executor("processes") as executor:
        spec = parse_spec(SPEC, "shortcuts bar")
        start = time.perf_counter()
        path = build(spec, Path(folder) / "set", executor, fixed=PUBLIC).path
        built = time.perf_counter()
        found = audit(path, executor)
        audited = time.perf_counter()
        yield from map(_row, found.verdicts)
        yield from _planted(path, executor)
    figure = f"{built - start:.0f} s to build, {audited - built:.0f} s to audit"
    yield Bar(AREA, "time", figure, "printed", None)


def _row(verdict: Verdict) -> Bar:
    answer = verdict.answer
    low, high = verdict.interval
    return Bar(
        area=AREA,
        name=f"{answer.where}: {answer.view}, {answer.learner}",
        figure=(
            f"{verdict.accuracy:.3f}, chance {verdict.chance:.3f}, by chance {low:.3f} to "
            f"{high:.3f}, p = {verdict.p:.2g}; {answer.detail}"
        ),
        must="inside" if answer.decides else "",
        met=not verdict.fires if answer.decides else None,
    )


def _planted(path: Path, executor: Executor) -> Iterator[Bar]:
    """One leak in each view of one system at high noise; each must make the audit fire."""
    jobs = [executor.submit(_ask, path, index) for index in range(4)]
    verdicts = judged((answer for job in jobs for answer in job.result()), LEVEL)
    for view, group in groupby(verdicts, key=lambda verdict: verdict.answer.view):
        found = list(group)
        said = (
            f"{one.answer.learner} {one.accuracy:.3f}, by chance at most {one.interval[1]:.3f}"
            for one in found
        )
        fires = any(verdict.fires for verdict in found)
        yield Bar(AREA, f"planted: {view}", "; ".join(said), "found", fires)


def _ask(path: Path, index: int) -> list[Answer]:
    return ask(_leaks(path)[index])


def _leaks(path: Path) -> list[View]:
    audited = Audited(path)
    before, noise, *_ = views(audited.observed(PLANTED, "high"))
    listed = audited.listed(PLANTED)
    recipes = audited.recipes
    labels = sorted({recipe.label for recipe in recipes.values()})
    kinds = {name: labels.index(recipes[name].label) for name in listed}
    order = sorted(listed, key=lambda name: (kinds[name], name))
    sizes = {
        name: replace(one, sizes={"low": 8000 + _BYTES * kinds[name]})
        for name, one in listed.items()
    }
    places = {name: replace(listed[name], place=place) for place, name in enumerate(order)}
    return [
        replace(before, data=_shifted(before), name="an offset of one channel"),
        replace(noise, data=_louder(noise), name="louder noise"),
        replace(listing_view(PLANTED, sizes, recipes), name="size of files"),
        replace(listing_view(PLANTED, places, recipes), name="order of files"),
    ]


def _shifted(view: View) -> np.ndarray:
    size = np.sqrt(np.mean(np.square(view.data[:, 2], dtype=np.float64)))
    shifted = view.data.copy()
    shifted[:, 2] += (_OFFSET * size * numbered(view.labels)[:, None]).astype(np.float32)
    return shifted


def _louder(view: View) -> np.ndarray:
    scale = 1.0 + _LOUDER * numbered(view.labels)
    return (view.data * scale[:, None, None]).astype(np.float32)
