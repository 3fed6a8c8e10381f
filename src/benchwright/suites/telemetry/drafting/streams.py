"""Streams of a group: which columns become channels, and the values of each class.

Takes groups; gives `Channel`s of wide groups, the words and tokens of their columns, and for every
class the streams that its kind is guessed from.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchwright.suites.telemetry.corpus.zones import Ints
from benchwright.suites.telemetry.drafting.groups import Floats, Group
from benchwright.suites.telemetry.drafting.naming import class_name, slug, unique
from benchwright.suites.telemetry.drafting.sheets import Sheet

_POINTS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW"
COMPASS = {name: 22.5 * place for place, name in enumerate(_POINTS.split(" "))}
"""Degrees of compass points."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A column that becomes a stream of every thing that its files are about."""

    column: str
    stream: str
    point_class: str
    words: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Columns:
    """What becomes of the columns of a group."""

    channels: tuple[Channel, ...]
    empty: tuple[str, ...]
    text: tuple[str, ...]
    mixed: tuple[str, ...]
    """Numbers in some files and words in others."""
    missing: Mapping[str, int]
    odd: Mapping[str, Mapping[str, int]]
    """By column: tokens that no list has."""
    lost: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By column of words: words that are missing tokens of this source."""


def columns_of(group: Group) -> Columns:
    """Channels of a wide group, or what the value column of a long one holds."""
    what: dict[str, str] = {}
    missing: Counter[str] = Counter()
    odd: dict[str, Counter[str]] = defaultdict(Counter)
    wanted = [group.long.value] if group.long else group.columns
    for name in wanted:
        readings = [sheet.readings[name] for sheet in group.sheets]
        kinds = {reading.what for reading in readings} - {"empty"}
        what[name] = (
            "text" if "text" in kinds else "mixed" if len(kinds) > 1 else (*kinds, "empty")[0]
        )
        if what[name] == "numbers":
            for reading in readings:
                missing.update(reading.missing)
                odd[name].update(reading.odd)
    words = {n: _words(group, n) for n in wanted if what[n] == "words"}
    lost = {n: tuple(w for w in found if w in missing) for n, found in words.items()}
    kept = [n for n in wanted if what[n] in ("numbers", "words")]
    ids = unique([slug(n) for n in kept])
    return Columns(
        channels=tuple(
            Channel(n, f"{group.naming.equipment}.{i}", class_name(n), words.get(n, {}))
            for n, i in zip(kept, ids, strict=True)
        ),
        empty=tuple(n for n in wanted if what[n] == "empty"),
        text=tuple(n for n in wanted if what[n] == "text"),
        mixed=tuple(n for n in wanted if what[n] == "mixed"),
        missing=dict(missing),
        odd={n: dict(found) for n, found in odd.items() if found},
        lost={n: found for n, found in lost.items() if found},
    )


def _words(group: Group, name: str) -> dict[str, float]:
    found = sorted({w for sheet in group.sheets for w in sheet.readings[name].words})
    if len(found) > 2 and all(word in COMPASS for word in found):
        return {word: COMPASS[word] for word in found}
    return {word: float(place) for place, word in enumerate(found)}


def streams_of(
    group: Group, columns: Columns, utc: Callable[[Ints], Ints]
) -> Iterator[tuple[str, str, Ints, Floats, bool]]:
    """Column (or id of a long group), stream, instants, values without NaN, and whether words.

    `utc` makes instants of the wall-clock times of one file.
    """
    parts: dict[tuple[str, str], list[tuple[Ints, Floats]]] = defaultdict(list)
    for sheet, clock in zip(group.sheets, group.clocks, strict=True):
        if sheet.long is not None:
            values = sheet.values.get(sheet.long.value)
            for code, name in enumerate(sheet.long.ids if values is not None else ()):
                assert values is not None
                rows = sheet.long.codes == code
                parts[name, name].append((utc(clock.local[rows]), values[rows]))
            continue
        at = utc(clock.local)
        for channel in columns.channels:
            if channel.column in sheet.values:
                stream = channel.stream.format_map(group.naming.groups.get(sheet.path, {}))
                parts[channel.column, stream].append((at, _values(sheet, channel)))
    worded = {channel.column for channel in columns.channels if channel.words}
    for (column, stream), found in parts.items():
        at, joined = (np.concatenate([part[i] for part in found]) for i in (0, 1))
        there = np.isfinite(joined)
        if there.any():
            yield column, stream, at[there], joined[there], column in worded


def _values(sheet: Sheet, channel: Channel) -> Floats:
    """Numbers of a column, those of its words where it has words."""
    values = sheet.values[channel.column]
    if not channel.words:
        return values
    numbers = np.array([*(channel.words[w] for w in sheet.readings[channel.column].words), np.nan])
    found: Floats = numbers[np.where(np.isnan(values), len(numbers) - 1, values).astype(np.int64)]
    return found


def in_order(at: Ints, values: Floats) -> Floats:
    """Values in order of time; equal times stay in the order of rows."""
    return values[np.argsort(at, kind="stable")]


def quarrels(at: Ints, values: Floats) -> tuple[int, int] | None:
    """How many instants have two different values, and the first of them."""
    order = np.lexsort((values, at))
    same = (np.diff(at[order]) == 0) & (np.diff(values[order]) != 0)
    where: Sequence[int] = np.unique(at[order][1:][same]).tolist()
    return (len(where), where[0]) if where else None
