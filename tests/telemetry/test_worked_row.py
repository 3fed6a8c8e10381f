"""The published worked row on a synthetic stream that carries it: every gold of every phase."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchwright.suites.telemetry.episode import Made, made
from benchwright.suites.telemetry.families.model import key_of
from benchwright.suites.telemetry.families.select import Chosen
from benchwright.suites.telemetry.rows.row import bench_of
from tests.telemetry.questions import CLASSES, Asked, ask, at

STREAM = "c24589e8_a1f3_4529_b409_5a56761c9d20"
CLASS = "Air_Differential_Pressure_Sensor"
READ_AT = "2022-02-03T07:03:23.640"
STEP, LATE = 600_000, 33_780
"""Ten minutes, and how much later than that one reading comes: 1.0563 intervals in all."""


def series() -> dict[int, float]:
    """Seven weeks of readings every ten minutes; from 5 February on they come a little later."""
    first, late = at("2022-01-10T00:03:23.640"), at("2022-02-05T12:00:00")
    found = {}
    for number in range(7 * 7 * 144):
        t = first + number * STEP
        found[t + (LATE if t >= late else 0)] = round(12 + (number % 89) / 100, 4)
    found[at(READ_AT)] = 12.9457
    return found


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The row, lifted; its instant is revised by probing full minutes."""
    point = {"class": CLASS, "site": "BTS_C", "equipment": "zone 005"}
    asked = ask(
        tmp_path_factory.mktemp("worked"),
        {STREAM: series()},
        ["exact_value"],
        {STREAM: point},
        contract={"timestamp_revision": "minute"},
        **{"class": [*CLASSES, {"name": CLASS, "kind": "instant"}]},
    )
    return made(_chosen(asked), bench_of(asked.store))


def _chosen(asked: Asked) -> Chosen:
    """The question about that week, at the published instant."""
    week = next(c for c in asked.found("exact_value") if c.reach.label == "2022-01-31")
    identity = {**week.identity, "at": at(READ_AT)}
    candidate = replace(week, identity=identity, key=key_of(identity))
    return Chosen(asked.sink("exact_value").kind, "test", candidate)


def test_nothing_speaks_against_it(worked: Made) -> None:
    assert worked.issues == ()
    assert [phase.kind for phase in worked.script.phases] == [
        *("initial_answer", "revise_timestamp", "quality_check"),
        *("reporting_commitment", "evidence"),
    ]


def test_time_is_withheld_and_revealed(worked: Made) -> None:
    withheld = worked.script.withheld
    assert withheld is not None
    assert withheld.slot == "time"
    assert "2022-02-03" in withheld.words
    assert "07:03" not in worked.script.phases[0].text


def test_calls_are_those_of_the_paper(worked: Made) -> None:
    phases = worked.script.phases
    calls = [[(c.operation, c.arguments.get("mode")) for c in p.calls] for p in phases]
    look_up = "lookup_observation"
    assert calls == [
        [("resolve_point", None), (look_up, "exact")],
        [(look_up, "exact"), (look_up, "nearest")],
        [("inspect_quality_window", None)],
        [],
        [],
    ]


def test_first_gold_is_the_exact_value(worked: Made) -> None:
    gold = worked.script.phases[0].gold
    assert (gold.action, gold.reason) == ("answer", "complete")
    assert gold.fields == {"stream": STREAM, "value": 12.9457, "observed": f"{READ_AT}Z"}


def test_the_minute_before_is_asked_about_next(worked: Made) -> None:
    phase = worked.script.phases[1]
    probe, nearest = phase.calls
    assert probe.arguments["timestamp"] == "2022-02-03T07:03:00.000Z"
    assert probe.answer["error"] == "empty"
    assert nearest.answer["acceptable"]
    assert phase.gold.fields == {
        "stream": STREAM,
        "value": 12.9457,
        "observed": f"{READ_AT}Z",
        "offset_s": 23.64,
    }


def test_quality_of_the_week(worked: Made) -> None:
    phase = worked.script.phases[2]
    assert phase.calls[0].arguments["start"] == "2022-01-31T00:00:00.000Z"
    assert phase.calls[0].arguments["end"] == "2022-02-07T00:00:00.000Z"
    fields = phase.gold.fields
    assert fields["coverage"] == 1.0
    assert round(fields["gap_ratio"], 4) == 1.0563
    assert (fields["decision"], fields["quality_reason"]) == ("answer", None)


def test_it_is_reported_with_its_stream(worked: Made) -> None:
    commitment, evidence = worked.script.phases[3:]
    assert (commitment.gold.action, commitment.gold.reason) == ("answer", "nearest_but_acceptable")
    assert evidence.gold.fields == {"streams": [STREAM]}
