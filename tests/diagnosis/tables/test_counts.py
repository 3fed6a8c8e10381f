"""Counts of the tables by hand, and against counting labels one by one."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.diagnosis.tables.corpus import AXES, Axis, Corpus, corpus
from benchwright.diagnosis.tables.matrix import (
    distinct_counts,
    load,
    pattern_matrix,
    per_trajectory,
    verdicts,
)
from benchwright.diagnosis.tables.pillars import stage_by_pillar
from benchwright.diagnosis.tables.together import alike_by_task, cooccurrence, lift
from benchwright.diagnosis.taxonomy import shipped
from tests.diagnosis.tables.made import cell, labels, small

PATTERNS = list(shipped().patterns)
words = st.lists(st.sampled_from([*PATTERNS[:6], "F.4", "X.8", "A.2~", "F.4~"]), max_size=6)
corpora = st.dictionaries(
    st.tuples(st.sampled_from(["s1", "s2", "s3"]), st.sampled_from(["t1", "t2", "t3"])),
    words,
    min_size=1,
).map(
    lambda made: corpus(
        [labels(f"{s} {t}", " ".join(own), kind=t) for (s, t), own in made.items()], shipped()
    )
)


def test_a_cell_counts_a_trajectory_once_and_a_partial_never() -> None:
    hit, part = pattern_matrix(small(), "system"), pattern_matrix(small(), "system", partial=True)
    assert [cell(hit, c, "F.4") for c in ("all", "s1", "s2")] == [3, 2, 1]
    assert [cell(hit, c, "B.1") for c in ("all", "s1", "s2")] == [1, 0, 1]
    assert [cell(part, c, "B.1") for c in ("all", "s1", "s2")] == [1, 1, 0]
    assert cell(part, "all", "A.1") == 0
    assert [cell(hit, c, "", "missing") for c in ("all", "s1", "s2")] == [1, 0, 1]


def test_load_shows_what_is_missing_and_every_verdict() -> None:
    table = load(small(), "system")
    head = ("planned", "labelled", "missing", "hits", "of them *", "mean hits", "least", "most")
    assert [cell(table, c, "all") for c in head] == [6, 5, 1, 8, 6, 8 / 5, 0, 3]
    assert [cell(table, c, "s2") for c in head] == [3, 2, 1, 3, 2, 3 / 2, 0, 3]
    table = verdicts(small(), "system")
    said = ("valid", "invalid", "no delivery", "infrastructure", "verdict not said")
    assert [cell(table, c, "all") for c in said] == [2, 1, 1, 0, 1]


def test_stage_by_pillar_counts_hits_and_trajectories_apart() -> None:
    table = stage_by_pillar(small(), "kind")
    assert cell(table, "R2*", "all", "hits", "A") == 3
    assert cell(table, "R2*", "all", "hits", "all") == 6
    assert cell(table, "R2*", "all", "trajectories", "all") == 4
    assert cell(table, "all", "all", "hits", "all") == 8
    assert cell(table, "R4", "target", "hits", "C") == 1


def test_each_trajectory_stands_with_its_patterns_or_as_not_labelled() -> None:
    table = per_trajectory(small())
    assert cell(table, "patterns", "s1 t2") == "A.1* C.4"
    assert cell(table, "hits on lower-confidence pillars", "s1 t2") == 1
    assert (cell(table, "verdict", "s2 t3"), cell(table, "hits", "s2 t3")) == ("not labelled", None)
    assert cell(distinct_counts(small(), "system"), "all", 2) == 2


def test_lift_by_hand_and_unknown_where_a_pattern_was_never_found() -> None:
    table = cooccurrence(small(), "system")
    assert cell(table, "both", "all", "A.1", "F.4") == 2
    assert cell(table, "lift", "all", "A.1", "F.4") == pytest.approx((2 / 5) / (3 / 5 * 3 / 5))
    assert cell(table, "lift", "all", "A.1", "E.4") is None
    assert cell(table, "lift", "all", "B.1", "C.4") == 0.0
    assert cell(table, "pillars", "all", "A.1", "C.4") == "R2* R4"
    assert lift(0, 0, 3, 5) is None


def test_systems_that_fail_alike_are_not_called_agreement() -> None:
    table = alike_by_task(small(), "system")
    assert cell(table, "in all: patterns", "all", "t1") == "A.1* F.4*"
    assert cell(table, "in one: patterns and system", "all", "t1") == "B.1 s2"
    assert cell(table, "in one", "all", "t2") == 2
    assert (cell(table, "systems", "all", "t3"), cell(table, "in all", "all", "t3")) == (1, None)
    assert "no agreement of raters" in table.title
    assert {row[0] for row in alike_by_task(small(), "kind").rows} == {"all", "open", "target"}


@settings(max_examples=40, deadline=None)
@given(corpora, st.sampled_from(AXES))
def test_tables_are_what_counting_one_by_one_gives(found: Corpus, by: Axis) -> None:
    own = {one.subject: one.hits() for one in found.labelled}
    groups = Counter((getattr(s, by) or "not stated", p) for s, hits in own.items() for p in hits)
    matrix = pattern_matrix(found, by)
    for name, part in found.slices(by):
        column = [cell(matrix, name, pattern) for pattern in PATTERNS]
        assert column == [groups[name, pattern] for pattern in PATTERNS]
        assert cell(load(found, by), "hits", name) == sum(map(int, part.hits.sum(axis=0)))
    total = sum(map(len, own.values()))
    assert sum(int(str(cell(matrix, "all", p))) for p in PATTERNS) == total
    assert cell(stage_by_pillar(found, by), "all", "all", "hits", "all") == total
    distinct = distinct_counts(found, by)
    assert sum(int(str(row[0])) * int(str(row[1])) for row in distinct.rows) == total


@settings(max_examples=25, deadline=None)
@given(corpora)
def test_pairs_are_what_counting_one_by_one_gives(found: Corpus) -> None:
    sets = [one.hits() for one in found.labelled]
    for row in cooccurrence(found, "system").rows:
        if row[0] == "all":
            _, one, other, _, both, first, second, n, lifted = row
            assert both == sum({one, other} <= own for own in sets)
            assert (first, second, n) == (
                sum(one in own for own in sets), sum(other in own for own in sets), len(sets)
            )  # fmt: skip
            assert (lifted is None) == (first == 0 or second == 0)
