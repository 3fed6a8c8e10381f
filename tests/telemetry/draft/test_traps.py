"""What files hide is handled or told by a remark: nothing is read wrongly without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.telemetry.draft.folders import drafted, streams

HOURS = [f"2024-01-{d:02d} {h:02d}:00" for d in range(1, 11) for h in range(24)]


def table(header: str, *rows: str) -> str:
    return "\n".join([header, *rows]) + "\n"


def hourly(header: str, cells: str = "{n}.5") -> str:
    return table(header, *(f"{t},{cells.format(n=n % 7)}" for n, t in enumerate(HOURS)))


def values(folder: Path, stream: str) -> list[float]:
    return streams(folder)[stream].readings.value.tolist()


def test_decimal_commas_are_numbers(tmp_path: Path) -> None:
    text = table("time;t", *(f"{t};{n % 7},25" for n, t in enumerate(HOURS)))
    _, data, _ = drafted(tmp_path, {"a.csv": text})
    assert (data["source"][0]["decimal"], data["source"][0]["delimiter"]) == (",", ";")
    assert values(tmp_path, "a.t")[:3] == [0.25, 1.25, 2.25]


def test_a_file_of_whole_numbers_goes_with_those_that_have_decimal_commas(tmp_path: Path) -> None:
    text = table("time;t", *(f"{t};{n % 7}" for n, t in enumerate(HOURS)))
    files = {"p1.csv": text, "p2.csv": text.replace(";3\n", ";3,5\n")}
    _, data, _ = drafted(tmp_path, files)
    assert [source["decimal"] for source in data["source"]] == [","]
    assert 3.5 in values(tmp_path, "p2.t")


def test_a_day_above_twelve_tells_day_first_and_month_first(tmp_path: Path) -> None:
    for form, pattern in (("{d}/{m}", "%d/%m/%Y %H:%M"), ("{m}/{d}", "%m/%d/%Y %H:%M")):
        rows = [f"{form.format(d=d, m=1)}/2024 06:00,{d}.5" for d in range(1, 32)]
        folder = tmp_path / pattern[1]
        _, data, remarks = drafted(folder, {"a.csv": table("time,t", *rows)})
        assert data["source"][0]["time"]["form"] == [pattern]
        assert "day or month first" not in remarks


def test_days_that_may_be_months_are_told(tmp_path: Path) -> None:
    rows = [f"{d:02d}/03/2024 06:00,{d}.5" for d in range(1, 13)]
    _, data, remarks = drafted(tmp_path, {"a.csv": table("time,t", *rows)})
    assert data["source"][0]["time"]["form"] == ["%d/%m/%Y %H:%M"]
    assert "every time can be read as %d/%m/%Y and as %m/%d/%Y" in remarks


def test_a_file_that_may_be_either_is_read_as_its_sure_neighbour(tmp_path: Path) -> None:
    sure = [f"01/{d:02d}/2024 06:00,{d}.5" for d in range(1, 32)]
    either = [f"02/{d:02d}/2024 06:00,{d}.5" for d in range(1, 13)]
    files = {"a_1.csv": table("time,t", *sure), "a_2.csv": table("time,t", *either)}
    _, data, remarks = drafted(tmp_path, files)
    assert [s["time"]["form"] for s in data["source"]] == [["%m/%d/%Y %H:%M"]]
    assert "day or month first" not in remarks


def test_empty_and_text_columns_are_left_out_by_name(tmp_path: Path) -> None:
    rows = [f"{t},{n}.5,,operator note {n}" for n, t in enumerate(HOURS)]
    _, data, remarks = drafted(tmp_path, {"a.csv": table("time,t,spare,note", *rows)})
    assert data["source"][0]["ignore"] == ["spare", "note"]
    assert "left out, without a value in any file: 'spare'" in remarks
    assert "neither numbers nor few words: 'note' (such as 'operator note 0')" in remarks
    assert sorted(streams(tmp_path)) == ["a.t"]


def test_a_bom_is_no_part_of_a_name(tmp_path: Path) -> None:
    drafted(tmp_path, {"a.csv": hourly("time,t").encode("utf-8-sig")})
    assert sorted(streams(tmp_path)) == ["a.t"]


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252"])
def test_other_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    _, data, remarks = drafted(tmp_path, {"a.csv": hourly("time,t °C").encode(encoding)})
    assert data["source"][0]["channel"][0]["column"] == "t °C"
    assert ("the bytes are no UTF-8" in remarks) == (encoding == "cp1252")
    assert len(values(tmp_path, "a.t_c")) == len(HOURS)


def test_two_header_rows_are_joined_and_told(tmp_path: Path) -> None:
    _, data, remarks = drafted(tmp_path, {"a.csv": hourly("time,t\n,deg C")})
    assert data["source"][0]["header_rows"] == 2
    assert "2 rows stand above the readings and are joined to names: 'time', 't deg C'" in remarks
    assert len(values(tmp_path, "a.t")) == len(HOURS)


def test_names_that_stand_twice_are_told(tmp_path: Path) -> None:
    _, _, remarks = drafted(tmp_path, {"a.csv": hourly("time,t,t,t_1", "{n}.5,9{n}.5,5{n}.5")})
    assert "names that stand twice in the header" in remarks
    found = streams(tmp_path)
    assert [found[name].readings.value[0] for name in ("a.t", "a.t_1", "a.t_1_1")] == [
        0.5,
        90.5,
        50.5,
    ]


def test_a_column_without_a_name_can_be_the_time(tmp_path: Path) -> None:
    _, _, remarks = drafted(tmp_path, {"a.csv": hourly(",t")})
    assert "a column has no name and is called 'unnamed' here" in remarks
    assert len(values(tmp_path, "a.t")) == len(HOURS)


def test_tokens_among_numbers_are_no_readings_and_unknown_ones_are_told(tmp_path: Path) -> None:
    text = hourly("time,t").replace(",3.5\n", ",n/a\n", 3).replace(",4.5\n", ",stuck?\n", 2)
    _, data, remarks = drafted(tmp_path, {"a.csv": text})
    assert data["source"][0]["missing"] == ["", "n/a", "stuck?"]
    assert "column 't' holds 'stuck?' 2 times among its numbers" in remarks
    assert len(values(tmp_path, "a.t")) == len(HOURS) - 5


def test_words_become_numbers_and_compass_points_degrees(tmp_path: Path) -> None:
    rows = [f"{t},{('on', 'off')[n % 2]},{'NESW'[n % 4]}" for n, t in enumerate(HOURS)]
    _, data, _ = drafted(tmp_path, {"a.csv": table("time,fan,wind", *rows)})
    assert {c["name"]: c["kind"] for c in data["class"]} == {"Fan": "state", "Wind": "angle"}
    found = streams(tmp_path)
    assert found["a.fan"].readings.value[:2].tolist() == [1.0, 0.0]
    assert found["a.wind"].readings.value[:4].tolist() == [0.0, 90.0, 180.0, 270.0]


def test_different_readings_of_one_instant_are_told_and_dropped(tmp_path: Path) -> None:
    text = hourly("time,t") + "2024-01-01 05:00,77.5\n"
    _, data, remarks = drafted(tmp_path, {"a.csv": text})
    assert data["conflicts"] == "drop"
    assert (
        "a.t has 1 instants with two different values, the first at 2024-01-01T05:00:00" in remarks
    )
    assert len(values(tmp_path, "a.t")) == len(HOURS) - 1


def test_files_that_no_source_can_read_are_named_with_the_reason(tmp_path: Path) -> None:
    files = {
        "good.csv": hourly("time,t"),
        "empty.csv": "",
        "headless.csv": "2024-01-01 00:00,5\n2024-01-01 01:00,6\n",
        "ragged.csv": "time,t\n2024-01-01 00:00,5\n2024-01-01 01:00,6,7\n",
        "notes.csv": "who,what\nanna,checked\n",
        "gap.csv": "time,t\n2024-01-01 00:00,5\n,6\n",
        "binary.csv": b"time,t\n\0\0\0\n",
    }
    made, _, remarks = drafted(tmp_path, files)
    reasons = dict(made.left)
    assert sorted(reasons) == sorted(files.keys() - {"good.csv"})
    assert all(f"left out: {name}: {reason}" in remarks for name, reason in reasons.items())
    assert "its row 2 has no time" in reasons["gap.csv"]
    assert "no header" in reasons["headless.csv"]
