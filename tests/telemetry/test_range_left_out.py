"""`left_out` may name `range`: readings out of range are faults then, and readings else."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from benchwright.suites.telemetry.audit import audit
from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.operations import Refusal, operations
from benchwright.tasks.session import answered
from tests.telemetry.corpora import channel, wide, written
from tests.telemetry.sets import Built, build_into

FAMILIES = (
    *("point_disambiguation", "exact_value", "nearest_value", "quality_gate", "window_mean"),
    *("daily_aggregate", "period_aggregate", "pairwise_comparison", "ranking"),
)
MONDAY = datetime(2024, 1, 1)
RULES = {
    **{"name": "Temperature", "kind": "instant", "unit": "K", "range": [1.0, 60.0]},
    **{"sentinels": [-999.0], "zero": "dropout", "frozen_hours": 24.0},
}


def value(column: int, hour: int) -> float:
    """Around 20; 0 is a drop-out, -999 a sentinel, 400 and 61 are out of range."""
    if column == 1 and 24 * 30 <= hour < 24 * 32:
        return 61.0 + hour % 2
    for every, odd in ((97, 400.0), (131, 0.0), (149, -999.0)):
        if hour % every == 7 * column + 5:
            return odd
    return 20 + column + hour % 24 / 10


def corpus(folder: Path, *left_out: str) -> Corpus:
    """Three streams of eleven weeks; on two days of one of them all is out of range."""
    lines = [
        ",".join([f"{MONDAY + timedelta(hours=h)}", *(f"{value(c, h)}" for c in range(3))])
        for h in range(24 * 77)
    ]
    channels = [channel(name, equipment=f"unit {name}", site="hall") for name in "abc"]
    held = {"late": {"windows": [["2024-03-04", "2024-03-20"]]}}
    rules: dict[str, Any] = {
        "held_out": held,
        "family": [
            {"name": name, "held_out": "late", "quota": {"train": 6, "dev": 2, "test": 2}}
            for name in FAMILIES
        ],
    }
    if left_out:
        rules["left_out"] = list(left_out)
    text = "time,a,b,c\n" + "\n".join(lines) + "\n"
    source = wide(channel=channels, regimes=[{"step_s": 3600}])
    classes = {"class": [RULES]}
    return written(folder, {"x.csv": text}, source, zone="UTC", contract=rules, **classes)


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder: Path = tmp_path_factory.mktemp("without")
    return build_into(corpus(folder / "data", "dropout", "sentinel", "range"), folder / "set")


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder: Path = tmp_path_factory.mktemp("usual")
    return build_into(corpus(folder / "data"), folder / "set")


def ask(built: Built, name: str, **said: object) -> Any:
    (operation,) = (one for one in operations(built.store) if one.name == name)
    return answered(operation, said)


def day(date: str, stream: str = "a") -> dict[str, str]:
    return {"stream_id": stream, "period": "day", "date": date}


def test_a_mean_is_of_readings_in_range_and_flags_count_the_others(
    without: Built, usual: Built
) -> None:
    # Hour 102 of a (97 + 5) is 400: the sixth hour of 2024-01-05.
    found, whole = (ask(b, "aggregate_period", **day("2024-01-05")) for b in (without, usual))
    assert (found.count, found.greatest) == (23, 22.3)
    assert found.flags == {"range": 1, "left_out": 1}
    assert (whole.count, whole.greatest, whole.flags) == (24, 400.0, {})
    assert found.coverage == whole.coverage == 1.0


def test_drop_outs_and_sentinels_out_of_range_keep_their_names(without: Built) -> None:
    found = ask(without, "aggregate_period", **day("2024-01-01"))
    # Hour 5 fits all three rules of a; the first makes it 400.
    assert found.flags == {"range": 1, "left_out": 1}
    hours = {131 + 5: "dropout", 149 + 5: "sentinel", 97 + 5: "range"}
    for hour, flag in hours.items():
        at = f"{(MONDAY + timedelta(hours=hour)).isoformat()}Z"
        found = ask(without, "lookup_observation", stream_id="a", timestamp=at, mode="exact")
        assert found.flags == {flag: 1}


def test_a_window_of_nothing_else_is_refused_and_no_stream_of_a_ranking(
    without: Built, usual: Built
) -> None:
    found = ask(without, "aggregate_period", **day("2024-01-31", "b"))
    assert isinstance(found, Refusal) and found.error == "empty"
    said = {"start": "2024-01-31T00:00:00Z", "end": "2024-02-01T00:00:00Z"}
    names = {"site": "hall", "point_class": "Temperature"}
    ranked = ask(without, "rank_window", **names, **said)
    assert ranked.without_data == ("b",)
    assert ask(usual, "rank_window", **names, **said).ranked[0].stream_id == "b"


def test_the_quality_of_a_window_is_the_same(without: Built, usual: Built) -> None:
    said = {"stream_id": "a", "start": "2024-01-01T00:00:00Z", "end": "2024-01-08T00:00:00Z"}
    found, whole = (ask(b, "inspect_quality_window", **said) for b in (without, usual))
    assert (found.decision, found.spikes) == (whole.decision, whole.spikes) == ("abstain", 2)


def test_golds_of_bad_sensors_name_the_range_and_others_read_nothing_out_of_it(
    without: Built, usual: Built
) -> None:
    reasons = {g["gold"]["reason"] for g in without.of("exact_value", "bad_sensor")}
    assert "range" in reasons
    assert "range" not in {g["gold"]["reason"] for g in usual.of("exact_value", "bad_sensor")}
    values = [g["gold"]["fields"]["value"] for g in without.of("exact_value")]
    assert values and max(values) <= 60.0


@pytest.mark.parametrize("left_out", [("range",), ("dropout", "sentinel", "range"), ()])
def test_the_audit_finds_the_same_from_the_raw_files(
    left_out: tuple[str, ...], tmp_path: Path
) -> None:
    built = build_into(corpus(tmp_path / "data", *left_out), tmp_path / "set")
    assert {g["identity"]["family"] for g in built.golds.values()} >= {"exact_value", "ranking"}
    assert list(audit(built.path, tmp_path / "data", turns=True).findings) == []
