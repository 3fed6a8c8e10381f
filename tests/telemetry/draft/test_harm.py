"""What a newcomer stumbled over: copies, exchanged meters, faults in stretches, still sensors."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.load import load_corpus
from benchwright.suites.telemetry.corpus.zones import to_utc, zone
from benchwright.suites.telemetry.drafting.channels import guess
from benchwright.suites.telemetry.drafting.groups import Floats
from tests.telemetry.draft.folders import drafted, streams

AT = np.datetime64("2024-01-01T00:00:00") + np.arange(1500) * np.timedelta64(600, "s")
WAVE = (np.sin(np.arange(1500) / 20) * 40 + 60 + np.arange(1500) % 7 / 10).round(1)
RISING = np.cumsum(1 + np.arange(1500) % 5).astype(float)


def text(values: Floats, header: str = "time,x", start: int = 0) -> str:
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


def trend(tmp_path: Path) -> tuple[dict[str, Any], str]:
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


def test_units_of_a_header_row_stand_at_the_channels_and_in_no_name(tmp_path: Path) -> None:
    said = text(WAVE, "time,TT1 mash\n,°C")
    _, data, remarks = drafted(tmp_path, {"a.csv": said})
    (channel,) = data["source"][0]["channel"]
    assert (channel["column"], channel["unit"]) == ("TT1 mash °C", "°C")
    assert (channel["class"], channel["stream"]) == ("Tt1_Mash", "a.tt1_mash")
    assert "unit: only you know it" not in remarks
    _, data, remarks = drafted(tmp_path / "other", {"a.csv": text(WAVE, "time,tank\n,north hall")})
    assert data["source"][0]["channel"][0]["stream"] == "a.tank_north_hall"
    assert "unit: only you know it" in remarks


def test_offsets_tell_a_zone_where_they_change(tmp_path: Path) -> None:
    at = np.datetime64("2024-03-20T00:00") + np.arange(1500) * np.timedelta64(900, "s")
    summer = at >= np.datetime64("2024-03-31T03:00")
    shown = [f"{t}{'+02:00' if s else '+01:00'}" for t, s in zip(at, summer, strict=True)]
    rows = [f"{t},{v}" for t, v in zip(shown, WAVE, strict=True)]
    _, data, remarks = drafted(tmp_path / "a", {"a.csv": "\n".join(["time,x", *rows])})
    assert data["zone"] == "Europe/Berlin"
    assert "offsets of times change as those of Central Europe do" in remarks
    _, data, remarks = drafted(tmp_path / "b", {"a.csv": "\n".join(["time,x", *rows[:900]])})
    assert data["zone"] == "UTC"
    assert "times say which instants they are, but not whose days are meant" in remarks


def test_how_points_are_wired_is_no_class(tmp_path: Path) -> None:
    rows = [f"{t}Z,R{r}_{n},{v}" for t, v in zip(AT, WAVE, strict=True) for r in "12" for n in "TC"]
    points = ["id,type,unit", *(f"R{r}_{n},AI,{n}" for r in "12" for n in "TC")]
    files = {"t.csv": "\n".join(["at,id,value", *rows]), "points.csv": "\n".join(points)}
    _, data, remarks = drafted(tmp_path, files)
    assert [one["name"] for one in data["class"]] == ["R_C", "R_T"]
    assert "unit: only you know it" not in remarks


def test_conflicts_of_all_streams_are_counted(tmp_path: Path) -> None:
    twice = "".join(f"{AT[n]},-1.5,-2.5\n" for n in (7, 5))
    rows = "".join(f"{t},{v},{v + 1:.1f}\n" for t, v in zip(AT, WAVE, strict=True))
    _, _, remarks = drafted(tmp_path, {"a.csv": "time,x,y\n" + rows + twice})
    assert "2 streams have 4 instants with two different values, the first a.x" in remarks


@pytest.mark.parametrize(
    ("repeated", "said"),
    [
        ("refuse", "shows this time twice: '2024-10-27T02:00:00.000' .*row 3.*the zone is wrong"),
        ("file_order", "no order: '2024-10-27T01:00:00.000' .*row 5.*the zone is wrong"),
    ],
)
def test_a_wrong_zone_is_suspected_first(repeated: str, said: str) -> None:
    hours = np.array([0, 1, 2, 3, 1, 4]) * 3_600_000
    local = np.datetime64("2024-10-27", "ms").astype(np.int64) + hours
    with pytest.raises(SpecError) as caught:
        to_utc(local, zone("Europe/Berlin"), repeated, "refuse", "a.csv")
    assert re.search(said, str(caught.value))


def test_words_and_flags_are_for_long_sources(tmp_path: Path) -> None:
    made, _, _ = drafted(tmp_path, {"a.csv": text(WAVE)})
    said = made.text.replace('form = "wide_csv"', 'form = "wide_csv"\nwords = { on = 1.0 }')
    made.out.write_text(said)
    with pytest.raises(SpecError, match="key is for long sources: 'words'"):
        load_corpus(made.out)


def test_a_word_without_a_number_is_named(tmp_path: Path) -> None:
    trend(tmp_path)
    out = tmp_path / "corpus.toml"
    out.write_text(out.read_text().replace('"frei" = 0.0, ', ""))
    with pytest.raises(SpecError, match="word has no number: 'frei'"):
        streams(tmp_path)
