"""Long files, tables of points, headers of several rows, seconds since 1970, full minutes."""

from __future__ import annotations

from pathlib import Path

from benchwright.suites.telemetry.audit.contract import ValueClass
from benchwright.suites.telemetry.audit.phases.reading import probed_minute
from benchwright.suites.telemetry.audit.raw import cells, long, table
from benchwright.suites.telemetry.audit.raw.times import instants
from tests.telemetry.audit.made import HOUR, MINUTE, MONDAY, stream

SOURCE = {
    "stream": "id",
    "value": "v",
    "delimiter": ";",
    "decimal": ",",
    "missing": ["", "NaN"],
    "time": {"column": ["d", "t"], "form": ["%d.%m.%Y %H:%M"], "zone": "Europe/Berlin"},
}


def test_a_long_file_in_no_order_with_decimal_commas_and_empty_cells(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(
        "id;d;t;v\nb;08.01.2024;02:00;1,5\na;08.01.2024;01:00;2\n"
        "b;08.01.2024;01:00;\nc;08.01.2024;01:00;NaN\n"
    )
    found = {name: (list(r.times), list(r.values)) for name, r in long.read_file(path, SOURCE)}
    assert found == {"b": ([MONDAY + HOUR], [1.5]), "a": ([MONDAY], [2.0]), "c": ([], [])}


def test_rows_with_other_flags_have_no_number_whatever_stands_there(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(
        "id;d;t;v;flag\na;08.01.2024;01:00;2;GOOD\na;08.01.2024;02:00;5000;BAD\n"
        "a;08.01.2024;03:00;oops;BAD\na;08.01.2024;04:00;4;UNSURE\na;08.01.2024;05:00;nan;GOOD\n"
    )
    rule = {**SOURCE, "keep": {"column": "flag", "values": ["GOOD", "UNSURE"]}}
    ((name, found),) = long.read_file(path, rule)
    assert (name, list(found.times), list(found.values)) == (
        "a",
        [MONDAY, MONDAY + 3 * HOUR],
        [2.0, 4.0],
    )


def test_two_rows_of_a_header_are_joined(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes("t;Temp;\n;\xb0C;\n1;2;3\n".encode("cp1252"))
    found = cells.columns(path, {"header_rows": 2, "encoding": "cp1252", "delimiter": ";"})
    assert found == {"t": ("1",), "Temp \xb0C": ("2",), "unnamed": ("3",)}


def test_a_table_gives_units_and_falls_back_to_the_class(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("id,class,thing,u\na,T,E,bar\nb,T,,\n")
    named = {"stream": "id", "class": "class", "equipment": "thing", "unit": "u"}
    found = table.read_points(path, {"columns": named}, {"T": ValueClass("state", unit="K")})
    units = [(p.unit, p.kind, p.owners) for p in found.values()]
    assert units == [("bar", "state", ("E",)), ("K", "state", ())]


def test_seconds_since_1970_are_cut_to_milliseconds() -> None:
    assert instants(["1.2349"], {"form": "unix_s"}, "x")[0] == [1234]


def test_a_full_minute_is_probed_around_the_first_reading_behind_the_middle() -> None:
    late = stream([1.0] * 4, times=[MONDAY + i * HOUR + MINUTE // 2 for i in range(4)])
    assert probed_minute(late, (MONDAY, MONDAY + 4 * HOUR), None) == MONDAY + 2 * HOUR
    even = stream([1.0] * 5, times=[MONDAY + i * MINUTE for i in (0, 59, 60, 62, 99)])
    assert probed_minute(even, (MONDAY, MONDAY + 2 * HOUR), None) == MONDAY + 61 * MINUTE
