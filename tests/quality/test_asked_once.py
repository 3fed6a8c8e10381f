"""Soundness asks the rules of every task about its own samples, about shared ones once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchwright.checks.asked import asked_once
from benchwright.checks.model import Subject
from benchwright.suites import open_suite
from benchwright.suites.specs import build_set
from benchwright.suites.tracebench.golds import frames
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import HeldSet, TaskSet
from tests.quality.planting import change_gold, golds_of, make_digests_right

SPEC = """
suite = "tracebench"
systems = ["MassSlide"]
noise = ["low", "high"]
seeds = [0, 1]
heldout = 2
secret = false
"""


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    (tmp_path / "spec.toml").write_text(SPEC)
    build_set(str(tmp_path / "spec.toml"), tmp_path / "set", "serial")
    return opened(tmp_path / "set")


def opened(path: Path) -> Subject:
    return Subject(TaskSet.open(path), HeldSet.open(path), open_suite("tracebench"), "bwrap")


def by_rule(subject: Subject) -> list[Task]:
    return [task for task in subject.tasks.tasks if task.submission.mode == "programmatic"]


def asked(subject: Subject) -> list[tuple[str, str, bytes]]:
    """Task, sample and values of everything that rules are asked about."""
    once, held = asked_once(subject), subject.held
    assert once.frames is not None
    found = []
    for task in by_rule(subject):
        given = once.frames(task, held.gold(task.id), held)
        found += [(task.id, frame.name, frame.values.tobytes()) for frame in given]
    return found


def test_every_test_sample_is_asked_of_every_task_and_every_heldout_one_once(
    subject: Subject,
) -> None:
    tests = {(t.id, name) for t in by_rule(subject) for name in t.submission.samples}
    found = asked(subject)
    assert {(task, name) for task, name, _ in found} >= tests
    rest = Counter((name, values) for task, name, values in found if (task, name) not in tests)
    held = subject.held
    whole = {
        (frame.name, frame.values.tobytes())
        for task in by_rule(subject)
        for frame in list(frames(task, held.gold(task.id), held))[len(task.submission.samples) :]
    }
    assert set(rest) == whole and len(whole) == 2 * 2 * 5
    assert set(rest.values()) == {1}


def test_tasks_that_disagree_about_a_shared_sample_are_all_asked(subject: Subject) -> None:
    def exchanged(gold: dict[str, dict[str, dict[str, str]]]) -> None:
        if gold["heldout"]:
            truth = gold["heldout"]["truth"]
            first, last = min(truth), max(truth)
            truth[first], truth[last] = truth[last], truth[first]

    path = subject.tasks.path
    before = len(asked(subject))
    change_gold(next(g for g in golds_of(path) if "low-programmatic-s1" in g.name), exchanged)
    make_digests_right(path)
    assert len(asked(opened(path))) == before + 2 * 5


def test_what_was_not_asked_does_not_count(subject: Subject) -> None:
    once, held = asked_once(subject), subject.held
    for task in by_rule(subject):
        names = {frame.name for frame in frames(task, held.gold(task.id), held)}
        counted = {name for name in names if once.counts(task, name)}
        assert counted == (names if task.id in once.bearers else set(task.submission.samples))
