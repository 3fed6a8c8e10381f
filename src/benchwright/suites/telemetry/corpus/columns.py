"""Which column of a file is which stream: headers, mapping, templates.

Takes the header of a file and a `Source`; gives one `Column` per mapped column. A column that is
neither mapped nor ignored is an error, so that a renamed column cannot vanish.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.errors import SpecError
from benchwright.storage import nearest
from benchwright.suites.telemetry.corpus.model import Channel, Source, ValueClass


@dataclass(frozen=True, slots=True)
class Column:
    """A mapped column with every template filled."""

    name: str
    index: int
    stream: str
    site: str
    equipment: str
    location: str | None
    location_type: str | None
    unit: str | None
    kind: ValueClass
    channel: Channel


def headers(rows: Sequence[Sequence[str]]) -> list[str]:
    """Names of columns from the rows of a header; repeated ones get `_1`, `_2`, ...

    A column without a name is called `unnamed`.
    """
    width = max(map(len, rows))
    cells = [[*row, *[""] * (width - len(row))] for row in rows]
    names = [
        " ".join(part.strip() for part in parts if part.strip()) or "unnamed"
        for parts in zip(*cells, strict=True)
    ]
    unique: list[str] = []
    for place, name in enumerate(names):
        count = names[:place].count(name)
        while (called := f"{name}_{count}" if count else name) in unique:
            count += 1
        unique.append(called)
    return unique


def columns_of(
    source: Source, names: Sequence[str], path: str, classes: Mapping[str, ValueClass]
) -> list[Column]:
    """Every mapped column of a file, in its order.

    Raises:
        SpecError: a column is neither mapped nor ignored, or one that is declared is absent.
    """
    fields = file_fields(source, path)
    found = []
    for index, name in enumerate(names):
        mapped = _channel(source, name)
        if mapped is not None:
            channel, groups = mapped
            found.append(
                _column(channel, index, name, fields | groups, classes[channel.point_class])
            )
    declared = {c.column for c in source.channel if c.column is not None}
    absent = sorted(declared - set(names))
    if absent:
        raise SpecError(
            "file lacks a declared column",
            value=absent[0],
            where=path,
            hint=nearest(absent[0], names),
        )
    return found


def file_fields(source: Source, path: str) -> dict[str, str]:
    """What the name of a file says: the named groups of the source's pattern."""
    if source.pattern is None:
        return {}
    match = re.search(source.pattern, path)
    if match is None:
        raise SpecError(
            "file name does not fit the pattern of its source",
            value=path,
            where=f"source {source.name}: pattern",
            hint=f"The pattern is {source.pattern}.",
        )
    return {key: text for key, text in match.groupdict().items() if text is not None}


def fill(template: str, fields: Mapping[str, str], where: str) -> str:
    """A template with its names in braces filled."""
    try:
        return template.format_map(fields)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise SpecError(
            "template names what neither file name nor column name gives",
            value=template,
            where=where,
            hint=f"Known here: {', '.join(sorted(fields)) or 'nothing'}.",
        ) from error


def _channel(source: Source, name: str) -> tuple[Channel, dict[str, str]] | None:
    times = source.time.column
    if name in ((times,) if isinstance(times, str) else times):
        return None
    for channel in source.channel:
        if channel.column == name:
            return channel, {}
    for channel in source.channel:
        match = re.fullmatch(channel.match, name) if channel.match is not None else None
        if match:
            return channel, {k: text for k, text in match.groupdict().items() if text is not None}
    if any(re.fullmatch(pattern, name) for pattern in source.ignore):
        return None
    known = [c.column for c in source.channel if c.column is not None]
    raise SpecError(
        "column is neither a channel nor ignored",
        value=name,
        where=f"source {source.name}",
        hint=nearest(name, known) if known else "Add a channel for it, or a pattern to ignore.",
    )


def _column(
    channel: Channel, index: int, name: str, fields: Mapping[str, str], kind: ValueClass
) -> Column:
    where = f"column {name}"

    def filled(template: str | None) -> str | None:
        return None if template is None else fill(template, fields, where)

    return Column(
        name=name,
        index=index,
        stream=fill(channel.stream, fields, where),
        site=fill(channel.site, fields, where),
        equipment=fill(channel.equipment, fields, where),
        location=filled(channel.location),
        location_type=filled(channel.location_type),
        unit=channel.unit if channel.unit is not None else kind.unit,
        kind=kind,
        channel=channel,
    )
