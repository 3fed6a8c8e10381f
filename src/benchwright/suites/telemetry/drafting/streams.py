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
from benchwright.suites.telemetry.drafting.longs import Long
from benchwright.suites.telemetry.drafting.naming import class_name, slug, unique
from benchwright.suites.telemetry.drafting.sheets import Sheet

_POINTS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW"
COMPASS = {name: 22.5 * place for place, name in enumerate(_POINTS.split(" "))}
"""Degrees of compass points."""


_UNITS = frozenset((
    *("°c", "°f", "k", "c", "degc", "deg c", "deg", "°", "%", "%rh", "ph", "ppm", "ppb", "lx"),
    *("bar", "mbar", "pa", "kpa", "hpa", "mpa", "psi", "m³", "m3", "m³/h", "m3/h", "l", "l/h"),
    *("l/min", "l/s", "hl", "hl/h", "kg", "kg/h", "t", "t/h", "g", "w", "kw", "mw", "wh", "kwh"),
    *("mwh", "gj", "kj", "v", "mv", "a", "ma", "hz", "rpm", "1/min", "m", "mm", "cm", "m/s", "s"),
    *("min", "h", "pcs", "ms/cm", "µs/cm", "kva", "kvar", "w/m²", "w/m2", "0/1", "on/off"),
))  # fmt: skip
_YES = frozenset(
    [
        "on",
        "open",
        "true",
        "yes",
        "ein",
        "auf",
        "offen",
        "ja",
        "belegt",
        "besetzt",
        "occupied",
        "active",
        "aktiv",
    ]
)
_NO = frozenset(
    [
        "off",
        "closed",
        "false",
        "no",
        "aus",
        "zu",
        "nein",
        "frei",
        "leer",
        "vacant",
        "free",
        "inactive",
        "inaktiv",
    ]
)


@dataclass(frozen=True, slots=True)
class Channel:
    """A column that becomes a stream of every thing that its files are about."""

    column: str
    stream: str
    point_class: str
    words: Mapping[str, float]
    unit: str | None = None
    """Where a row of the header says it."""


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
    units = units_of(group.first)
    labels = {n: _label(n, units.get(n)) for n in kept}
    ids = unique([slug(labels[n]) for n in kept])
    return Columns(
        channels=tuple(
            Channel(
                n,
                f"{group.naming.equipment}.{i}",
                class_name(labels[n]),
                words.get(n, {}),
                units.get(n),
            )
            for n, i in zip(kept, ids, strict=True)
        ),
        empty=tuple(n for n in wanted if what[n] == "empty"),
        text=tuple(n for n in wanted if what[n] == "text"),
        mixed=tuple(n for n in wanted if what[n] == "mixed"),
        missing=dict(missing),
        odd={n: dict(found) for n, found in odd.items() if found},
        lost={n: found for n, found in lost.items() if found},
    )


def units_of(sheet: Sheet) -> dict[str, str]:
    """Units by column, where most filled cells of the last row of the header are known as units."""
    header = sheet.shape.header
    if len(header) < 2:
        return {}
    times = sheet.clocks[0].columns
    pairs = zip(sheet.names, header[-1], strict=False)
    said = {n: cell.strip() for n, cell in pairs if cell.strip() and n not in times}
    known = sum(cell.lower() in _UNITS for cell in said.values())
    return said if known > len(said) / 2 else {}


def _label(name: str, unit: str | None) -> str:
    """The name without the unit that the header row below joined to it."""
    before, joined, after = name.rpartition(f" {unit}")
    return before + after if joined else name


def _words(group: Group, name: str) -> dict[str, float]:
    found = sorted({w for sheet in group.sheets for w in sheet.readings[name].words})
    if len(found) > 2 and all(word in COMPASS for word in found):
        return {word: COMPASS[word] for word in found}
    return {word: float(place) for place, word in enumerate(found)}


@dataclass(frozen=True, slots=True)
class Held:
    """Readings of a stream, without NaN, in the order of files and rows."""

    column: str
    """Or id of a long group."""
    stream: str
    at: Ints
    values: Floats
    file: Ints
    """Place of the file in its group."""
    row: Ints
    """Data row, from 1."""
    words: bool


def streams_of(group: Group, columns: Columns, utc: Callable[[Ints], Ints]) -> Iterator[Held]:
    """Every stream that has a reading.

    `utc` makes instants of the wall-clock times of one file.
    """
    parts: dict[tuple[str, str], list[tuple[Ints, Floats, Ints, Ints]]] = defaultdict(list)
    spoken = long_words(group)
    for file, (sheet, clock) in enumerate(zip(group.sheets, group.clocks, strict=True)):
        every, of = np.arange(1, len(clock.local) + 1), np.full(len(clock.local), file)
        if sheet.long is not None:
            values = _long_values(sheet.long, sheet.values[sheet.long.value], spoken)
            for code, name in enumerate(sheet.long.ids):
                rows = sheet.long.codes == code
                found = (utc(clock.local[rows]), values[rows], of[rows], every[rows])
                parts[name, name].append(found)
            continue
        at = utc(clock.local)
        for channel in columns.channels:
            if channel.column in sheet.values:
                stream = channel.stream.format_map(group.naming.groups.get(sheet.path, {}))
                parts[channel.column, stream].append((at, _values(sheet, channel), of, every))
    worded = {channel.column for channel in columns.channels if channel.words}
    for column, stream in parts:
        at, values, of, rows = map(np.concatenate, zip(*parts[column, stream], strict=True))
        there = np.isfinite(values)
        if there.any():
            kept = at[there], values[there], of[there], rows[there]
            yield Held(column, stream, *kept, column in worded)


def long_words(group: Group) -> dict[str, float]:
    """Numbers of the words of a long group: 0 and 1 by their sense where it is known."""
    found = sorted({word for sheet in group.sheets if sheet.long for word in sheet.long.words})
    if len(found) == 2 and (found[0].lower() in _YES or found[1].lower() in _NO):
        found.reverse()
    return {word: float(place) for place, word in enumerate(found)}


def _long_values(long: Long, values: Floats, spoken: Mapping[str, float]) -> Floats:
    """Numbers of the value column, those of its words, NaN where the flag is bad."""
    if not long.words:
        return values
    numbers = np.array([spoken[word] for word in long.words])
    said = (long.word >= 0) & ~long.bad_rows
    return np.where(said, numbers[long.word], values)


def _values(sheet: Sheet, channel: Channel) -> Floats:
    """Numbers of a column, those of its words where it has words."""
    values = sheet.values[channel.column]
    if not channel.words:
        return values
    numbers = np.array([*(channel.words[w] for w in sheet.readings[channel.column].words), np.nan])
    found: Floats = numbers[np.where(np.isnan(values), len(numbers) - 1, values).astype(np.int64)]
    return found


def quarrels(at: Ints, values: Floats) -> tuple[int, int] | None:
    """How many instants have two different values, and the first of them."""
    order = np.lexsort((values, at))
    same = (np.diff(at[order]) == 0) & (np.diff(values[order]) != 0)
    where: Sequence[int] = np.unique(at[order][1:][same]).tolist()
    return (len(where), where[0]) if where else None
