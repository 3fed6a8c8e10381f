"""Golds state what the page on families lists, by family and variant."""

from __future__ import annotations

import pytest

from tests.telemetry.sets import Built

NEAREST = {"stream", "observed", "value", "offset_s", "tie", "acceptable"}
FIGURE = {"stream", "of", "value"}
LISTED = {
    ("point_disambiguation", "usual"): ({"stream", "observed", "value"}, "answer", "complete"),
    ("point_disambiguation", "unresolvable"): (
        {"error", "candidates"},
        "re_clarify",
        "ambiguous_point",
    ),
    ("exact_value", "usual"): ({"stream", "observed", "value"}, "answer", "complete"),
    ("exact_value", "no_such_local_time"): ({"error"}, "re_clarify", "no_such_local_time"),
    ("nearest_value", "usual"): (NEAREST, "answer", "complete"),
    ("nearest_value", "too_far"): (NEAREST, "re_clarify", "nearest_too_far"),
    ("window_mean", "usual"): (FIGURE, "answer", "complete"),
    ("daily_aggregate", "usual"): (FIGURE, "answer", "complete"),
    ("daily_aggregate", "no_data"): ({"error"}, "abstain", "no_observation"),
    ("period_aggregate", "usual"): (FIGURE, "answer", "complete"),
    ("pairwise_comparison", "usual"): (
        {"mean_a", "mean_b", "difference", "higher"},
        "answer",
        "complete",
    ),
    ("ranking", "usual"): ({"ranked", "winner", "value", "margin"}, "answer", "complete"),
}


@pytest.mark.parametrize("kind", LISTED, ids="/".join)
def test_fields_action_and_reason(demo_set: Built, kind: tuple[str, str]) -> None:
    rows = demo_set.of(*kind)
    assert rows
    fields, action, reason = LISTED[kind]
    for row in rows:
        gold = row["gold"]
        assert (set(gold["fields"]), gold["action"], gold["reason"]) == (fields, action, reason)
        assert {one["field"] for one in row["verifier"]} == fields


def test_a_bad_sensor_is_named_by_its_fault(demo_set: Built) -> None:
    for row in demo_set.of("exact_value", "bad_sensor"):
        gold = row["gold"]
        assert set(gold["fields"]) == {"stream", "observed", "value", "flag"}
        assert gold["action"] == "abstain"
        value = {0.0: "dropout", -40.0: "sentinel"}[gold["fields"]["value"]]
        assert gold["reason"] == gold["fields"]["flag"] == value


def test_quality_abstains_with_its_reason_and_answers_otherwise(demo_set: Built) -> None:
    told = set()
    for row in demo_set.of("quality_gate"):
        gold = row["gold"]
        decision, reason = gold["fields"]["decision"], gold["fields"]["reason"]
        assert gold["action"] == ("abstain" if decision == "abstain" else "answer")
        assert gold["reason"] == (reason or "complete")
        assert (reason is None) == (decision == "answer")
        told.add(decision)
    assert {"answer", "abstain"} <= told


def test_numbers_have_the_tolerances_of_the_contract(demo_set: Built) -> None:
    tolerance = {"number": 0.00005, "offset": 0.001}
    for row in demo_set.golds.values():
        for one in row["verifier"]:
            assert one["tolerance"] == tolerance.get(one["kind"])
            stated = row["gold"]["fields"][one["field"]]
            number = isinstance(stated, int | float) and not isinstance(stated, bool)
            assert number == (one["kind"] in tolerance)
