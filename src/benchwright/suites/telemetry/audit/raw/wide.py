"""Wide CSV: a row per time, a column per channel. Gives readings and points of every channel."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.audit.contract import ValueClass
from benchwright.suites.telemetry.audit.findings import UnusableInput
from benchwright.suites.telemetry.audit.points import Point
from benchwright.suites.telemetry.audit.raw import cells
from benchwright.suites.telemetry.audit.raw.gather import Readings
from benchwright.suites.telemetry.audit.raw.times import instants
from benchwright.suites.telemetry.audit.stream import DROPOUT

Table = Mapping[str, Any]
FIELDS = ("site", "equipment", "location", "location_type", "device")


@dataclass(frozen=True, slots=True)
class Column:
    """One channel of one file: its values by row (None where missing) and what it measures."""

    point: Point
    rules: ValueClass
    device: str | None
    cells: list[float | None]


def read_file(
    path: Path, source: Table, classes: Mapping[str, ValueClass]
) -> list[tuple[Point, Readings]]:
    """Every channel of one file, in the order of its columns."""
    columns = cells.columns(path, source)
    rule = source["time"]
    times, adjusted = instants(cells.time_texts(columns, rule, path.name), rule, path.name)
    groups = _groups(source, path)
    made = []
    for name in [n for n in columns if n not in cells.time_columns(rule)]:
        found = _channel(name, source, groups)
        if found is not None:
            made.append(_column(found, columns[name], source, classes, path.name))
        elif not _ignored(name, source):
            raise UnusableInput(f"column {name!r} is neither mapped nor ignored ({path.name})")
    drops = _device_drops(made)
    return [(c.point, _readings(c, times, adjusted, drops)) for c in made]


def _ignored(name: str, source: Table) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in source.get("ignore", ()))


def _groups(source: Table, path: Path) -> dict[str, str]:
    pattern = source.get("pattern")
    if pattern is None:
        return {}
    declared = (name for name in source.get("files", ()) if str(path).endswith(name))
    found = re.search(pattern, next(declared, str(path)))
    if found is None:
        raise UnusableInput(f"the pattern does not fit the file name ({path.name})")
    return found.groupdict()


def _channel(
    name: str, source: Table, groups: Mapping[str, str]
) -> tuple[Table, dict[str, str]] | None:
    """The channel that a column belongs to, and the words for its templates."""
    for channel in source["channel"]:
        if channel.get("column") == name:
            return channel, dict(groups)
    for channel in source["channel"]:
        found = re.fullmatch(channel["match"], name) if "match" in channel else None
        if found:
            return channel, {**groups, **found.groupdict()}
    return None


def _column(
    found: tuple[Table, Mapping[str, str]],
    texts: Sequence[str],
    source: Table,
    classes: Mapping[str, ValueClass],
    where: str,
) -> Column:
    channel, groups = found
    words = {n: channel[n].format(**groups) for n in (*FIELDS, "stream") if n in channel}
    rules = classes[channel["class"]]
    device = words.pop("device", None)
    point = Point(
        **words,
        point_class=channel["class"],
        kind=channel.get("kind", rules.kind),
        unit=channel.get("unit", rules.unit),
        imputed=channel.get("imputed", False),
        owners=(words["equipment"],) if "equipment" in words else (),
    )
    known = cells.numbers(texts, source, channel.get("words", {}), f"{where}, {words['stream']}")
    return Column(point, rules, device, [known[text] for text in texts])


def _device_drops(columns: list[Column]) -> dict[str, set[int]]:
    """Rows in which every channel of a device reads 0, two at least; missing cells say nothing."""
    devices = defaultdict(list)
    for column in columns:
        if column.device is not None:
            devices[column.device].append(column.cells)
    made = {}
    for device, held in devices.items():
        zeros = Counter(i for column in held for i, v in enumerate(column) if v == 0.0)
        other = {i for column in held for i, v in enumerate(column) if v}
        made[device] = {i for i, count in zeros.items() if count > 1} - other
    return made


def _readings(
    column: Column, times: list[int], adjusted: bytearray, drops: Mapping[str, set[int]]
) -> Readings:
    rows = [i for i, v in enumerate(column.cells) if v is not None]
    values = [v for v in column.cells if v is not None]
    marks = bytearray(adjusted[i] for i in rows)
    if column.rules.zero == "device":
        dropped = drops.get(column.device or "", set())
        for place, (row, value) in enumerate(zip(rows, values, strict=True)):
            if value == 0.0 and row in dropped:
                marks[place] |= DROPOUT
    return Readings(array("q", [times[i] for i in rows]), array("d", values), marks)
