"""What tables are made of: one rater, one labelling per trajectory, nothing lost unseen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchwright.diagnosis.labels.model import Labels, Subject
from benchwright.diagnosis.tables.corpus import cluster_of, corpus, partials_of
from benchwright.diagnosis.taxonomy import shipped
from benchwright.errors import SpecError
from tests.diagnosis.tables.made import labels, small


def about(subject: str, rater: str, **stated: str) -> Labels:
    """Labels whose subject is stated otherwise than `labels` does."""
    own = labels(subject, "A.1", rater)
    return replace(own, subject=replace(own.subject, **stated))


def test_what_another_rater_or_a_plan_has_is_missing_and_not_dropped() -> None:
    found = small()
    assert (found.planned, len(found.labelled)) == (6, 5)
    assert [subject.id for subject in found.missing] == ["s2 t3"]
    planned = [Subject("s1 t1", "t1", "s1"), Subject("s3 t1", "t1", "s3")]
    more = corpus([labels("s1 t1", "A.1")], shipped(), planned=planned)
    assert [subject.id for subject in more.missing] == ["s3 t1"]
    assert [name for name, _ in more.slices("system")] == ["s1", "s3"]


def test_a_planned_trajectory_is_of_the_kind_of_its_task() -> None:
    every = [labels("s1 t1", "A.1", kind="open", domain="physics")]
    planned = [Subject("s2 t1", "t1", "s2"), Subject("s2 t2", "t2", "s2")]
    found = corpus(every, shipped(), planned=planned)
    assert [(x.kind, x.domain) for x in found.missing] == [("open", "physics"), ("", "")]


def test_slices_hold_every_trajectory_once_and_what_is_not_stated_has_a_name() -> None:
    found = small()
    domains = dict(found.slices("domain"))
    assert sorted(domains) == ["not stated", "physics"]
    assert sum(part.planned for part in domains.values()) == found.planned
    assert next(found.parts("kind"))[0] == "all"


def test_a_pattern_with_a_hit_is_no_partial_as_well() -> None:
    assert partials_of(labels("s1 t1", "A.1 A.1~ B.1~")) == {"B.1"}
    found = small()
    assert not (found.hits & found.partials).any()
    assert (int(found.hits.sum()), int(found.partials.sum())) == (8, 1)


def test_trajectories_of_one_task_stand_and_fall_together() -> None:
    counted = small().by_cluster(small().hits)
    assert sorted(counted) == ["task  t1", "task  t2", "task  t3"]
    assert counted["task  t1"].sum() == 5
    assert cluster_of(Subject("log-9")) == "trajectory log-9"
    assert cluster_of(Subject("a", "t", suite="x")) != cluster_of(Subject("a", "t", suite="y"))


@pytest.mark.parametrize(
    ("every", "rater", "said"),
    [
        ([], None, "no labels"),
        ([labels("s t", "A.1"), labels("s t", "A.1", "human")], None, "several raters"),
        ([labels("s t", "A.1"), labels("s u", "A.1", "human")], "juge", "no such rater"),
        ([labels("s t", "A.1"), labels("s t", "B.1")], None, "twice"),
        (
            [labels("s t", "A.1"), about("s t", "human", task="u")],
            "judge",
            "task of trajectory s t differs.*'t, u' .*judge and by human",
        ),
        (
            [labels("s t", "A.1"), about("s t", "human", system="z")],
            "judge",
            "system of trajectory s t differs.*'s, z'",
        ),
        ([labels("s t", "A.9")], None, "unknown pattern"),
        ([labels("s t", "A1")], None, "older set"),
        ([labels("s t", "A.1", taxonomy="arft-44")], None, "different versions"),
    ],
)
def test_what_would_count_wrongly_is_refused(
    every: list[Labels], rater: str | None, said: str
) -> None:
    with pytest.raises(SpecError, match=said):
        corpus(every, shipped(), rater)


def test_what_one_rater_leaves_open_contradicts_nobody() -> None:
    every = [labels("s t", "A.1"), about("s t", "human", task="", system="", suite="x")]
    assert corpus(every, shipped(), "judge").clusters == ("task  t",)
