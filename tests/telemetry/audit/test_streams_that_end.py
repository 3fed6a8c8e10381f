"""Streams that end midway or begin late: builder and audit take margins of the same periods."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from benchwright.suites.telemetry.audit import audit
from benchwright.suites.telemetry.corpus.load import Corpus
from tests.telemetry.corpora import channel, wide, written
from tests.telemetry.sets import Built, build_into

MONDAY = datetime(2023, 1, 2)
SPANS = {"ends midway": (MONDAY, 119), "begins late": (datetime(2023, 4, 1), 153)}
"""First day and days of the third pump; the others have 242 days, to the end of August."""


def history(start: datetime, days: int, level: float, seed: int) -> str:
    draw = random.Random(seed)
    times = [start + timedelta(hours=hour) for hour in range(24 * days)]
    return "time,p\n" + "".join(f"{at},{level + draw.random():.2f}\n" for at in times)


def pumps(folder: Path, third: str, family: str, held: dict[str, Any]) -> Corpus:
    """Three pumps in a file each, one of which is there for a part of the time only."""
    spans = [(MONDAY, 242), (MONDAY, 242), SPANS[third]]
    files = {f"{n}.csv": history(*span, 4 + n / 20, n) for n, span in enumerate(spans)}
    source = wide(
        pattern=r"(?P<unit>\d)\.csv$",
        channel=[channel("p", "{unit}.p", equipment="pump {unit}")],
        regimes=[{"step_s": 3600}],
    )
    families = [
        {"name": name, "held_out": "kept", "quota": dict.fromkeys(SPLITS, rows)}
        for name, rows in ((family, 20), ("quality_gate", 1))
    ]
    rules = {"held_out": {"kept": held}, "family": families}
    return written(folder, files, source, zone="UTC", contract=rules)


SPLITS = ("train", "dev", "test")
WINDOWS = {"windows": [["2023-07-10", "2023-09-02"]]}
PUMP = {"field": "equipment", "values": ["pump 1"]}


def counted(built: Built, period: str) -> list[int]:
    """Of how many margins every threshold of a site was taken."""
    every = json.loads(built.shared("margins.json"))["thresholds"]
    scopes = [(json.loads(t["scope"]), t["count"]) for t in every]
    return [count for said, count in scopes if (said["period"], said["site"]) == (period, "S")]


@pytest.mark.parametrize("held", [WINDOWS, PUMP], ids=["late weeks held out", "a pump held out"])
@pytest.mark.parametrize("family", ["ranking", "pairwise_comparison"])
@pytest.mark.parametrize("third", sorted(SPANS))
def test_builder_and_audit_agree_where_a_stream_is_there_for_a_while(
    third: str, family: str, held: dict[str, Any], tmp_path: Path
) -> None:
    built = build_into(pumps(tmp_path / "data", third, family, held), tmp_path / "set")
    assert built.golds
    assert list(audit(built.path, tmp_path / "data", turns=True).findings) == []


@pytest.mark.parametrize(("third", "months"), [("ends midway", 4), ("begins late", 3)])
def test_a_whole_group_gives_margins_of_months_in_which_all_three_pumps_have_readings(
    third: str, months: int, tmp_path: Path
) -> None:
    built = build_into(pumps(tmp_path / "data", third, "ranking", WINDOWS), tmp_path / "set")
    assert counted(built, "month") == [months]


@pytest.mark.parametrize("third", sorted(SPANS))
def test_what_is_left_of_a_group_gives_margins_of_months_in_which_two_pumps_have_readings(
    third: str, tmp_path: Path
) -> None:
    built = build_into(pumps(tmp_path / "data", third, "ranking", PUMP), tmp_path / "set")
    first, days = SPANS[third]
    assert counted(built, "month") == [len({(first + timedelta(d)).month for d in range(days)})]
