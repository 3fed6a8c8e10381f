"""Groups of trials: passed, failed or not resolved, none lost; pass^k without bias."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import SpecError, TaskSetError
from benchwright.scoring.model import ScoreRow
from benchwright.stats.groups import (
    TRIALS,
    GroupRow,
    Trial,
    fate_of,
    group_table,
    pass_hat,
    pass_power,
    trial_of,
)

ROW = ScoreRow("e", "telemetry", "t", "c", {"family": "ranking"}, "a", False, "unneeded", None, 0,
               "telemetry/1", "complete", 1.0, "scored", None, None)  # fmt: skip
MADE = {
    "P": {},
    "F": {"value": 0.0},
    "I": {"value": 0.0, "status": "invalid", "owner": "agent"},
    "U": {"value": None, "status": "unscorable"},
    "B": {"value": None, "status": "unscorable", "owner": "sandbox"},
    "-": {"value": None, "status": "missing"},
}
outcomes = st.lists(st.sampled_from(TRIALS), min_size=1, max_size=6)


def rows(*tasks: str, agent: str = "a") -> list[ScoreRow]:
    """One task per word, one trial per letter."""
    return [
        replace(ROW, episode_id=f"{t}{n}", task_id=f"t{t}", trial=n, agent=agent, **MADE[letter])
        for t, word in enumerate(tasks)
        for n, letter in enumerate(word)
    ]


def table(*tasks: str) -> GroupRow:
    (found,) = group_table(rows(*tasks), ["family"])
    return found


@pytest.mark.parametrize(
    ("letter", "trial"),
    [("P", "pass"), ("F", "fail"), ("I", "fail"), ("U", "unverified"), ("B", "blocked"),
     ("-", "missing")],
)  # fmt: skip
def test_every_row_is_one_outcome(letter: str, trial: Trial) -> None:
    (row,) = rows(letter)
    assert trial_of(row) == trial


@pytest.mark.parametrize(
    ("word", "fate"),
    [("PPP", "pass"), ("PPF", "fail"), ("FFF", "fail"), ("PPI", "fail"), ("PPB", "unresolved"),
     ("FFB", "unresolved"), ("PU", "unresolved"), ("P-", "unresolved"), ("P", "pass")],
)  # fmt: skip
def test_one_unknown_trial_leaves_a_group_unresolved(word: str, fate: str) -> None:
    assert fate_of([trial_of(row) for row in rows(word)]) == fate


def test_an_unresolved_group_stays_in_the_denominator() -> None:
    found = table("PPP", "PPF", "PPB", "PPP")
    assert found.groups == {"pass": 2, "fail": 1, "unresolved": 1}
    assert (found.share_of_all, found.share_of_resolved) == (0.5, 2 / 3)
    assert found.trials == {"pass": 10, "fail": 1, "unverified": 0, "blocked": 1, "missing": 0}


def test_the_published_shares_follow_from_their_counts() -> None:
    """76 of 89, 67 of 89 and 35 of 89 groups (facts 20), the rest failed or not resolved."""
    for passed, percent in ((76, "85.4"), (67, "75.3"), (35, "39.3")):
        words = ["PPP"] * passed + ["PFB"] * (89 - passed)
        found = table(*words)
        assert f"{100 * found.share_of_all:.1f}" == percent
        assert found.groups["unresolved"] == 89 - passed


def test_pass_powers_by_hand() -> None:
    found = table("PPP", "PPF", "PFF", "FFF")
    values = [one.value for one in found.pass_hat]
    assert values == [pytest.approx(6 / 12), pytest.approx((1 + 1 / 3) / 4), pytest.approx(1 / 4)]
    assert found.pass_hat[2].value == found.share_of_all
    assert all(one.bounds is None and one.tasks == 4 for one in found.pass_hat)


def test_a_task_without_enough_known_trials_is_counted_out_and_bounded() -> None:
    first, second, third = table("PPP", "PB-").pass_hat
    assert (first.tasks, second.tasks, third.tasks) == (2, 1, 1)
    assert (first.value, second.value, third.value) == (1.0, 1.0, 1.0)
    assert first.bounds == (pytest.approx(4 / 6), 1.0)
    assert second.bounds == (0.5, 1.0) and third.bounds == (0.5, 1.0)


def test_one_passed_trial_and_two_blocked_ones_are_no_perfect_agent() -> None:
    """A known trap: with blocked trials dropped this would be pass^1 of 100 %."""
    found = table("PBB")
    assert found.share_of_all == 0.0 and found.share_of_resolved is None
    assert found.pass_hat[0].bounds == (pytest.approx(1 / 3), 1.0)
    assert found.pass_hat[1].value is None and found.pass_hat[1].interval is None


def test_a_trial_that_is_there_twice_is_refused() -> None:
    with pytest.raises(TaskSetError, match="twice"):
        group_table([*rows("PP"), *rows("P")], ["family"])


def test_shares_of_obligations_are_no_outcome() -> None:
    with pytest.raises(SpecError, match="passes or it fails"):
        group_table([replace(ROW, value=0.5)], ["family"])


def test_agents_that_saw_the_gold_stand_last() -> None:
    told = [replace(row, privileged=True) for row in rows("P", agent="aa")]
    found = group_table([*told, *rows("P", agent="b")], ["family"])
    assert [row.agent.name for row in found] == ["b", "aa"]


@given(st.lists(outcomes, min_size=1, max_size=8), st.randoms())
def test_no_group_and_no_trial_is_lost_and_order_does_not_matter(
    tasks: list[list[Trial]], luck: random.Random
) -> None:
    letters = {"pass": "P", "fail": "F", "unverified": "U", "blocked": "B", "missing": "-"}
    made = rows(*("".join(letters[trial] for trial in own) for own in tasks))
    (found,) = group_table(made, ["family"])
    assert sum(found.groups.values()) == len(tasks)
    assert sum(found.trials.values()) == sum(map(len, tasks))
    luck.shuffle(made)
    assert group_table(made, ["family"]) == (found,)


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_the_estimate_is_the_share_of_subsets_that_pass(counts: tuple[int, int]) -> None:
    n, passed = counts
    trials = [True] * passed + [False] * (n - passed)
    for k in range(1, n + 1):
        subsets = list(combinations(trials, k))
        assert pass_power(passed, n, k) == pytest.approx(sum(map(all, subsets)) / len(subsets))


@pytest.mark.parametrize("chance", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_estimate_has_no_bias(chance: float, k: int) -> None:
    """Its expectation over all outcomes of five trials is chance^k; that of (c/n)^k is not."""
    n = 5
    weights = [chance**c * (1 - chance) ** (n - c) for c in range(n + 1)]
    ways = [len(list(combinations(range(n), c))) for c in range(n + 1)]
    terms = list(zip(ways, weights, range(n + 1), strict=True))
    assert sum(w * p * pass_power(c, n, k) for w, p, c in terms) == pytest.approx(chance**k)
    naive = sum(w * p * (c / n) ** k for w, p, c in terms)
    assert k == 1 or naive > chance**k + 1e-3


@given(st.lists(outcomes, min_size=1, max_size=12), st.integers(1, 6))
def test_more_trials_that_must_pass_are_never_easier(tasks: list[list[Trial]], k: int) -> None:
    full = [own for own in tasks if sum(t in ("pass", "fail") for t in own) > k]
    if full:
        one, more = pass_hat(full, k), pass_hat(full, k + 1)
        assert one.value is not None and more.value is not None
        assert more.value <= one.value + 1e-12


@given(st.lists(outcomes, min_size=1, max_size=12), st.integers(1, 6))
def test_intervals_hold_their_value_and_are_the_same_again(
    tasks: list[list[Trial]], k: int
) -> None:
    found = pass_hat(tasks, k)
    assert found == pass_hat(tasks, k)
    if found.value is not None and found.interval is not None:
        low, high = found.interval
        assert 0 <= low <= high <= 1
        assert low - 1e-9 <= found.value <= high + 1e-9
    if found.bounds is not None:
        assert 0 <= found.bounds[0] <= found.bounds[1] <= 1


@pytest.mark.parametrize("wrong", [(4, 3, 1), (-1, 3, 1), (1, 3, 4), (1, 3, 0)])
def test_counts_that_cannot_be_are_refused(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(SpecError, match="pass"):
        pass_power(*wrong)
