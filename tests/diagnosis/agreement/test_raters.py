"""Two planted raters give the agreement that was planted, at every level."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.diagnosis.agreement.against import Against, Compared, against
from benchwright.diagnosis.agreement.among import Among, among, mean_of
from benchwright.diagnosis.agreement.grids import against_grid, among_grid, kappas_grid
from benchwright.diagnosis.agreement.levels import SET_LEVELS, SetLevel, found_at, pools_of, rated
from benchwright.diagnosis.labels.model import Labels
from benchwright.diagnosis.taxonomy import shipped
from benchwright.errors import SpecError
from benchwright.stats.agreement import cohen_kappa, krippendorff_alpha, presence
from tests.diagnosis.agreement.planted import both, human, judge
from tests.diagnosis.tables.made import cell, labels


def test_raters_who_hold_a_trajectory_to_be_of_two_tasks_are_refused() -> None:
    own = labels("s1 t1", "A.1", "bob")
    other = replace(own, subject=replace(own.subject, task="t2"))
    with pytest.raises(SpecError, match=r"task of trajectory s1 t1 differs.*'t1, t2'"):
        rated([labels("s1 t1", "A.1", "ann"), other], shipped())


def on(rows: tuple[Among, ...], name: str) -> Among:
    return next(row for row in rows if row.name == name)


def compared(found: Against, name: str) -> Compared:
    return next(row for row in found.compared if row.name == name)


def test_planted_raters_against_each_other_pattern_by_pattern() -> None:
    (found,) = against(both(), "human", "pattern")
    assert (found.shared, found.only_rater, found.only_truth) == (40, 0, 0)
    same, missed, added = (compared(found, n) for n in ("A.1", "F.4", "B.1"))
    assert (same.precision.value, same.recall.value, same.kappa.value) == (1.0, 1.0, 1.0)
    assert (missed.precision.value, missed.recall.value) == (1.0, 20 / 30)
    assert missed.kappa.value == pytest.approx(0.5)  # 20 both, 10 missed, 10 neither
    assert (added.precision.value, added.recall.value, added.kappa.value) == (0.0, None, 0.0)
    partial = compared(found, "C.4")
    assert (partial.precision.value, partial.recall.value, partial.f1.value) == (None, 0.0, 0.0)


def test_pooled_figures_are_of_all_patterns_of_all_trajectories() -> None:
    (found,) = against(both(), "human", "pattern")
    pooled = compared(found, "")
    assert (pooled.counts.right, pooled.counts.wrong, pooled.counts.missed) == (40, 4, 11)
    assert pooled.absent == 40 * 45 - 40 - 4 - 11
    assert pooled.precision.value == 40 / 44 and pooled.recall.value == 40 / 51
    low, high = pooled.recall.interval or (0, 0)
    assert low < 40 / 51 < high


@pytest.mark.parametrize("level", SET_LEVELS)
def test_among_and_against_agree_on_kappa(level: SetLevel) -> None:
    (beside,), rows = against(both(), "human", level), among(both(), level)
    for row in rows:
        assert row.agreement.mean == compared(beside, row.name).kappa.value
        assert row.mean_interval == compared(beside, row.name).kappa.interval


def test_patterns_of_a_pillar_are_pooled_too() -> None:
    (found,) = against(both(), "human", "pattern")
    depth, ground = compared(found, "R2"), compared(found, "R1")
    assert (depth.counts.right, depth.counts.wrong, depth.counts.missed) == (40, 0, 10)
    assert (ground.counts.right, ground.counts.wrong, ground.counts.missed) == (0, 4, 0)
    table = against_grid([found], "pattern", shipped())
    assert [row[1] for row in table.rows[:5]] == [
        "all", "all of R1", "all of R2*", "all of R3", "all of R4"]  # fmt: skip


def test_at_the_level_of_pillars_two_patterns_of_one_pillar_are_the_same() -> None:
    a, b = labels("s t", "A.1"), labels("s t", "F.4", "human")
    assert found_at(a, shipped(), "pillar") == found_at(b, shipped(), "pillar") == {"R2"}
    assert found_at(a, shipped(), "stage") == {"A"}


def test_raters_that_never_used_a_pattern_are_not_called_perfect() -> None:
    row = on(among(both(), "pattern"), "E.4")
    assert (row.agreement.mean, row.agreement.alpha, row.mean_interval) == (None, None, None)


def test_a_trajectory_of_one_rater_alone_counts_nowhere_and_is_told() -> None:
    more = [*human(), *judge()[:30], labels("s9 t9", "A.1")]
    (found,) = against(rated(more, shipped()), "human", "pattern")
    assert (found.shared, found.only_rater, found.only_truth) == (30, 1, 10)
    assert on(among(rated(more, shipped()), "pattern"), "").trajectories == 30
    notes = " ".join(against_grid([found], "pattern", shipped()).notes)
    assert "judge and human share 30; 1 of judge alone and 10 of human alone" in notes


def test_three_raters_have_three_kappas_and_an_interval_of_their_mean() -> None:
    third = [labels(one.subject.id, "A.1 F.4", "second") for one in human()[:20]]
    row = on(among(rated([*human(), *judge(), *third], shipped()), "pattern"), "")
    assert [pair.raters for pair in row.agreement.pairs] == [
        ("human", "judge"), ("human", "second"), ("judge", "second")]  # fmt: skip
    assert [pair.units for pair in row.agreement.pairs] == [40 * 45, 20 * 45, 20 * 45]
    assert row.mean_interval is not None and row.alpha_interval is not None
    assert row.mean_interval[0] < (row.agreement.mean or 0) < row.mean_interval[1]
    assert row.alpha_interval[0] < (row.agreement.alpha or 0) < row.alpha_interval[1]


@pytest.mark.parametrize(
    ("every", "truth", "said"),
    [
        ([labels("s t", "A.1")], "judge", "two raters"),
        ([labels("s t", "A.1"), labels("s u", "A.1", "human")], "human", "two raters"),
        ([labels("s t", "A.1"), labels("s t", "A.1", "human")], "humn", "no such rater"),
    ],
)
def test_what_cannot_be_compared_is_refused(every: list[Labels], truth: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        against(rated(every, shipped()), truth, "pattern")
    if truth != "humn":
        with pytest.raises(SpecError, match="two raters"):
            among(rated(every, shipped()), "pattern")


def test_grids_mark_lower_confidence_and_put_published_kappas_beside() -> None:
    rows = among(both(), "pillar")
    table = among_grid(rows, "pillar", shipped())
    assert [row[0] for row in table.rows] == ["all", "R1", "R2*", "R3", "R4"]
    beside = kappas_grid([("against", "pillar", "judge", 0.5)])
    assert len(kappas_grid().rows) == 5 and len(beside.rows) == 2
    assert cell(kappas_grid(), "ours", "0.85") is None
    assert cell(beside, "ours", "0.83") == cell(beside, "ours", "0.62") == 0.5


words = st.lists(st.sampled_from(["A.1", "F.4", "C.4", "B.1", "A.1~"]), max_size=4).map(" ".join)
subjects = st.sampled_from([f"s{s} t{t}" for s in range(2) for t in range(3)])
raters = st.dictionaries(
    st.sampled_from(["p", "q", "r"]), st.dictionaries(subjects, words, min_size=1), min_size=2
)


@settings(max_examples=25, deadline=None)
@given(raters, st.sampled_from(SET_LEVELS), st.randoms())
def test_figures_are_those_of_the_plain_definitions_and_order_is_no_matter(
    said: dict[str, dict[str, str]], level: SetLevel, luck: random.Random
) -> None:
    every = [labels(i, w, rater) for rater, own in said.items() for i, w in own.items()]
    found = rated(every, shipped())
    if not any(found.shared(a, b) for a in said for b in said if a != b):
        with pytest.raises(SpecError):
            among(found, level, replicates=40)
        return
    luck.shuffle(every)
    rows = among(found, level, replicates=40)
    assert among(rated(every, shipped()), level, replicates=40) == rows
    sets = {
        rater: {i: found_at(one, shipped(), level) for i, one in own.items()}
        for rater, own in found.own.items()
    }
    for row in rows[:3]:
        names = pools_of(shipped(), level).get(row.name, (row.name,))
        cells = presence(sets, names)
        assert row.agreement.alpha == krippendorff_alpha(cells)
        for pair in row.agreement.pairs:
            one, other = (cells[rater] for rater in pair.raters)
            shared = [unit for unit in one if unit in other]
            assert pair.kappa == cohen_kappa([one[u] for u in shared], [other[u] for u in shared])


def test_a_mean_over_pairs_needs_every_pair() -> None:
    sums = np.array([0, 0, 0, 5, 5, 5, 10, 10, 10, 10, 10], float)
    assert mean_of(sums, [0]) == 1.0
    assert mean_of(sums, [0, 1]) is None
