"""Accuracy and confusion: nothing leaves the denominator, in any order of the rows."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import TaskSetError
from benchwright.scoring.model import Check, ScoreRow
from benchwright.stats.accuracy import accuracy_table
from benchwright.stats.attempts import Attempt
from benchwright.stats.confusion import NO_ANSWER, confusion_tables
from benchwright.stats.intervals import above_chance, clopper_pearson

LABELS = ("mass", "gravity", "no parameter change")


def row(number=0, status="scored", owner=None, agent="a", scorer="tracebench/1", **more):
    given_gold = more.get("privileged", False)
    return ScoreRow(
        episode_id=f"e{number}", suite="tracebench", task_id="t", cluster="c",
        axes=more.get("axes", {"system": "S"}), agent=agent, privileged=given_gold,
        sandbox="bwrap", model=None, trial=number, scorer=scorer, metric="top1",
        value={"scored": 0.5, "invalid": 0.0}.get(status), status=status, owner=owner,
        reason=None if status == "scored" else "because",
    )  # fmt: skip


def attempt(fates, number=0, status="scored", owner=None, **more):
    """One episode with a sample per letter: r right, w wrong, n no answer, b blocked."""
    names = tuple(f"s{i}" for i in range(len(fates)))
    checks = {name: _check(name, fate) for name, fate in zip(names, fates, strict=True)}
    reached = status in ("scored", "unscorable")
    return Attempt(row(number, status, owner, **more), LABELS, names, checks if reached else {})


def _check(name, fate):
    outcome = {"r": "pass", "b": "blocked"}.get(fate, "fail")
    got = {"r": ["mass"], "w": ["gravity", "mass"]}.get(fate)
    return Check(name, outcome, "mass", got)


def test_one_success_beside_fifteen_sandbox_failures_is_bounded_and_not_certain():
    lost = [attempt("r", i, "unscorable", "sandbox") for i in range(1, 16)]
    (found,) = accuracy_table([attempt("r"), *lost], ["system"])
    assert (found.accuracy, found.bounds) == (1.0, (1 / 16, 1.0))
    assert found.coverage.missing == {"sandbox": 15}
    assert (found.coverage.planned, found.coverage.finished, found.coverage.scored) == (16, 16, 1)


def test_answers_to_the_same_samples_are_no_more_evidence_than_one_each():
    once = accuracy_table([attempt("rrrrrrrrww")], ["system"])[0]
    often = accuracy_table([attempt("rrrrrrrrww", i) for i in range(5)], ["system"])[0]
    assert (often.judged, often.correct, often.accuracy) == (50, 40, 0.8)
    assert often.interval == once.interval == clopper_pearson(8, 10)
    assert often.p_above_chance == once.p_above_chance == above_chance(8, 10, 1 / 3)
    mixed = accuracy_table([attempt("rrrrrrrrww"), attempt("rrrrrrrwww", 1)], ["system"])[0]
    assert mixed.interval == (clopper_pearson(7, 10)[0], clopper_pearson(8, 10)[1])
    assert mixed.p_above_chance == above_chance(7, 10, 1 / 3)


def test_80_right_10_wrong_10_lost_lies_between_80_and_90_percent():
    attempts = [attempt("r" * 80 + "w" * 10), attempt("r" * 10, 1, "missing", "provider")]
    (found,) = accuracy_table(attempts, ["system"])
    assert found.bounds == (0.8, 0.9)
    assert found.correct / found.judged == pytest.approx(0.889, abs=5e-4)


def test_what_was_never_run_is_missing_and_has_no_accuracy():
    (found,) = accuracy_table([attempt("rr", 0, "missing")], ["system"])
    assert (found.accuracy, found.interval, found.bounds) == (None, None, (0.0, 1.0))
    assert found.coverage.missing == {"not run": 1}
    assert found.coverage.finished == 0


def test_an_invalid_answer_counts_as_wrong_and_is_shown():
    (found,) = accuracy_table([attempt("rrrr"), attempt("rrrr", 1, "invalid", "agent")], ["system"])
    assert (found.accuracy, found.bounds, found.coverage.invalid) == (0.5, None, 1)


def test_a_blocked_sample_of_a_scored_episode_opens_the_bounds():
    (found,) = accuracy_table([attempt("rrwb")], ["system"])
    assert (found.judged, found.bounds) == (3, (0.5, 0.75))


def test_privileged_agents_stand_last_however_good():
    attempts = [
        attempt("rr", agent="oracle", privileged=True),
        attempt("ww", agent="poor"),
        attempt("rw", agent="better"),
    ]
    names = [found.agent.name for found in accuracy_table(attempts, ["system"])]
    assert names == ["better", "poor", "oracle"]


def test_rows_of_two_scorer_versions_are_refused_with_both_names():
    attempts = [attempt("r"), attempt("r", 1, scorer="tracebench/2")]
    with pytest.raises(TaskSetError, match=r"tracebench/1.*tracebench/2"):
        accuracy_table(attempts, ["system"])


def test_an_episode_that_is_owed_has_no_scorer_and_mixes_with_any():
    attempts = [attempt("r"), attempt("r", 1, "missing", scorer="")]
    assert accuracy_table(attempts, ["system"])[0].coverage.planned == 2


def test_chance_is_one_over_the_labels_and_p_is_exact():
    (found,) = accuracy_table([attempt("rrr")], ["system"])
    assert found.chance == pytest.approx(1 / 3)
    assert found.p_above_chance == pytest.approx(1 / 27)


@pytest.mark.parametrize(("classes", "chance"), [((5,), 0.200), ((6,), 0.167), ((5, 6, 5), 0.189)])
def test_chance_over_systems_is_that_of_the_paper(classes, chance):
    labels = [tuple(f"l{i}" for i in range(size)) for size in classes]
    attempts = [replace(attempt("r" * 10, i), labels=own) for i, own in enumerate(labels)]
    (found,) = accuracy_table(attempts, ["system"])
    assert round(found.chance, 3) == chance


fates = st.lists(st.text("rwnb", min_size=1, max_size=10), min_size=1, max_size=8)


@given(fates, st.randoms(use_true_random=False))
def test_the_order_of_episodes_changes_no_table(rounds, shuffler: random.Random):
    attempts = [attempt(text, i) for i, text in enumerate(rounds)]
    shuffled = attempts[:]
    shuffler.shuffle(shuffled)
    assert accuracy_table(attempts, ["system"]) == accuracy_table(shuffled, ["system"])
    assert confusion_tables(attempts, ["system"]) == confusion_tables(shuffled, ["system"])


@given(fates)
def test_every_owed_sample_is_in_the_confusion_or_counted_as_unknown(rounds):
    attempts = [attempt(text, i) for i, text in enumerate(rounds)]
    (found,) = accuracy_table(attempts, ["system"])
    (table,) = confusion_tables(attempts, ["system"])
    counted = sum(map(sum, table.counts))
    assert counted == found.judged
    assert counted + table.unknown == found.owed == sum(map(len, rounds))


@given(fates)
def test_accuracy_lies_in_its_interval_and_in_its_bounds(rounds):
    (found,) = accuracy_table([attempt(text, i) for i, text in enumerate(rounds)], ["system"])
    if found.accuracy is not None:
        assert found.interval[0] <= found.accuracy <= found.interval[1]
    if found.bounds is not None and found.accuracy is not None:
        assert found.bounds[0] <= found.accuracy <= found.bounds[1]


def test_a_missing_answer_has_its_own_column_and_the_first_label_counts():
    (table,) = confusion_tables([attempt("rwn")], ["system"])
    assert table.answers == (*LABELS, NO_ANSWER)
    assert table.counts == ((1, 1, 0, 1), (0, 0, 0, 0), (0, 0, 0, 0))
    assert table.shares[0] == pytest.approx((1 / 3, 1 / 3, 0, 1 / 3))
    assert table.shares[1] == (None,) * 4
