"""Kinds, sentinels, steps, names of files and forms of time, from planted columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright.suites.telemetry.drafting.channels import guess
from benchwright.suites.telemetry.drafting.naming import naming_of
from tests.telemetry.draft.folders import drafted, streams

NOISE = np.random.default_rng(4).normal(20.0, 1.0, 500).round(2)
RISING = np.cumsum(np.abs(NOISE))


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("t", NOISE, "instant"),
        ("meter", RISING, "cumulative"),
        ("mode", np.tile([0.0, 1.0, 3.0], 100), "state"),
        ("wind_dir", np.tile([0.0, 90.0, 355.5], 100), "angle"),
        ("speed", np.tile([0.0, 90.0, 355.5], 100), "instant"),
        ("flat", np.full(300, 7.0), "instant"),
    ],
)
def test_kinds(name: str, values: Any, kind: str) -> None:
    assert guess(name, [values]).kind == kind


def test_a_counter_that_drops_to_zero_and_comes_back_is_a_counter_with_drop_outs() -> None:
    values = RISING.copy()
    values[[100, 101, 300]] = 0.0
    found = guess("meter", [values])
    assert (found.kind, found.zero) == ("cumulative", True)


def test_a_meter_of_several_things_is_judged_thing_by_thing() -> None:
    assert guess("meter", [RISING + 1e6, RISING]).kind == "cumulative"


def test_constant_extremes_that_repeat_are_sentinels_and_do_not_hide_the_kind() -> None:
    values = RISING.copy()
    values[[5, 50, 400]] = -999.0
    found = guess("meter", [values])
    assert (found.kind, [s[:2] for s in found.sentinels]) == ("cumulative", [(-999.0, 3)])
    assert guess("t", [np.append(NOISE, [850.0])]).sentinels == ()
    assert guess("t", [NOISE]).sentinels == ()


def rows(steps: list[tuple[str, int, int]]) -> str:
    lines = ["time,t"]
    for start, step, count in steps:
        times = np.datetime64(start, "s") + np.arange(count) * step
        lines += [f"{t},{n % 9}.5" for n, t in enumerate(times)]
    return "\n".join(lines) + "\n"


def test_a_lasting_change_of_the_step_is_a_regime_with_its_start(tmp_path: Path) -> None:
    text = rows(
        [("2024-01-01T00:00:00", 3600, 24 * 20 + 5), ("2024-01-21T05:00:00", 600, 144 * 20)]
    )
    _, data, _ = drafted(tmp_path, {"a.csv": text})
    assert data["source"][0]["regimes"] == [
        {"step_s": 3600},
        {"start": "2024-01-21T05:00:00", "step_s": 600},
    ]


def test_a_gap_and_one_odd_day_are_no_change(tmp_path: Path) -> None:
    text = rows([
        ("2024-01-01T00:00:00", 600, 144 * 10),
        ("2024-01-15T00:00:00", 60, 1440),
        ("2024-01-16T00:00:00", 600, 144 * 10),
    ])  # fmt: skip
    _, data, _ = drafted(tmp_path, {"a.csv": text})
    assert data["source"][0]["regimes"] == [{"step_s": 600}]


def test_a_file_with_a_step_of_its_own_is_named(tmp_path: Path) -> None:
    slow, fast = ("2024-01-01T00:00:00", 3600, 720), ("2024-01-01T00:00:00", 60, 2000)
    files = {"p_a.csv": rows([slow]), "p_b.csv": rows([fast])}
    _, _, remarks = drafted(tmp_path, files)
    assert "'p_a.csv: 3600 s'" in remarks


def days(*pairs: tuple[str, str, str]) -> dict[str, Any]:
    from datetime import date

    return {p: (date.fromisoformat(a), date.fromisoformat(b)) for p, a, b in pairs}


def test_digits_are_dates_only_where_the_readings_say_so() -> None:
    year = ("2024-01-01", "2024-12-31")
    dated = naming_of(days(("p1_2023.csv", "2023-01-01", "2023-12-31"), ("p1_2024.csv", *year)))
    assert (dated.pattern, dated.equipment) == (None, "p1")
    machines = naming_of(days(("press_2023.csv", *year), ("press_2024.csv", *year)))
    assert machines.equipment == "press_{unit}"
    months = naming_of(days(
        ("hall3/p1-2024-01.csv", "2024-01-01", "2024-01-31"),
        ("hall3/p1-2024-02.csv", "2024-02-01", "2024-02-29"),
        ("hall4/p1-2024-01.csv", "2024-01-01", "2024-01-31"),
    ))  # fmt: skip
    assert months.equipment == "hall{unit}/p1"
    assert months.of("hall4/p1-2024-01.csv") == "hall4/p1"


QUARTERS = [
    ("2023-01-01", "2023-03-31"),
    ("2023-04-01", "2023-06-30"),
    ("2023-07-01", "2023-09-30"),
]


@pytest.mark.parametrize(
    ("name", "thing"),
    [
        ("log_{}Q{}.csv", "log"),
        ("{}q{}.csv", "unit"),
        ("hall {}-Q{} raw.csv", "hall raw"),
        ("{}_Q{}/pump.csv", "pump"),
    ],
)
def test_quarters_are_dates_where_the_readings_say_so(name: str, thing: str) -> None:
    files = [(name.format(2023, n), *span) for n, span in enumerate(QUARTERS, 1)]
    dated = naming_of(days(*files))
    assert (dated.pattern, dated.equipment) == (None, thing)
    assert naming_of(days(files[0])).equipment == thing
    lines = naming_of(days(*((path, *QUARTERS[0]) for path, *_ in files)))
    assert lines.pattern is not None and "{unit}" in lines.equipment


def test_names_without_a_common_build_stand_for_themselves(tmp_path: Path) -> None:
    text = rows([("2024-01-01T00:00:00", 600, 500)])
    _, data, remarks = drafted(
        tmp_path, {"boiler.csv": text, "north wing 7.csv": text + "2024-02-01T00:00:00,1.5\n"}
    )
    assert len(data["source"]) == 1
    assert "no common build" in remarks
    assert sorted(streams(tmp_path)) == ["boiler.t", "north wing 7.t"]


FORMS = {
    "offset": ("2024-01-01T{h:02d}:00:00+02:00", -2),
    "zulu": ("2024-01-01T{h:02d}:00:00.250Z", 0),
    "am": ("01/31/24 {i}:00 {p}M", 0),
    "two": ("31.01.2024,{h:02d}:00", 0),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_time(tmp_path: Path, form: str) -> None:
    pattern, shift = FORMS[form]
    lines = [
        pattern.format(h=h, i=h % 12 or 12, p="AP"[h // 12]) + f",{h}.5" for h in range(24)
    ]  # fmt: skip
    header = "day,clock,t" if form == "two" else "time,t"
    drafted(tmp_path, {"a.csv": "\n".join([header, *lines])})
    (stream,) = streams(tmp_path).values()
    hours = (stream.readings.ts // 3_600_000 % 24).tolist()
    assert hours == [(h + shift) % 24 for h in range(24)]


@pytest.mark.parametrize(("unit", "form"), [(1, "unix_s"), (1000, "unix_ms")])
def test_seconds_since_1970(tmp_path: Path, unit: int, form: str) -> None:
    lines = ["t,x", *(f"{(1704067200 + 600 * n) * unit},{n}.5" for n in range(50))]
    _, data, _ = drafted(tmp_path, {"a.csv": "\n".join(lines)})
    assert data["source"][0]["time"]["form"] == form
    assert streams(tmp_path)["a.x"].readings.ts[1] == 1704067800_000


def test_a_zone_is_proposed_where_an_hour_stands_twice_and_nowhere_else(tmp_path: Path) -> None:
    clock = [*range(0, 3), *range(2, 24)]
    text = "time,t\n" + "".join(
        f"2024-11-03 {h - 1:02d}:30,{n}.5\n" for n, h in enumerate(clock) if h
    )
    _, data, remarks = drafted(tmp_path / "a", {"a.csv": text})
    assert data["zone"] == "America/New_York"
    assert "stand twice, as on clocks of the east of North America" in remarks
    _, data, remarks = drafted(tmp_path / "b", {"b.csv": "time,t\n2024-11-03 00:30,1.5\n"})
    assert data["zone"] == "UTC"
    assert "nothing in the files tells the zone" in remarks
