"""What only tracebench can show: each sample as observed, clean, and beside both of its probes.

Takes task, gold and, for an episode, its sheet; gives blocks. Observed series are the files that
the agent got; the others are simulated again from the recipes in the gold, which is why a report
holds answers and must stay where agents cannot read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchwright.report.page import Block, Cell, Facts, Fold, FoldHead, Text
from benchwright.report.results import Layout
from benchwright.report.suite import SuitePages
from benchwright.report.viewer import Axis, Trace, Viewer
from benchwright.report.words import answer_words, check_words, short_name
from benchwright.scoring.model import Check, ScoreSheet
from benchwright.storage import read_json
from benchwright.suites.tracebench.golds import GOLD_FORMAT, SAMPLES_FOLDER, Answers, read_gold
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.series import read_sample
from benchwright.suites.tracebench.simulate import simulate
from benchwright.suites.tracebench.systems import System, Variable, get_system
from benchwright.tasks.model import Gold, Task

_MODES = {"direct": "direct answer", "programmatic": "answer by rule"}
_HINTS = {
    "observed": "what the agent got",
    "clean": "the same run without noise",
    "no_change": "the same configuration, but nothing changes",
    "static": "the new value from the start, so that nothing changes either",
}


@dataclass(frozen=True, slots=True)
class _Series:
    """The four arrays [channel, row] of one sample; probes are None where nothing changes."""

    observed: NDArray[np.float32]
    clean: NDArray[np.float32]
    no_change: NDArray[np.float32] | None
    static: NDArray[np.float32] | None


def condition_words(axes: Mapping[str, str]) -> str:
    """A condition as a short phrase: `low noise · direct answer`."""
    words = [f"{axes['noise']} noise", _MODES.get(axes["mode"], axes["mode"])]
    if axes.get("context", "full") != "full":
        words.append(f"context {axes['context']}")
    if axes.get("shots", "0") != "0":
        words.append(f"{axes['shots']} examples per class")
    return " · ".join(words)


def sample_blocks(task: Task, gold: Gold, sheet: ScoreSheet | None) -> tuple[Block, ...]:
    """One line per test sample that opens to its series; the first wrong one is open."""
    answers = read_gold(gold)
    recipes = answers.recipes
    series = _series(task.files, gold.folder, task.submission.samples)
    checks = {check.name: check for check in sheet.checks} if sheet else {}
    wrong = [name for name in task.submission.samples if _is_wrong(checks.get(name))]
    first = wrong[0] if wrong else task.submission.samples[0]
    asked = sheet is not None
    titles = ("sample", "truth", "answer", "") if asked else ("sample", "truth", "what changes")
    return (
        FoldHead(titles),
        *(
            Fold(
                _summary(name, _truth(answers, name), recipes[name], checks.get(name), asked),
                titles,
                _inside(name, recipes[name], series[name], task.axes["noise"], said=not asked),
                open=name == first,
            )
            for name in task.submission.samples
        ),
    )


LAYOUT = Layout(
    column="system",
    conditions=("noise", "mode", "context", "shots"),
    words=condition_words,
    order={"noise": ("none", "low", "high"), "mode": ("direct", "programmatic")},
)
PAGES = SuitePages(LAYOUT, sample_blocks)


def _is_wrong(check: Check | None) -> bool:
    return check is not None and check.outcome == "fail"


def _truth(answers: Answers, name: str) -> Cell:
    """The true label as the agent knows it, and in words where that is a bare name."""
    told, words = answers.truth[name], answers.recipes[name].label
    return Cell(told, note="" if told == words else words, hint="what is true")


def _summary(
    name: str, label: Cell, recipe: Recipe, check: Check | None, asked: bool
) -> tuple[Cell, ...]:
    if not asked:
        return Cell(short_name(name), hint=name), label, Cell(_change(recipe), tone="muted")
    if check is None:
        return Cell(short_name(name), hint=name), label, Cell("no check", tone="warn"), Cell("?")
    right = check.outcome == "pass"
    mark = Cell("✓" if right else "✗", tone="good" if right else "bad")
    answer = Cell(answer_words(check.got), note=check_words(check))
    return Cell(short_name(name), hint=name), label, answer, mark


def _inside(
    name: str, recipe: Recipe, series: _Series, noise: str, *, said: bool
) -> tuple[Block, ...]:
    system = get_system(recipe.system)
    values = tuple(
        (variable.words, Cell(_value(variable, recipe.values[variable.name])))
        for variable in system.variables
    )
    drawn = _viewer(name, system, recipe, series, noise)
    return (*(() if said else (Text(_change(recipe)),)), drawn, Facts(values))


def _change(recipe: Recipe) -> str:
    step = recipe.step
    if step is None:
        return "Nothing changes."
    variable = get_system(recipe.system).variable(step.parameter)
    before = _value(variable, recipe.values[step.parameter])
    return f"{variable.words}: {before} → {_value(variable, step.value)} at {step.time:.4g} s"


def _value(variable: Variable, value: float) -> str:
    unit = "" if variable.unit in ("", "-", "1") else f" {variable.unit.replace('^2', '²')}"
    return f"{value:.5g}{unit}"


def _viewer(name: str, system: System, recipe: Recipe, series: _Series, noise: str) -> Viewer:
    drawn = [
        Trace(f"observed, {noise} noise", "observed", series.observed, _HINTS["observed"]),
        Trace("clean", "clean", series.clean, _HINTS["clean"], shown=recipe.step is None),
    ]
    if series.no_change is not None and series.static is not None:
        drawn.append(Trace("no change", "no_change", series.no_change, _HINTS["no_change"]))
        drawn.append(
            Trace("new value from start", "static", series.static, _HINTS["static"], shown=False)
        )
    return Viewer(
        title=f"Series of sample {short_name(name)}",
        axes=tuple(Axis(channel.label, channel.unit) for channel in system.channels),
        traces=tuple(drawn),
        start_s=system.dt,
        step_s=system.dt,
        mark_s=recipe.step.time if recipe.step else None,
        note="" if recipe.step else "Nothing changes in this run, so it has no probes.",
    )


@lru_cache(maxsize=2)
def _series(files: Path, gold: Path, names: tuple[str, ...]) -> dict[str, _Series]:
    """Series of one task by sample; a page per agent shows the same ones."""
    answers = read_gold(Gold("", "", gold))
    dynamics = read_json(gold / "gold.json", form=GOLD_FORMAT)["dynamics"]
    recipes = [answers.recipes[name] for name in names]
    clean = simulate(recipes, dynamics).samples
    unchanged = simulate([recipe.baseline() for recipe in recipes], dynamics).samples
    static = simulate([recipe.static() for recipe in recipes], dynamics).samples
    found = {}
    for i, (name, recipe) in enumerate(zip(names, recipes, strict=True)):
        seen = np.ascontiguousarray(read_sample(files / SAMPLES_FOLDER / name)[:, :-1].T)
        probes = (unchanged[i], static[i]) if recipe.step else (None, None)
        found[name] = _Series(seen, clean[i], *probes)
    return found
