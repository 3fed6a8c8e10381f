"""What readers see of channels and labels: what the numbers are, and words for bare labels."""

from __future__ import annotations

import pytest

from benchwright.executors import SerialExecutor
from benchwright.report.page import Fold, Specimen
from benchwright.report.suite import TaskView
from benchwright.suites.tracebench.build import build
from benchwright.suites.tracebench.labels import displayed
from benchwright.suites.tracebench.opening import opening
from benchwright.suites.tracebench.pages import PAGES
from benchwright.suites.tracebench.plotted import axis_of, words_of
from benchwright.suites.tracebench.spec import parse_spec
from benchwright.suites.tracebench.systems import get_system
from benchwright.tasks.taskset import HeldSet

SYSTEMS = ("BallDrop", "BounceBall", "MassSlide")
SPEC = {"suite": "tracebench", "systems": ["MassSlide"], "modes": ["direct"], "noise": ["low"]}


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A task without context, with its gold."""
    out = tmp_path_factory.mktemp("bare") / "set"
    tasks = build(parse_spec({**SPEC, "context": ["none"]}, ""), out, SerialExecutor())
    (task,) = tasks.tasks
    return task, HeldSet.open(tasks.path).gold(task.id)


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_axis_names_two_units(name):
    for channel in get_system(name).channels:
        axis = axis_of(channel)
        assert "(" not in axis.label and axis.unit == channel.unit


def test_the_published_label_of_the_contact_force_is_told_beside_it():
    channel = get_system("BallDrop").channels[2]
    axis = axis_of(channel)
    assert (axis.label, axis.unit) == ("contact force", "N")
    assert channel.label == "contact impulse (N*s)" and channel.label in axis.hint
    assert not any(axis_of(c).hint for c in get_system("BounceBall").channels)


@pytest.mark.parametrize("context", ["full", "none"])
def test_every_label_of_a_task_has_its_words_in_the_order_of_the_system(context, bare, tmp_path):
    task, _ = bare
    if context == "full":
        task = build(parse_spec(SPEC, ""), tmp_path / "s", SerialExecutor()).tasks[0]
    system = get_system("MassSlide")
    words = words_of(task)
    assert tuple(words.values()) == system.labels
    assert set(words) == set(displayed(system, context)) == set(task.submission.labels)


def test_the_puzzle_of_a_set_without_context_is_put_in_words(bare):
    (grid,) = opening([TaskView(*bare, ())]).blocks
    (panel,) = grid.blocks
    assert isinstance(panel, Specimen)
    assert panel.truth in panel.choices == get_system("MassSlide").labels


def test_without_context_the_confusion_is_headed_so():
    title, note = PAGES.layout.apart_words({"context": "none"})
    assert title == "without context" and "label_0" in note
    assert PAGES.layout.apart_words({"context": "full"}) == ("", "")
    assert "context" in PAGES.layout.apart


def test_an_answer_without_context_stands_beside_its_words(bare):
    from benchwright.scoring.model import Check, ScoreSheet

    task, gold = bare
    name = task.submission.samples[0]
    check = Check(name, "fail", "label_0", ["label_1"], None, ())
    _, *folds = PAGES.samples(task, gold, ScoreSheet("e", "s", (), (check,)))
    (told,) = (f.summary[2].text for f in folds if isinstance(f, Fold) and f.summary[2].note)
    assert told == f"label_1 ({words_of(task)['label_1']})"
