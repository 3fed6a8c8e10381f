"""What a row-oriented adapter must survive, each with a value that would betray a mistake."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.adapter import Adapter
from benchwright.suites.telemetry.corpus.load import load_corpus
from benchwright.suites.telemetry.corpus.readings import ADJUSTED, DROPOUT
from tests.telemetry.corpora import channel, make, read, times, wide

DAY = "time,t\n" + "".join(f"2024-01-01 {h:02d}:00:00,{h}.5\n" for h in range(24))


def same(one: Any, other: Any) -> bool:
    a, b = one.readings, other.readings
    return bool(
        np.array_equal(a.ts, b.ts)
        and np.array_equal(a.value, b.value)
        and np.array_equal(a.marks, b.marks)
    )


def test_every_reading_knows_file_row_and_column(tmp_path: Path) -> None:
    files = {"a.csv": "time,x,t\n2024-01-01 01:00,9,1\n2024-01-01 00:00,9,2\n"}
    corpus = make(tmp_path, files, wide(ignore=["x"]))
    (stream,) = read(corpus, tmp_path).values()
    r = stream.readings
    assert list(zip(r.value, r.file, r.row, r.column, strict=True)) == [(2, 0, 2, 2), (1, 0, 1, 2)]
    lines = files["a.csv"].splitlines()
    assert [float(lines[row].split(",")[2]) for row in r.row] == r.value.tolist()


def test_rows_in_any_order_give_the_same_stream(tmp_path: Path) -> None:
    head, *rows = DAY.splitlines(keepends=True)
    random.Random(3).shuffle(rows)
    plain = read(make(tmp_path, {"a.csv": DAY}, wide()), tmp_path)["t"]
    mixed = read(make(tmp_path, {"b.csv": head + "".join(rows)}, wide()), tmp_path)["t"]
    assert same(plain, mixed)


def test_a_file_cut_in_two_gives_the_same_stream(tmp_path: Path) -> None:
    head, *rows = DAY.splitlines(keepends=True)
    parts = {"b.csv": head + "".join(rows[15:]), "a.csv": head + "".join(rows[:15])}
    whole = read(make(tmp_path, {"w.csv": DAY}, wide()), tmp_path)["t"]
    assert same(whole, read(make(tmp_path, parts, wide()), tmp_path)["t"])


def test_a_doubled_file_adds_nothing(tmp_path: Path) -> None:
    twice = DAY + DAY.removeprefix("time,t\n")
    once = read(make(tmp_path, {"w.csv": DAY}, wide()), tmp_path)["t"]
    doubled = read(make(tmp_path, {"d.csv": twice}, wide()), tmp_path)["t"]
    assert same(once, doubled)
    assert doubled.repeats == 24


def test_two_different_readings_of_one_instant_name_both_cells(tmp_path: Path) -> None:
    files = {"a.csv": DAY, "b.csv": "time,t\n2024-01-01 03:00:00,3.6\n"}
    with pytest.raises(SpecError, match=r"3\.5 in a\.csv row 4 column 1 and 3\.6 in b\.csv row 1"):
        read(make(tmp_path, files, wide()), tmp_path)


def test_a_site_wide_column_in_many_files_is_one_stream_when_values_agree(tmp_path: Path) -> None:
    files = {
        "L1.csv": "time,t,wind\n2024-01-01 00:00,1,5.25\n2024-01-01 01:00,2,\n",
        "L2.csv": "time,t,wind\n2024-01-01 00:00,3,5.25\n2024-01-01 01:00,4,6\n",
    }
    unit = channel("t", "{unit}.t", equipment="{unit}")
    source = wide(pattern=r"(?P<unit>L\d)\.csv$", channel=[unit, channel("wind")])
    found = read(make(tmp_path, files, source), tmp_path)
    assert sorted(found) == ["L1.t", "L2.t", "wind"]
    assert found["wind"].readings.value.tolist() == [5.25, 6.0]
    assert found["wind"].repeats == 1


def test_columns_that_name_entities_become_streams_of_them(tmp_path: Path) -> None:
    files = {"a.csv": "time,temp_37_12,temp_37_2\n2024-01-01 00:00,21,22\n"}
    rule = channel(
        "x", "flat-{b}-{f}", match=r"temp_(?P<b>\d+)_(?P<f>\d+)", location="flat {b}-{f}"
    )
    del rule["column"]
    found = read(make(tmp_path, files, wide(channel=[rule])), tmp_path)
    assert {s: r.readings.value[0] for s, r in found.items()} == {"flat-37-12": 21, "flat-37-2": 22}


def test_near_duplicate_names_stay_apart(tmp_path: Path) -> None:
    files = {"a.csv": "time,temp,temp_1,temp_2\n2024-01-01 00:00,9,1,20\n"}
    rules = [channel("temp", "high"), channel("temp_1", "low"), channel("temp_2", "indoor")]
    found = read(make(tmp_path, files, wide(channel=rules)), tmp_path)
    assert {s: r.readings.value[0] for s, r in found.items()} == {"high": 9, "low": 1, "indoor": 20}


def test_a_column_that_is_not_declared_is_refused_with_the_nearest(tmp_path: Path) -> None:
    corpus = make(tmp_path, {"a.csv": "time,tt\n2024-01-01 00:00,1\n"}, wide())
    with pytest.raises(SpecError, match=r"neither a channel nor ignored: 'tt'.*mean t"):
        read(corpus, tmp_path)


def test_a_declared_column_that_is_absent_is_refused(tmp_path: Path) -> None:
    corpus = make(tmp_path, {"a.csv": "time,x\n2024-01-01 00:00,1\n"}, wide(ignore=["x"]))
    with pytest.raises(SpecError, match="file lacks a declared column"):
        read(corpus, tmp_path)


def test_missing_tokens_are_no_readings_and_other_text_is_refused(tmp_path: Path) -> None:
    text = "time,t\n2024-01-01 00:00,1\n2024-01-01 01:00,---\n2024-01-01 02:00,nan\n"
    stream = read(make(tmp_path, {"a.csv": text}, wide(missing=["", "---"])), tmp_path)["t"]
    assert (len(stream.readings), stream.missing, stream.infinite) == (1, 2, 1)
    with pytest.raises(SpecError, match="---"):
        read(make(tmp_path, {"b.csv": text}, wide()), tmp_path)


def test_a_stream_that_starts_later_is_not_missing_before(tmp_path: Path) -> None:
    text = "time,t\n2024-01-01 00:00,\n2024-01-01 01:00,5\n2024-01-01 02:00,\n"
    stream = read(make(tmp_path, {"a.csv": text}, wide()), tmp_path)["t"]
    assert (stream.early, stream.missing) == (1, 1)


def test_zeros_of_a_whole_device_are_drop_outs_and_a_lone_zero_is_a_value(tmp_path: Path) -> None:
    text = "time,a,b,c\n2024-01-01 00:00,0,4,7\n2024-01-01 01:00,0,0,7\n2024-01-01 02:00,1,1,0\n"
    rules = [
        channel("a", device="controller"),
        channel("b", device="controller"),
        channel("c", device="meter"),
    ]
    kinds = [{"name": "Temperature", "kind": "instant", "zero": "device"}]
    found = read(make(tmp_path, {"a.csv": text}, wide(channel=rules), **{"class": kinds}), tmp_path)
    marks = {s: (r.readings.marks & DROPOUT).tolist() for s, r in found.items()}
    assert marks == {"a": [0, DROPOUT, 0], "b": [0, DROPOUT, 0], "c": [0, 0, 0]}


def test_zeros_of_a_counter_after_its_start_are_drop_outs(tmp_path: Path) -> None:
    cells = [0, 0, 3, 0, 4]
    text = "time,e\n" + "".join(f"2024-01-01 0{h}:00,{v}\n" for h, v in enumerate(cells))
    rule = channel("e", **{"class": "Energy"})
    stream = read(make(tmp_path, {"a.csv": text}, wide(channel=[rule])), tmp_path)["e"]
    assert stream.readings.marks.tolist() == [0, 0, 0, DROPOUT, 0]


def test_two_header_rows_half_days_months_first_words_and_names_in_quotes(tmp_path: Path) -> None:
    text = (
        ",,Temp,Hi,Hi,Wind,Place\n"
        "Date,Time,Out,Temp,Temp,Dir,Name\n"
        '1/12/25,3:50 p,2.5,3.5,9,NNE,"Niš, roof"\n'
        '1/12/25,12:05 a,---,3.5,9,---,"Niš, roof"\n'
    )
    source = wide(
        time={"column": ["Date", "Time"], "form": ["%m/%d/%y %I:%M %p"], "zone": "UTC"},
        header_rows=2,
        missing=["---"],
        ignore=["Place Name", "Hi Temp"],
        channel=[
            channel("Temp Out", "out"),
            channel("Hi Temp_1", "low"),
            channel("Wind Dir", "wind", words={"N": 0.0, "NNE": 22.5}),
        ],
    )
    found = read(make(tmp_path, {"roof.csv": text}, source), tmp_path)
    assert times(found["low"]) == ["2025-01-12T00:05:00", "2025-01-12T15:50:00"]
    assert (times(found["out"]), found["wind"].readings.value.tolist()) == (
        ["2025-01-12T15:50:00"],
        [22.5],
    )


def test_a_word_without_a_number_is_refused(tmp_path: Path) -> None:
    rule = channel("t", words={"N": 0.0})
    corpus = make(tmp_path, {"a.csv": "time,t\n2024-01-01 00:00,Q\n"}, wide(channel=[rule]))
    with pytest.raises(SpecError, match="word has no number: 'Q'"):
        read(corpus, tmp_path)


def test_the_text_of_a_float_is_kept_exactly(tmp_path: Path) -> None:
    text = "time,t\n2024-01-01 00:00,9.940000000000001\n2024-01-01 01:00,9.94\n"
    stream = read(make(tmp_path, {"a.csv": text}, wide()), tmp_path)["t"]
    assert [repr(float(v)) for v in stream.readings.value] == ["9.940000000000001", "9.94"]
    assert stream.decimals is None


@pytest.mark.parametrize(
    ("cell", "places"), [("7", 0), ("0.1", 1), ("7.00001", 5), ("1e300", None)]
)
def test_decimals_of_a_stream_are_the_most_that_a_value_has(
    tmp_path: Path, cell: str, places: int | None
) -> None:
    text = f"time,t\n2024-01-01 00:00,1\n2024-01-01 01:00,{cell}\n"
    assert read(make(tmp_path, {"a.csv": text}, wide()), tmp_path)["t"].decimals == places


def test_a_file_with_another_checksum_stops_the_build(tmp_path: Path) -> None:
    corpus = make(tmp_path, {"a.csv": DAY}, wide())
    (tmp_path / "a.csv").write_text(DAY.replace("3.5", "3.6"))
    with pytest.raises(SpecError, match=r"not the declared one: 'a\.csv'"):
        read(corpus, tmp_path)


def test_times_in_unix_seconds_and_iso_with_offset_agree(tmp_path: Path) -> None:
    seconds = wide(time={"column": "time", "form": "unix_s", "zone": "UTC"})
    offset = wide(time={"column": "time", "zone": "offset"})
    one = read(make(tmp_path, {"a.csv": "time,t\n1643871803.640,1\n"}, seconds), tmp_path)
    two = read(
        make(tmp_path, {"b.csv": "time,t\n2022-02-03T08:03:23.640+01:00,1\n"}, offset), tmp_path
    )
    assert one["t"].readings.ts.tolist() == two["t"].readings.ts.tolist() == [1643871803640]


ROWS = "time,t\n{}\n"
AUTUMN = (
    "2023-10-29 01:30:00,1\n2023-10-29 02:30:00,2\n2023-10-29 02:30:00,3\n2023-10-29 03:30:00,4"
)


def belgrade(**policy: str) -> dict[str, Any]:
    return wide(time={"column": "time", "zone": "Europe/Belgrade", **policy})


def test_both_passes_of_a_repeated_hour_are_told_by_the_order_of_the_file(tmp_path: Path) -> None:
    for name, text in {
        "up.csv": AUTUMN,
        "down.csv": "\n".join(reversed(AUTUMN.splitlines())),
    }.items():
        corpus = make(tmp_path, {name: ROWS.format(text)}, belgrade(repeated="file_order"))
        stream = read(corpus, tmp_path)["t"]
        assert stream.readings.value.tolist() == [1, 2, 3, 4]
        assert times(stream)[1:3] == ["2023-10-29T00:30:00", "2023-10-29T01:30:00"]
        assert not stream.readings.marks.any()


def test_the_second_pass_begins_where_the_file_turns_back(tmp_path: Path) -> None:
    clock = ("01:00", "02:00", "02:45", "02:00", "02:15", "02:30", "03:00")
    rows = [f"2023-10-29 {at}:00,{n}" for n, at in enumerate(clock)]
    for name, text in {"up.csv": rows, "down.csv": rows[::-1]}.items():
        corpus = make(
            tmp_path, {name: ROWS.format("\n".join(text))}, belgrade(repeated="file_order")
        )
        stream = read(corpus, tmp_path)["t"]
        assert stream.readings.value.tolist() == [0, 1, 2, 3, 4, 5, 6]
        hours = [at[11:16] for at in times(stream)]
        assert hours == ["23:00", "00:00", "00:45", "01:00", "01:15", "01:30", "02:00"]
        assert not stream.readings.marks.any()


def test_passes_of_a_file_in_no_order_are_refused(tmp_path: Path) -> None:
    lines = AUTUMN.splitlines()
    text = "\n".join([lines[3], lines[0], "2023-10-29 05:30:00,5", *lines[1:3]])
    corpus = make(tmp_path, {"a.csv": ROWS.format(text)}, belgrade(repeated="file_order"))
    with pytest.raises(SpecError, match="in no order"):
        read(corpus, tmp_path)


def test_one_row_in_the_repeated_hour_follows_the_policy_and_is_marked(tmp_path: Path) -> None:
    text = ROWS.format("2023-10-29 01:00:00,1\n2023-10-29 02:00:00,2\n2023-10-29 03:00:00,3")
    for policy, hour in (("earlier", "00"), ("later", "01"), ("file_order", "00")):
        stream = read(make(tmp_path, {"a.csv": text}, belgrade(repeated=policy)), tmp_path)["t"]
        assert times(stream)[1] == f"2023-10-29T{hour}:00:00"
        assert stream.readings.marks.tolist() == [0, ADJUSTED, 0]
    with pytest.raises(SpecError, match=r"shows this time twice.*row 2"):
        read(make(tmp_path, {"a.csv": text}, belgrade()), tmp_path)


def test_a_time_that_the_clock_never_shows_follows_the_policy(tmp_path: Path) -> None:
    text = ROWS.format("2021-03-28 01:00:00,1\n2021-03-28 02:00:00,2\n2021-03-28 04:00:00,4")
    for policy, at in (("forward", "01"), ("backward", "00")):
        source = belgrade(skipped=policy)
        if policy == "backward":
            text = ROWS.format("2021-03-28 02:00:00,2\n2021-03-28 04:00:00,4")
        stream = read(make(tmp_path, {"a.csv": text}, source), tmp_path)["t"]
        assert f"2021-03-28T{at}:00:00" in times(stream)
        assert int(stream.readings.marks.sum()) == ADJUSTED
    with pytest.raises(SpecError, match="never shows this time"):
        read(make(tmp_path, {"a.csv": text}, belgrade()), tmp_path)


def test_shifting_forward_restores_an_even_step(tmp_path: Path) -> None:
    rows = [f"2021-03-28 {h:02d}:00:00,{h}" for h in (0, 1, 2, 4, 5)]
    corpus = make(tmp_path, {"a.csv": ROWS.format("\n".join(rows))}, belgrade(skipped="forward"))
    steps = np.diff(read(corpus, tmp_path)["t"].readings.ts)
    assert set(steps.tolist()) == {3_600_000}


def test_readings_that_contradict_each_other_are_dropped_where_the_corpus_says_so(
    tmp_path: Path,
) -> None:
    files = {"a.csv": DAY, "b.csv": "time,t\n2024-01-01 03:00:00,3.6\n2024-01-01 04:00:00,4.5\n"}
    stream = read(make(tmp_path, files, wide(), conflicts="drop"), tmp_path)["t"]
    assert (len(stream.readings), stream.conflicts, stream.repeats) == (23, 1, 2)
    assert "2024-01-01T03:00:00" not in times(stream)


def test_counter_and_power_of_real_files_prove_their_units(shared: Path, tmp_path: Path) -> None:
    corpus = load_corpus("xai4heat", shared / "data")
    adapter = Adapter(corpus, tmp_path)
    for unit in ("L4", "L12", "L17"):
        e, p = (adapter.stream(adapter.points[f"{unit}.{c}"]).readings for c in ("e", "pe"))
        at = np.intersect1d(e.ts, p.ts)
        at = at[at < np.datetime64("2024-01-01", "ms").astype(np.int64)]
        energy = e.value[np.searchsorted(e.ts, at)]
        power = p.value[np.searchsorted(p.ts, at)]
        hour = (np.diff(at) == 3_600_000) & (np.diff(energy) > 0.02) & (power[1:] > 20)
        ratio = np.median(np.diff(energy)[hour] / ((power[1:] + power[:-1])[hour] / 2))
        assert 0.00095 < ratio < 0.00105  # MWh per kWh
