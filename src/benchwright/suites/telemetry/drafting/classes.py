"""Classes of a draft: one for each name of a column, or for each class of a table of points.

Takes groups with their columns and the table; gives the `[[class]]` tables with remarks, and the
points of the draft.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchwright.suites.telemetry.corpus.model import Kind
from benchwright.suites.telemetry.drafting.channels import Guess, guess
from benchwright.suites.telemetry.drafting.groups import Group
from benchwright.suites.telemetry.drafting.histories import History, fall_remarks, still_remarks
from benchwright.suites.telemetry.drafting.holdout import Drafted
from benchwright.suites.telemetry.drafting.lines import check, note, text
from benchwright.suites.telemetry.drafting.streams import COMPASS, Columns, Held, streams_of
from benchwright.suites.telemetry.drafting.tables import Table
from benchwright.suites.telemetry.drafting.zoned import Times

_WITH_MEAN = ("instant", "setpoint", "derived")


@dataclass(frozen=True, slots=True)
class Part:
    """A group with what was found out about it."""

    group: Group
    columns: Columns
    times: Times


@dataclass(frozen=True, slots=True)
class Class:
    """A class and what speaks for its kind."""

    name: str
    kind: Kind
    guess: Guess | None
    """None for words, and where there is no reading."""
    words: bool
    streams: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    """Single readings and stretches that ask for a look."""
    units: str = ""
    """Where they are said: at the channels, or in the table of points."""


def classes_of(parts: Sequence[Part], table: Table | None) -> list[Class]:
    """Every class, by name."""
    values: dict[str, dict[str, list[tuple[Held, Part]]]] = defaultdict(lambda: defaultdict(list))
    worded: dict[str, tuple[str, ...]] = {}
    for part in parts:
        named = {c.column: c for c in part.columns.channels}
        for held in streams_of(part.group, part.columns, part.times.utc):
            if part.group.long is None:
                name = named[held.column].point_class
            elif table is not None and held.stream in table.rows:
                name = table.rows[held.stream]["class"]
            else:
                continue
            values[name][held.stream].append((held, part))
            if held.words:
                worded[name] = tuple(named[held.column].words)
    classes = [_class(name, streams, worded.get(name)) for name, streams in values.items()]
    listed = {row["class"] for row in table.rows.values()} if table is not None else set()
    classes += [Class(name, "instant", None, False, ()) for name in listed - values.keys()]
    said = _units(parts, table)
    return sorted(
        (replace(one, units=said.get(one.name, "")) for one in classes), key=lambda one: one.name
    )


def _units(parts: Sequence[Part], table: Table | None) -> dict[str, str]:
    """By class: where the unit of every point of it stands."""
    points = [
        (c.point_class, c.unit, "at the channels, as the header says")
        for part in parts
        if part.group.long is None
        for c in part.columns.channels
    ]
    points += [
        (row["class"], row.get("unit"), "in the table of points")
        for row in (table.rows.values() if table is not None else ())
    ]
    lacking = {name for name, unit, _ in points if not unit}
    return {name: where for name, _, where in points if name not in lacking}


def _class(
    name: str, streams: Mapping[str, list[tuple[Held, Part]]], words: tuple[str, ...] | None
) -> Class:
    ids = tuple(sorted(streams))
    if words is not None:
        compass = len(words) > 2 and all(word in COMPASS for word in words)
        return Class(name, "angle" if compass else "state", None, True, ids)
    histories = [_history(streams[s]) for s in ids]
    found = guess(name, [one.values for one in histories])
    remarks = fall_remarks(found, histories)
    if found.kind == "instant" and found.extent[0] < found.extent[1]:
        remarks += still_remarks(histories, [code for code, _, _ in found.sentinels])
    return Class(name, found.kind, found, False, ids, remarks)


def _history(parts: Sequence[tuple[Held, Part]]) -> History:
    """A stream of one or several sources, in order of time."""
    paths: list[str] = []
    found, files = [], []
    for held, part in parts:
        files.append(held.file + len(paths))
        paths += [sheet.path for sheet in part.group.sheets]
        found.append(held)
    arrays = [np.concatenate([getattr(h, name) for h in found]) for name in ("at", "values", "row")]
    order = np.argsort(arrays[0], kind="stable")
    at, values, row = (array[order] for array in arrays)
    return History(found[0].stream, at, values, np.concatenate(files)[order], row, tuple(paths))


def class_lines(one: Class) -> list[str]:
    """The `[[class]]` table of a class."""
    lines = ["[[class]]", f"name = {text(one.name)}"]
    lines += check(f"kind: {_why(one)}; true?")
    lines += [f'kind = "{one.kind}"']
    if one.guess is None:
        return lines
    if one.kind in (*_WITH_MEAN, "cumulative"):
        lines += (
            note(f"Units: {one.units}.")
            if one.units
            else check('unit: only you know it; without one, questions name none. unit = "..."')
        )
    if one.guess.zero:
        lines += check(
            "zeros are no readings of this counter, but times when it was not read; true?"
        )
        lines += ['zero = "dropout"']
    if one.guess.sentinels:
        met = "; ".join(
            f"{value:g} stands {count} times, the value next to it is {beside:g}"
            for value, count, beside in one.guess.sentinels
        )
        lines += check(f"sentinels, values that stand for a fault: {met}; true?")
        lines += [f"sentinels = [{', '.join(repr(v) for v, _, _ in one.guess.sentinels)}]"]
    for remark in one.remarks:
        lines += check(remark)
    low, high = one.guess.extent
    if one.kind not in ("state", "angle"):
        lines += note(
            f"From {low:g} to {high:g} in the files. range = [least, greatest] marks "
            "what cannot be true, frozen_hours = 24.0 a sensor that is stuck."
        )
    return lines


def _why(one: Class) -> str:
    if one.words:
        return "words for numbers"
    return one.guess.why if one.guess is not None else "there is no reading of it"


def points_of(
    parts: Sequence[Part], table: Table | None, classes: Sequence[Class]
) -> list[Drafted]:
    """Every stream with readings as a point."""
    kinds = {one.name: one for one in classes}
    found: dict[str, Drafted] = {}
    for part in parts:
        naming = part.group.naming
        for sheet in () if part.group.long is not None else part.group.sheets:
            for channel in part.columns.channels:
                stream = channel.stream.format_map(naming.groups.get(sheet.path, {}))
                one = kinds.get(channel.point_class)
                if one is not None and stream in one.streams:
                    mean = one.kind in _WITH_MEAN
                    thing = naming.of(sheet.path)
                    found[stream] = Drafted(stream, one.name, thing, mean)
    for stream, row in table.rows.items() if table is not None else ():
        one = kinds[row["class"]]
        if stream in one.streams:
            mean = one.kind in _WITH_MEAN
            found[stream] = Drafted(stream, one.name, row["equipment"], mean)
    return [found[stream] for stream in sorted(found)]
