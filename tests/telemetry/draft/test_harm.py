"""What a newcomer stumbled over: copies, exchanged meters, faults in stretches, still sensors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchwright.suites.telemetry.drafting.channels import guess
from tests.telemetry.draft.folders import drafted, streams

AT = np.datetime64("2024-01-01T00:00:00") + np.arange(1500) * np.timedelta64(600, "s")
WAVE = (np.sin(np.arange(1500) / 20) * 40 + 60 + np.arange(1500) % 7 / 10).round(1)
RISING = np.cumsum(1 + np.arange(1500) % 5).astype(float)


def text(values: np.ndarray, header: str = "time,x", start: int = 0) -> str:
    cells = zip(AT[start:], values[start:], strict=True)
    return "\n".join([header, *(f"{at},{value}" for at, value in cells)]) + "\n"


def test_a_copy_is_told_by_name_and_changes_no_grouping(tmp_path: Path) -> None:
    months = {f"line_{n}.csv": text(WAVE + n) for n in (1, 2, 3)}
    made, data, remarks = drafted(tmp_path, {**months, "Copy of export.csv": months["line_2.csv"]})
    assert "left out: Copy of export.csv: it is a copy of line_2.csv, byte for byte" in remarks
    assert dict(made.left).keys() == {"Copy of export.csv"}
    assert list(data["source"][0]["files"]) == ["line_1.csv", "line_2.csv", "line_3.csv"]
    assert sorted(streams(tmp_path)) == ["line_1.x", "line_2.x", "line_3.x"]


def test_an_exchanged_meter_is_a_counter_and_its_fall_is_told_with_its_place(
    tmp_path: Path,
) -> None:
    values = RISING.copy()
    values[800:] -= values[800] - 0.5
    values[[100, 300, 301, 1200]] = 0.0
    _, data, remarks = drafted(tmp_path, {"m.csv": text(values)})
    (one,) = data["class"]
    assert (one["kind"], one["zero"]) == ("cumulative", "dropout")
    assert f"m.x falls from {values[799]:g} to 0.5 in m.csv row 801 (2024-01-06T13:20:00 UTC)" in (
        remarks
    )


def test_a_counter_that_begins_again_each_day_is_none() -> None:
    assert guess("bottles", [np.tile(RISING[:144], 10)]).kind == "instant"


def test_a_fault_value_in_several_stretches_is_a_sentinel(tmp_path: Path) -> None:
    values = WAVE.copy()
    for start, count in ((100, 68), (500, 25), (900, 110)):
        values[start : start + count] = -99.9
    _, data, remarks = drafted(tmp_path, {"k.csv": text(values)})
    assert data["class"][0]["sentinels"] == [-99.9]
    assert "-99.9 stands 203 times" in remarks


def test_a_stretch_of_equal_readings_beyond_a_day_is_told_with_their_number(
    tmp_path: Path,
) -> None:
    values = WAVE.copy()
    values[400:700] = 19.25
    _, _, remarks = drafted(tmp_path, {"f.csv": text(values)})
    assert "f.x reads 19.25 in 300 readings in succession, from 2024-01-03T18:40:00" in remarks
    _, _, remarks = drafted(tmp_path / "other", {"f.csv": text(WAVE)})
    assert "in succession" not in remarks


def trend(tmp_path: Path) -> tuple[dict, str]:
    lines = ["id,at,value,quality"]
    for place, at in enumerate(AT):
        bad = place in (10, 20, 30)
        lines.append(f"r1.temp,{at}Z,{5000 if bad else WAVE[place]},{'BAD' if bad else 'GOOD'}")
        lines.append(f"r1.occ,{at}Z,{place % 2},{'UNCERTAIN' if place == 5 else 'GOOD'}")
        lines.append(f"r2.temp,{at}Z,{WAVE[place] + 1:.1f},GOOD")
        lines.append(f"r2.co2,{at}Z,{400 + place},GOOD")
        if place % 4 == 0:
            lines.append(f"r2.occ,{at}Z,{('frei', 'belegt')[place % 8 == 0]},GOOD")
    _, data, remarks = drafted(tmp_path, {"trend.csv": "\n".join(lines) + "\n"})
    return data, remarks


def test_words_and_flags_of_a_long_file_are_proposed_and_read(tmp_path: Path) -> None:
    data, remarks = trend(tmp_path)
    (source,) = data["source"]
    assert source["words"] == {"frei": 0.0, "belegt": 1.0}
    assert source["keep"] == {"column": "quality", "values": ["GOOD", "UNCERTAIN"]}
    assert "'quality' holds 'BAD' 3 times, 'GOOD' 6371 times, 'UNCERTAIN' 1 times" in remarks
    found = streams(tmp_path)
    assert found["r2.occ"].readings.value[:3].tolist() == [1.0, 0.0, 1.0]
    assert len(found["r1.occ"].readings) == 1500
    temp = found["r1.temp"]
    assert (len(temp.readings), temp.missing, temp.readings.value.max() < 5000) == (1497, 3, True)
