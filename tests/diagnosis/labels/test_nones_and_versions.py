"""The share of issues that fit no pattern, and labels of one version carried to another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.diagnosis.labels.carry import carried, collected
from benchwright.diagnosis.labels.model import Labels
from benchwright.diagnosis.labels.nones import none_rate, none_rates
from benchwright.diagnosis.taxonomy import Taxonomy, VersionMap, shipped
from benchwright.errors import SpecError
from benchwright.stats.intervals import clopper_pearson
from benchwright.trajectory.evidence import Evidence
from tests.diagnosis.labels.made import SAID, label, labels

MAP = VersionMap(
    "old", "arft-45", {"A.1": ("A.2",), "A.2": ("A.2",), "B.1": ("B.2", "B.3"), "B.2": ()}
)
TAXONOMY: Taxonomy = replace(shipped(), maps=(MAP,))
OTHER = Evidence("step", "2")


@given(st.lists(st.booleans(), max_size=30))
def test_the_rate_counts_issues_without_a_pattern(nones: list[bool]) -> None:
    own = [label(None if none else "C.2", issue=n) for n, none in enumerate(nones)]
    rate = none_rate([labels(*own), labels(label("C.2"), label(None), subject="whole")])
    assert (rate.none, rate.issues) == (sum(nones), len(nones))
    assert rate.share == (sum(nones) / len(nones) if nones else None)
    assert rate.interval == clopper_pearson(sum(nones), len(nones))


def test_no_issue_without_a_pattern_among_eight_still_leaves_room_for_a_third() -> None:
    rate = none_rate([labels(*(label("C.2", issue=n) for n in range(8)))])
    assert rate.share == 0 and rate.interval == pytest.approx((0, 0.3694), abs=1e-4)


def test_raters_have_rates_of_their_own() -> None:
    first = labels(label(None, issue=1), label("C.2", issue=2), rater="A")
    found = none_rates([first, labels(label("C.2", issue=1), rater="B"), labels(rater="C")])
    assert {rater: rate.share for rater, rate in found.items()} == {"A": 0.5, "B": 0}


def test_labels_of_the_same_version_stay_as_they_are() -> None:
    own = labels(label("C.2"))
    assert carried(own, TAXONOMY) is own


def test_patterns_of_a_document_that_become_one_are_one_label_and_a_hit_outweighs() -> None:
    own = labels(label("A.1", "partial"), label("A.2", evidence=(OTHER,)), taxonomy="old")
    (only,) = carried(own, TAXONOMY).labels
    assert (only.pattern, only.degree, only.evidence) == ("A.2", "hit", (SAID, OTHER))


def test_a_pattern_that_became_several_is_all_of_them_and_a_dropped_one_is_none() -> None:
    new = carried(labels(label("B.1"), label("B.2"), taxonomy="old"), TAXONOMY)
    assert ([x.pattern for x in new.labels], new.taxonomy) == (["B.2", "B.3"], "arft-45")


def test_the_pattern_of_an_issue_is_one_none_or_refused() -> None:
    own = labels(label("A.1", issue=1), label("B.2", issue=2), taxonomy="old")
    assert [x.pattern for x in carried(own, TAXONOMY).labels] == ["A.2", None]
    several = labels(label("B.1", issue=7), taxonomy="old")
    with pytest.raises(SpecError, match=r"B\.1: B\.2, B\.3.*issue 7.*arft-45"):
        carried(several, TAXONOMY)


@pytest.mark.parametrize("own", [labels(taxonomy="older"), labels(label("C.2"), taxonomy="old")])
def test_a_version_without_a_map_and_a_pattern_outside_of_it_are_refused(own: Labels) -> None:
    with pytest.raises(SpecError):
        collected([labels(label("C.2")), own], TAXONOMY)
