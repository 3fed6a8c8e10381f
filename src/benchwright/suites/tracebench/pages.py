"""What only tracebench can show: each sample as observed, clean, and beside both of its probes.

Takes task, gold and, for an episode, its sheet; gives blocks. Observed series are the files that
the agent got; the others are simulated again from the recipes in the gold, which is why a report
holds answers and must stay where agents cannot read it.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from benchwright.report.page import Block, Cell, Facts, Fold, FoldHead, Text
from benchwright.report.suite import SuitePages
from benchwright.report.viewer import Trace, Viewer
from benchwright.report.words import answer_words, check_in, check_words, sample_anchor, short_name
from benchwright.scoring.model import Check, ScoreSheet
from benchwright.suites.tracebench.conditions import LAYOUT
from benchwright.suites.tracebench.drawn import (
    HINTS,
    Series,
    change_words,
    series_of,
    value_words,
)
from benchwright.suites.tracebench.golds import Answers, true_answers
from benchwright.suites.tracebench.opening import opening
from benchwright.suites.tracebench.plotted import axis_of, words_of
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.systems import System, get_system
from benchwright.tasks.model import Gold, Task


def sample_blocks(task: Task, gold: Gold, sheet: ScoreSheet | None) -> tuple[Block, ...]:
    """One line per test sample that opens to its series; the first wrong one is open."""
    answers = true_answers(task, gold)
    recipes = answers.recipes
    series = series_of(task, gold)
    words = words_of(task)
    checks = {check.name: check for check in sheet.checks} if sheet else {}
    wrong = [name for name in task.submission.samples if _is_wrong(checks.get(name))]
    first = wrong[0] if wrong else task.submission.samples[0]
    asked = sheet is not None
    told = {score.reason for score in sheet.scores if score.status == "invalid"} if sheet else set()
    titles = ("sample", "truth", "answer", "") if asked else ("sample", "truth", "what changes")
    return (
        FoldHead(titles),
        *(
            Fold(
                _summary(
                    name,
                    _truth(answers, name),
                    recipes[name],
                    _spoken(checks.get(name), words),
                    told if asked else None,
                ),
                titles,
                _inside(name, recipes[name], series[name], task.axes["noise"], said=not asked),
                open=name == first,
                anchor=sample_anchor(name),
            )
            for name in task.submission.samples
        ),
    )


PAGES = SuitePages(LAYOUT, words_of, opening, sample_blocks)


def _is_wrong(check: Check | None) -> bool:
    return check is not None and check.outcome == "fail"


def _spoken(check: Check | None, words: Mapping[str, str]) -> Check | None:
    """The check with the words behind a bare label: `label_3 (mass)`."""
    told = {label: f"{label} ({w})" for label, w in words.items() if w != label}
    return check_in(check, told) if check is not None else None


def _truth(answers: Answers, name: str) -> Cell:
    """The true label as the agent knows it, and in words where that is a bare name."""
    told, words = answers.truth[name], answers.recipes[name].label
    return Cell(told, note="" if told == words else words, hint="what is true")


def _summary(
    name: str, label: Cell, recipe: Recipe, check: Check | None, told: Container[str | None] | None
) -> tuple[Cell, ...]:
    """Cells of a sample's line; reasons that were `told` above the lines are not repeated.

    `told` is None where no answer was asked for.
    """
    if told is None:
        return Cell(short_name(name), hint=name), label, Cell(change_words(recipe), tone="muted")
    if check is None:
        return Cell(short_name(name), hint=name), label, Cell("no check", tone="warn"), Cell("?")
    right = check.outcome == "pass"
    mark = Cell("✓" if right else "✗", tone="good" if right else "bad")
    answer = Cell(answer_words(check.got), note="" if check.reason in told else check_words(check))
    return Cell(short_name(name), hint=name), label, answer, mark


def _inside(
    name: str, recipe: Recipe, series: Series, noise: str, *, said: bool
) -> tuple[Block, ...]:
    system = get_system(recipe.system)
    values = tuple(
        (variable.words, Cell(value_words(variable, recipe.values[variable.name])))
        for variable in system.variables
    )
    drawn = _viewer(name, system, recipe, series, noise)
    return (*(() if said else (Text(change_words(recipe)),)), drawn, Facts(values))


def _viewer(name: str, system: System, recipe: Recipe, series: Series, noise: str) -> Viewer:
    axes = tuple(axis_of(channel) for channel in system.channels)
    notes = (
        []
        if recipe.step
        else ["Nothing changes in this run: there is none without the change beside it."]
    )
    notes += [axis.hint for axis in axes if axis.hint]
    drawn = [
        Trace(f"observed, {noise} noise", "observed", series.observed, HINTS["observed"]),
        Trace("clean", "clean", series.clean, HINTS["clean"], shown=recipe.step is None),
    ]
    if series.no_change is not None and series.static is not None:
        drawn.append(Trace("no change", "no_change", series.no_change, HINTS["no_change"]))
        drawn.append(Trace("new value from start", "static", series.static, HINTS["static"]))
    return Viewer(
        title=f"Series of sample {short_name(name)}",
        axes=axes,
        traces=tuple(drawn),
        start_s=system.dt,
        step_s=system.dt,
        mark_s=recipe.step.time if recipe.step else None,
        note=" ".join(notes),
    )
