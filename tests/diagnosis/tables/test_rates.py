"""Rates and shares with intervals over tasks; groups as declared; saturation over versions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchwright.diagnosis.labels.model import Labels
from benchwright.diagnosis.tables.corpus import corpus
from benchwright.diagnosis.tables.every import newest
from benchwright.diagnosis.tables.gaps import saturation, uncovered
from benchwright.diagnosis.tables.groups import declared_groups
from benchwright.diagnosis.tables.rates import pattern_rates, shares
from benchwright.diagnosis.taxonomy import Taxonomy, VersionMap, shipped
from benchwright.errors import SpecError
from benchwright.stats.intervals import clopper_pearson
from tests.diagnosis.tables.made import cell, labels, small


def many() -> list[Labels]:
    """20 tasks of 4 systems; every second task makes all systems fail by F.4, each task by D.4."""
    return [
        labels(f"s{s} t{t}", f"D.4 {'F.4' if t % 2 else 'E.2'}", kind="open")
        for s in range(4)
        for t in range(20)
    ]


def test_a_rate_is_of_labelled_trajectories_and_its_interval_is_as_wide_as_tasks_ask_for() -> None:
    table = pattern_rates(corpus(many(), shipped()), "system")
    assert cell(table, "share", "all", "F.4") == 0.5
    low, high = (float(str(cell(table, c, "all", "F.4"))) for c in ("low", "high"))
    exact = clopper_pearson(40, 80)
    assert high - low > 1.5 * (exact[1] - exact[0])
    assert low < 0.5 < high
    assert cell(table, "pillar", "all", "F.4") == "R2*"


def test_at_the_edge_the_interval_is_exact_over_tasks_and_never_a_point() -> None:
    table = pattern_rates(corpus(many(), shipped()), "system")
    assert [cell(table, c, "all", "A.1") for c in ("share", "low", "high")] == [
        0.0, *clopper_pearson(0, 20)]  # fmt: skip
    assert [cell(table, c, "all", "D.4") for c in ("share", "low", "high")] == [
        1.0, *clopper_pearson(20, 20)]  # fmt: skip


def test_rates_stand_in_order_and_beside_what_is_missing() -> None:
    table = pattern_rates(small(), "kind")
    rates = [float(str(row[7])) for row in table.rows if row[0] == "all"]
    assert rates == sorted(rates, reverse=True) and len(rates) == 45
    assert [cell(table, c, "open", "F.4") for c in ("hit", "labelled", "missing")] == [3, 3, 1]


def test_shares_of_pillars_add_up_and_groups_are_of_their_pillar() -> None:
    table = shares(small(), "system")
    pillars = [row for row in table.rows if row[:2] == ("all", "pillar")]
    assert sum(int(str(row[5])) for row in pillars) == 8
    assert sum(float(str(row[7])) for row in pillars) == pytest.approx(1.0)
    judging = ("all", "group", "judging results")
    assert [cell(table, c, *judging) for c in ("of", "hits", "of hits")] == ["R2*", 3, 6]
    assert cell(table, "share", *judging) == 0.5
    everywhere = ("all", "group", "seen and shipped")
    assert [cell(table, c, *everywhere) for c in ("of", "hits", "of hits")] == ["all", 3, 8]


def test_a_share_of_nothing_is_unknown() -> None:
    table = shares(corpus([labels("s1 t1", "")], shipped()), "system")
    assert cell(table, "share", "all", "pillar", "R1") is None


def test_groups_of_the_paper_are_disjoint_in_a_pillar_and_of_its_taxonomy_only() -> None:
    groups = [g for g in declared_groups(shipped()) if g.of and not g.id.startswith("unsupported:")]
    named = [name for group in groups for name in group.patterns]
    assert len(named) == len(set(named)) == 11 + 11 + 7
    assert declared_groups(replace(shipped(), version="mine-1")) == ()


def version(name: str, patterns: int, *maps: VersionMap) -> Taxonomy:
    kept = dict(list(shipped().patterns.items())[:patterns])
    return replace(shipped(), version=name, patterns=kept, maps=maps)


def test_saturation_shows_fewer_issues_without_a_pattern_and_what_is_new() -> None:
    first = version("v1", 10)
    second = version("v2", 12, VersionMap("v1", "v2", {n: (n,) for n in first.patterns}))
    third = version("v3", 13)
    every = [
        labels("s1 t1", "1:A.1 2: 3: 4:B.1", taxonomy="v1"),
        labels("s1 t1", "1:A.1 2:B.6 3: 4:B.1", taxonomy="v2"),
        labels("s1 t2", "A.1", taxonomy="v2"),
    ]
    table = saturation([first, second, third], every)
    columns = ("patterns", "new", "used", "labelled", "issues", "none", "share")
    assert [cell(table, c, "v1") for c in columns] == [10, 10, 2, 1, 4, 2, 0.5]
    assert [cell(table, c, "v2") for c in columns] == [12, 2, 3, 2, 4, 1, 0.25]
    assert [cell(table, c, "v3") for c in columns] == [13, None, 0, 0, 0, 0, None]
    with pytest.raises(SpecError, match="not given"):
        saturation([first], every)


def test_issues_that_fit_no_pattern_are_listed_with_what_was_said() -> None:
    table = uncovered(corpus([labels("s1 t1", "1:A.1 2:")], shipped()))
    assert table.rows == (("s1 t1", "t1", "s1", 2, "because of 2:"),)


def test_of_two_versions_the_newest_labels_count_and_two_of_one_version_stay_two() -> None:
    old, new = labels("s t", "A.1", taxonomy="v1"), labels("s t", "A.1", taxonomy="v2")
    other = labels("s u", "A.1", taxonomy="v1")
    assert newest([old, new, other], ["v1", "v2"]) == (new, other)
    assert newest([new, new], ["v1", "v2"]) == (new, new)
    assert newest([labels("s t", "A.1", taxonomy="v0"), old], ["v1"]) == (old,)
