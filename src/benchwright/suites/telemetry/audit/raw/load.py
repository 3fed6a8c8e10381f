"""All streams of a corpus from its raw files."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.audit.contract import Corpus, ValueClass
from benchwright.suites.telemetry.audit.findings import Report, UnusableInput
from benchwright.suites.telemetry.audit.points import Point
from benchwright.suites.telemetry.audit.raw import archives, brick, long, table, wide
from benchwright.suites.telemetry.audit.raw.gather import Readings, merged, settled
from benchwright.suites.telemetry.audit.raw.times import instants
from benchwright.suites.telemetry.audit.stream import DROPOUT, Regimes, Stream

Table = Mapping[str, Any]


def streams(corpus: Corpus, data: Path, report: Report) -> dict[str, Stream]:
    """Every stream with a reading, by id; files whose checksum differs are findings."""
    points: dict[str, Point] = {}
    parts: dict[str, list[Readings]] = defaultdict(list)
    regimes: dict[str, Regimes] = {}
    for source in corpus.raw["source"]:
        steps = _regimes(source)
        for name, declared in source["files"].items():
            path = _file(data, name, declared, report)
            for found, readings in _file_readings(path, source, corpus):
                stream = found if isinstance(found, str) else found.stream
                if isinstance(found, Point):
                    points.setdefault(stream, found)
                parts[stream].append(readings)
                regimes[stream] = steps
    if "metadata" in corpus.raw:
        points.update(_described(corpus, data, report))
    whole = merged({name: parts.pop(name) for name in sorted(parts.keys() & points.keys())})
    policy = corpus.raw.get("conflicts", "refuse")
    made = {}
    for name in list(whole):
        made[name] = _stream(corpus, points[name], settled(name, whole.pop(name), policy), regimes)
    return {name: stream for name, stream in made.items() if len(stream)}


def _stream(
    corpus: Corpus, point: Point, found: Readings, regimes: Mapping[str, Regimes]
) -> Stream:
    rules = corpus.classes.get(point.point_class, ValueClass(point.kind))
    if rules.zero == "dropout":
        _mark_zeros(found)
    return Stream(
        point=point,
        rules=rules,
        times=found.times,
        values=found.values,
        marks=found.marks,
        regimes=regimes[point.stream],
        left_out=tuple(corpus.rules["left_out"]),
    )


def _mark_zeros(found: Readings) -> None:
    """Zeros behind the first other value are drop-outs: a counter may begin at 0."""
    begun = False
    for index, value in enumerate(found.values):
        begun = begun or value != 0.0
        if begun and value == 0.0:
            found.marks[index] |= DROPOUT


def _file(data: Path, name: str, declared: str, report: Report) -> Path:
    path = data / name
    if not path.is_file():
        path = data / Path(name).name
    if not path.is_file():
        raise UnusableInput(f"a data file is missing: {name} (in {data})")
    if declared:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        report.compare("evidence", name, "sha256", declared, found)
    return path


def _file_readings(path: Path, source: Table, corpus: Corpus) -> list[tuple[Point | str, Readings]]:
    if source["form"] == "wide_csv":
        return [*wide.read_file(path, source, corpus.classes)]
    if source["form"] == "archives":
        return [*archives.read_file(path)]
    if source["form"] == "long_csv":
        return [*long.read_file(path, source)]
    if source["form"] == "long_parquet":
        raise UnusableInput(
            f"the audit reads no Parquet, which needs more than the standard library ({path.name})"
        )
    raise UnusableInput(f"the audit reads no source of the form {source['form']!r}")


def _described(corpus: Corpus, data: Path, report: Report) -> dict[str, Point]:
    given = corpus.raw["metadata"]
    if given["form"] not in {"brick", "table"}:
        raise UnusableInput(f"the audit reads no metadata of the form {given['form']!r}")
    made: dict[str, Point] = {}
    for name, declared in given["files"].items():
        path = _file(data, name, declared, report)
        if given["form"] == "table":
            made.update(table.read_points(path, given, corpus.classes))
        else:
            made.update(brick.read_points(path, given, given["site"][name], corpus.classes))
    return made


def _regimes(source: Table) -> Regimes:
    made: list[tuple[int | None, int]] = []
    clock = {n: v for n, v in source["time"].items() if n != "form"}
    for regime in source.get("regimes", ()):
        start = regime.get("start")
        at = instants([str(start)], clock, "regimes")[0][0] if start else None
        made.append((at, round(regime["step_s"] * 1000)))
    return made
