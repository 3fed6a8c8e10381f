"""Wide files, doubles and conflicts, drop-outs, Turtle, and pickles that execute nothing."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from array import array
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright.suites.telemetry.audit.contract import ValueClass
from benchwright.suites.telemetry.audit.findings import Report, UnusableInput
from benchwright.suites.telemetry.audit.raw import archives, brick, load, turtle, wide
from benchwright.suites.telemetry.audit.raw.gather import Readings, settled
from benchwright.suites.telemetry.audit.raw.pickles import RefusedPickle, read
from tests.telemetry.audit.made import MONDAY, corpus
from tests.telemetry.bts import hostile

CLASSES = {
    "T": ValueClass("instant", zero="device"),
    "F": ValueClass("state"),
    "E": ValueClass("cumulative", zero="dropout"),
}


def channel(column: str, name: str, device: str | None = "d") -> dict[str, Any]:
    base = {"column": column, "stream": "{unit}." + column, "class": name, "site": "S"}
    return base if device is None else {**base, "device": device}


SOURCE = {
    "pattern": r"u(?P<unit>\d)\.csv$",
    "time": {"column": "time", "zone": "UTC"},
    "channel": [channel("t", "T"), channel("f", "F"), channel("e", "E", None)],
}


def marks(folder: Path, text: str) -> dict[str, list[int]]:
    path = folder / "u1.csv"
    path.write_text(text)
    return {p.stream: list(r.marks) for p, r in wide.read_file(path, SOURCE, CLASSES)}


def test_a_zero_is_a_drop_out_where_the_whole_device_reads_zero(tmp_path: Path) -> None:
    head = "time,t,f,e\n"
    rows = ("0,0,5", "0,1,5", ",0,5", "0,,5", "3,0,5")
    body = "".join(f"2024-01-08 0{i}:00:00,{row}\n" for i, row in enumerate(rows))
    # Missing cells say nothing, nor does one zero alone; a class without the policy has no
    # drop-outs but can deny one.
    assert marks(tmp_path, head + body) == {
        "1.t": [2, 0, 0, 0],
        "1.f": [0, 0, 0, 0],
        "1.e": [0, 0, 0, 0, 0],
    }


def test_a_column_that_nobody_named_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="'x'"):
        marks(tmp_path, "time,x\n2024-01-08 00:00:00,1\n")


def test_a_counter_may_begin_at_zero_and_not_fall_to_it(tmp_path: Path) -> None:
    rows = "".join(f"2024-01-08 0{i}:00:00,{v}\n" for i, v in enumerate((0, 0, 5, 0, 6)))
    (tmp_path / "u1.csv").write_text("time,e\n" + rows)
    raw = {**SOURCE, "form": "wide_csv", "files": {"u1.csv": ""}}
    made = corpus("UTC")
    classes = {**CLASSES}
    whole = type(made)(
        {**made.raw, "source": [raw]}, classes, made.rules, (), made.zone, made.clock
    )
    (found,) = load.streams(whole, tmp_path, Report()).values()
    assert list(found.marks) == [0, 0, 0, 2, 0]


def readings(*pairs: tuple[int, float], mark: int = 0) -> Readings:
    times, values = zip(*pairs, strict=True)
    return Readings(array("q", times), array("d", values), bytearray([mark] * len(pairs)))


def test_equal_readings_count_once_and_different_ones_stop_or_are_dropped() -> None:
    twice = readings((2, 1.0), (1, 5.0), (2, 1.0))
    assert list(settled("s", twice, "refuse").times) == [1, 2]
    other = readings((1, 5.0), (2, 1.0), (2, 3.0))
    assert list(settled("s", other, "drop").times) == [1]
    with pytest.raises(UnusableInput, match="two readings of 's' at 2"):
        settled("s", other, "refuse")


MODEL = """@prefix brick: <https://brickschema.org/schema/Brick#> .
@prefix b: <urn:b#> .
b:p1 a brick:Power_Sensor ; b:id "s1" ; brick:isPointOf b:12345678_9.abcdefgh_1, b:room ;
    brick:hasUnit [ brick:value "KW" ] ; b:phase [ brick:value "A" ] .
b:12345678_9.abcdefgh_1 a brick:Meter . # a remark; with . and [
b:room a brick:Room .
"""
TABLE = {
    "stream": ["b:id"],
    "owner": ["brick:isPointOf"],
    "unit": ["brick:hasUnit"],
    "qualifiers": ["b:phase"],
    "location_classes": ["Room|Floor"],
    "kinds": {".*Power.*": "setpoint"},
}


def test_a_point_of_a_model_has_equipment_before_places(tmp_path: Path) -> None:
    (tmp_path / "m.ttl").write_text(MODEL)
    found = brick.read_points(tmp_path / "m.ttl", TABLE, "S", {})["s1"]
    assert (found.equipment, found.location, found.location_type) == (
        *("Meter abcdefgh", "Room room", "Room"),
    )
    assert (found.unit, found.qualifiers, found.kind) == ("KW", "phase=A", "setpoint")
    assert found.owners == ("Meter abcdefgh", "Room room")


@pytest.mark.parametrize("text", ["b:x b:y b:z .", "@prefix b: <u> . b:x b:y (1 2) .", "[ a"])
def test_turtle_that_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(UnusableInput, match=r"m\.ttl"):
        turtle.parse(text, "m.ttl")


def member(times: Any, values: Any, protocol: int) -> Readings:
    name, *both = read(pickle.dumps(["Site_X_abc", times, values], protocol))
    assert name == "Site_X_abc"
    return archives.readings(*both)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("order", ["<", ">"])
def test_flat_arrays_are_read_as_numpy_wrote_them(protocol: int, order: str) -> None:
    seconds = np.array([1.6e9, 1.6e9 + 0.25, np.nan, 1.6e9 + 2], f"{order}f8")
    values = np.array([1.5, np.inf, 2.5, -3.0], f"{order}f4")
    found = member(seconds, values, protocol)
    assert list(found.times) == [1_600_000_000_000, 1_600_000_002_000]
    assert list(found.values) == [1.5, -3.0]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_datetimes_are_cut_to_milliseconds(unit: str) -> None:
    at = np.array([MONDAY, MONDAY + 1500], "datetime64[ms]").astype(f"datetime64[{unit}]")
    found = member(at, np.array([1, 2], "i4"), 4)
    wanted = [MONDAY, MONDAY + (1000 if unit == "s" else 1500)]
    assert list(found.times) == wanted


@pytest.mark.parametrize("name", sorted(hostile.running(Path("/nonexistent/sentinel"))))
def test_no_hostile_pickle_runs_anything(name: str, tmp_path: Path) -> None:
    sentinel = tmp_path / "ran"
    data = hostile.running(sentinel)[name]
    with pytest.raises(RefusedPickle):
        read(data)
    assert not sentinel.exists()


@pytest.mark.parametrize("name", sorted({**hostile.foreign(), **hostile.bombs()}))
def test_what_is_no_stream_is_refused(name: str) -> None:
    with pytest.raises(RefusedPickle):
        archives.readings(*read({**hostile.foreign(), **hostile.bombs()}[name])[1:])


class Runs:
    def __reduce__(self) -> Any:
        return os.system, ("exit 1",)


def test_an_archive_names_the_member_that_it_stops_at(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x/0001.pickle", pickle.dumps(["Site_X_abc", Runs(), Runs()]))
    (tmp_path / "a.zip").write_bytes(packed.getvalue())
    with pytest.raises(UnusableInput, match=r"system is called \(a\.zip/x/0001\.pickle\)"):
        list(archives.read_file(tmp_path / "a.zip"))
