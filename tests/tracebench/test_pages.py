"""The pages of tracebench show the released bytes and both probes of each recipe."""

from __future__ import annotations

import numpy as np
import pytest

from benchwright.executors import SerialExecutor
from benchwright.report.page import Fold, FoldHead
from benchwright.report.viewer import Viewer
from benchwright.suites.tracebench.build import DYNAMICS, build
from benchwright.suites.tracebench.conditions import LAYOUT, condition_words
from benchwright.suites.tracebench.golds import read_gold
from benchwright.suites.tracebench.pages import sample_blocks
from benchwright.suites.tracebench.series import read_sample
from benchwright.suites.tracebench.simulate import simulate
from benchwright.suites.tracebench.spec import load_spec, parse_spec
from benchwright.tasks.taskset import HeldSet


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """Folds of one direct task by sample, with task and recipes."""
    out = tmp_path_factory.mktemp("sets") / "set"
    tasks = build(load_spec("tracebench/small"), out, SerialExecutor())
    task = next(t for t in tasks.tasks if t.submission.mode == "direct")
    gold = HeldSet.open(tasks.path).gold(task.id)
    head, *folds = sample_blocks(task, gold, None)
    assert isinstance(head, FoldHead)
    return task, read_gold(gold).recipes, dict(zip(task.submission.samples, folds, strict=True))


def viewer(fold: Fold) -> Viewer:
    return next(block for block in fold.blocks if isinstance(block, Viewer))


def test_observed_series_are_the_files_that_the_agent_got(shown):
    task, _, folds = shown
    for name, fold in folds.items():
        drawn = viewer(fold).traces[0]
        file = read_sample(task.files / "test_samples" / name)
        assert np.array_equal(drawn.values, file[:, :3].T)


def test_probes_are_the_baseline_and_the_new_value_from_the_start(shown):
    _, recipes, folds = shown
    for name, fold in folds.items():
        recipe = recipes[name]
        roles = {trace.role: trace.values for trace in viewer(fold).traces}
        assert np.array_equal(roles["clean"], simulate([recipe], DYNAMICS).samples[0])
        if recipe.step is not None:
            assert np.array_equal(
                roles["no_change"], simulate([recipe.baseline()], DYNAMICS).samples[0]
            )
            assert np.array_equal(roles["static"], simulate([recipe.static()], DYNAMICS).samples[0])


def test_the_change_is_marked_where_it_happens_and_nowhere_else(shown):
    _, recipes, folds = shown
    marks = {name: viewer(fold).mark_s for name, fold in folds.items()}
    assert marks == {n: r.step.time if r.step else None for n, r in recipes.items()}
    assert None in marks.values() and len(set(marks.values())) > 2


def test_before_the_change_clean_and_no_change_are_one_series(shown):
    _, recipes, folds = shown
    for name, fold in folds.items():
        drawn = viewer(fold)
        roles = {trace.role: trace.values for trace in drawn.traces}
        if recipes[name].step is not None:
            times = drawn.start_s + drawn.step_s * np.arange(roles["clean"].shape[1])
            before = times < recipes[name].step.time - drawn.step_s / 2
            assert np.array_equal(roles["clean"][:, before], roles["no_change"][:, before])


def test_without_context_the_true_label_is_told_in_words_too(tmp_path):
    keys = {"systems": ["MassSlide"], "modes": ["direct"], "context": ["none"], "noise": ["none"]}
    tasks = build(parse_spec({"suite": "tracebench", **keys}, ""), tmp_path / "s", SerialExecutor())
    gold = HeldSet.open(tasks.path).gold(tasks.tasks[0].id)
    _, *folds = sample_blocks(tasks.tasks[0], gold, None)
    truths = [fold.summary[1] for fold in folds]
    recipes = read_gold(gold).recipes
    assert [cell.note for cell in truths] == [recipes[n].label for n in sorted(recipes)]
    assert [cell.text for cell in truths] == [read_gold(gold).truth[n] for n in sorted(recipes)]


def test_conditions_read_from_easy_to_hard():
    axes = {"mode": "direct", "context": "full", "shots": "0"}
    levels = sorted(("high", "none", "low"), key=lambda n: LAYOUT.rank({**axes, "noise": n}))
    assert levels == ["none", "low", "high"]
    assert condition_words({**axes, "noise": "low"}) == "low noise · direct answer"
    examples = condition_words({**axes, "noise": "low", "shots": "3", "context": "none"})
    assert examples == "low noise · direct answer · without context · 3 examples per class"
    assert condition_words({**axes, "noise": "low", "shots": "1"}).endswith(
        " · 1 example per class"
    )
