"""Held-out samples are counted from checks, also for episodes that left none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchwright.scoring.model import Check, ScoreRow
from benchwright.stats.read import HELDOUT, VISIBLE, attempts_of
from benchwright.tasks.model import Submission, Task, TaskLimits

LABELS = ("mass", "no parameter change")
TASK = Task("t", "d", "tracebench", "c", {}, "ask", Path("x"),
            Submission("programmatic", "rule.py", LABELS, ("s1", "s2")), TaskLimits())  # fmt: skip
ROW = ScoreRow("e0", "tracebench", "t", "c", {}, "a", False, "bwrap", None, 0, "tracebench/1",
               VISIBLE, 1.0, "scored", None, None)  # fmt: skip


def episode(number, status="scored"):
    row = replace(ROW, episode_id=f"e{number}", status=status)
    rows = {VISIBLE: row, HELDOUT: replace(row, metric=HELDOUT, value=0.5)}
    names = ("s1", "s2", "h1", "h2", "h3") if status == "scored" else ()
    return rows, {name: Check(name, "pass", "mass", ["mass"]) for name in names}


def test_visible_samples_come_from_the_contract():
    (attempt,) = attempts_of([episode(0)], lambda _: TASK, VISIBLE)
    assert attempt.owed == ("s1", "s2")
    assert attempt.values == {HELDOUT: 0.5}


def test_an_unfinished_episode_owes_the_same_held_out_samples_as_the_others():
    done, owed = attempts_of([episode(0), episode(1, "missing")], lambda _: TASK, HELDOUT)
    assert done.owed == owed.owed == ("h1", "h2", "h3")
    assert owed.tally() == {"unknown": 3}


def test_episodes_without_the_metric_are_left_to_its_owners():
    rows, checks = episode(0)
    del rows[HELDOUT]
    assert attempts_of([(rows, checks)], lambda _: TASK, HELDOUT) == ()
