"""Sources of a draft: the lines of a `[[source]]` with everything that files told.

Takes a `Part`; gives lines of TOML with remarks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from benchwright.suites.telemetry.drafting.classes import Part
from benchwright.suites.telemetry.drafting.groups import Group
from benchwright.suites.telemetry.drafting.lines import check, note, some, text, texts
from benchwright.suites.telemetry.drafting.longs import is_bad
from benchwright.suites.telemetry.drafting.steps import Found, regimes_of, step_of
from benchwright.suites.telemetry.drafting.streams import (
    Channel,
    long_words,
    quarrels,
    streams_of,
    units_of,
)


def source_lines(part: Part, site: str) -> list[str]:
    """The `[[source]]` of a group, its files and channels."""
    group = part.group
    lines = ["[[source]]", f"name = {text(group.name)}"]
    lines += [f'form = "{"long_csv" if group.long else "wide_csv"}"']
    lines += [*_naming(group), *_shape(group), *_time(part), *_regimes(group), *_missing(part)]
    if group.long is not None:
        lines += _long_columns(group)
    else:
        lines += _ignored(part)
    lines += ["", "[source.files]"]
    lines += [f"{text(sheet.path)} = {text(sheet.sha256)}" for sheet in group.sheets]
    for channel in () if group.long else part.columns.channels:
        lines += ["", *_channel(channel, part, site)]
    return lines


def _naming(group: Group) -> list[str]:
    naming = group.naming
    if group.long is not None or naming.pattern is None:
        return []
    lines = []
    if naming.whole:
        lines += check("names of these files have no common build, so each is a thing of its own.")
    if naming.dated:
        lines += note("Digits that differ and say when a file's readings are, are read as dates.")
    return [*lines, f"pattern = {text(naming.pattern)}"]


def _shape(group: Group) -> list[str]:
    shape, lines = group.first.shape, []
    if shape.delimiter != ",":
        lines += [f"delimiter = {text(shape.delimiter)}"]
    if group.encoding == "cp1252":
        lines += check(
            "encoding: the bytes are no UTF-8; look at a name with an accent or a degree."
        )
    if group.encoding != "utf-8":
        lines += [f"encoding = {text(group.encoding)}"]
    if group.decimal != ".":
        lines += [f"decimal = {text(group.decimal)}"]
    if len(shape.header) > 1:
        shown = some(group.first.names, 4)
        lines += check(
            f"{len(shape.header)} rows stand above the readings and are joined to "
            f"names: {shown}"
            + ("; the last row is read as units." if units_of(group.first) else ".")
        )
        lines += [f"header_rows = {len(shape.header)}"]
    twice = _again(shape.header, group.first.names)
    if twice:
        lines += check(
            f"names that stand twice in the header, the later ones as they are called "
            f"here: {some(twice)}; which is which?"
        )
    if "unnamed" in group.first.names:
        lines += check("a column has no name and is called 'unnamed' here.")
    return lines


def _again(header: tuple[tuple[str, ...], ...], names: tuple[str, ...]) -> list[str]:
    width = max(map(len, header))
    cells = [[*row, *[""] * (width - len(row))] for row in header]
    plain = [" ".join(p.strip() for p in parts if p.strip()) for parts in zip(*cells, strict=True)]
    return [n for n, p in zip(names, plain, strict=True) if n != p and p]


def _time(part: Part) -> list[str]:
    group, times = part.group, part.times
    columns = group.clocks[0].columns
    column = text(columns[0]) if len(columns) == 1 else texts(columns)
    pieces = [f"column = {column}"]
    if group.form != "iso":
        pieces += [
            f"form = {text(group.form) if isinstance(group.form, str) else texts(group.form)}"
        ]
    pieces += [f"zone = {text(times.zone)}"]
    pieces += [f'repeated = "{times.repeated}"'] if times.repeated else []
    lines = [line for remark in times.remarks for line in check(f"time: {remark}")]
    return [*lines, f"time = {{ {', '.join(pieces)} }}"]


def _regimes(group: Group) -> list[str]:
    found = regimes_of(group.times())
    if not found:
        return check(
            "no step between readings is frequent enough to be expected; write regimes "
            "if readings are due at fixed times."
        )
    remark = "how often a reading is due, the most frequent step"
    if len(found) > 1:
        remark += ", and lasting changes of it"
    lines = check(f"{remark}; true?") + _other_steps(group, found)
    shown = [
        f"{{ step_s = {one.step_s} }}"
        if one.start is None
        else f"{{ start = {text(one.start)}, step_s = {one.step_s} }}"
        for one in found
    ]
    return [*lines, f"regimes = [{', '.join(shown)}]"]


def _other_steps(group: Group, found: Iterable[Found]) -> list[str]:
    """Files or streams whose own step is none of the regimes."""
    known = {one.step_s for one in found}
    pairs: list[tuple[str, int | None]] = []
    for sheet, clock in zip(group.sheets, group.clocks, strict=True):
        if sheet.long is None:
            pairs.append((sheet.path, step_of([clock.local])))
        else:
            codes, ids = sheet.long.codes, sheet.long.ids
            pairs += [(s, step_of([clock.local[codes == i]])) for i, s in enumerate(ids)]
    other = sorted({f"{name}: {step} s" for name, step in pairs if step and step not in known})
    if not other:
        return []
    return check(
        f"mostly read at another step than the others: {some(other)}; give them a source "
        "of their own, or take the regimes out."
    )


def _missing(part: Part) -> list[str]:
    columns = part.columns
    lines = []
    for name, odd in columns.odd.items():
        met = ", ".join(f"{token!r} {count} times" for token, count in sorted(odd.items()))
        lines += check(f"column {name!r} holds {met} among its numbers; no reading?")
    for name, lost in columns.lost.items():
        lines += check(
            f"words of column {name!r} that stand for no reading here, since they do in "
            f"another column: {some(lost)}"
        )
    tokens = sorted({"", *columns.missing})
    return lines + ([f"missing = {texts(tokens)}"] if len(tokens) > 1 else [])


def _long_columns(group: Group) -> list[str]:
    long = group.long
    assert long is not None
    lines = [f"stream = {text(long.stream)}", f"value = {text(long.value)}"]
    words = long_words(group)
    if words:
        lines += check(
            "numbers for words of streams that hold words instead of numbers; do they mean what "
            "the numbers of other streams of that class mean?"
        )
        pairs = ", ".join(f"{text(word)} = {value}" for word, value in words.items())
        lines += [f"words = {{ {pairs} }}"]
    flags = [sheet.long for sheet in group.sheets if sheet.long and sheet.long.flag]
    used = {s.flag for s in flags if s.flag is not None and any(map(is_bad, s.flags))}
    for flag in sorted(used):
        lines += _keep(flag, [one.flags for one in flags if one.flag == flag])
    known = {long.stream, long.value, *used}
    rest = [name for name in group.columns if name not in known]
    return lines + (check(f"columns that nothing reads: {some(rest)}") if rest else [])


def _keep(flag: str, found: Iterable[Mapping[str, int]]) -> list[str]:
    counts: Counter[str] = Counter()
    for one in found:
        counts.update(one)
    met = ", ".join(f"{word!r} {count} times" for word, count in sorted(counts.items()))
    kept = [word for word in sorted(counts) if not is_bad(word)]
    remark = f"column {flag!r} holds {met}; rows that are not kept count as missing; true?"
    return [*check(remark), f"keep = {{ column = {text(flag)}, values = {texts(kept)} }}"]


def _ignored(part: Part) -> list[str]:
    columns = part.columns
    lines = []
    if columns.empty:
        lines += check(f"left out, without a value in any file: {some(columns.empty, 20)}")
    if columns.text:
        lines += check(f"left out, text that is neither numbers nor few words: {_examples(part)}")
    if columns.mixed:
        lines += check(
            f"left out, numbers in some files and words in others: {some(columns.mixed)}"
        )
    names = [*columns.empty, *columns.text, *columns.mixed]
    return lines + ([f"ignore = {texts(map(re.escape, names))}"] if names else [])


def _examples(part: Part) -> str:
    shown = []
    for name in part.columns.text:
        sheet = next(s for s in part.group.sheets if s.readings[name].what == "text")
        shown.append(f"{name!r} (such as {sheet.readings[name].example!r})")
    return ", ".join(shown[:20])


def _channel(channel: Channel, part: Part, site: str) -> list[str]:
    lines = ["[[source.channel]]", f"column = {text(channel.column)}"]
    lines += [f"stream = {text(channel.stream)}", f"class = {text(channel.point_class)}"]
    lines += [f"site = {text(site)}", f"equipment = {text(part.group.naming.equipment)}"]
    if channel.unit and channel.unit.lower() not in ("0/1", "on/off"):
        lines += [f"unit = {text(channel.unit)}"]
    if channel.words:
        lines += check("numbers for words, in the order of the alphabet or of the compass; true?")
        pairs = ", ".join(f"{text(word)} = {value}" for word, value in channel.words.items())
        lines += [f"words = {{ {pairs} }}"]
    return lines


def conflicts_of(part: Part) -> list[tuple[str, int, str]]:
    """Streams, how many of their instants have two different values, and the first of these."""
    every = []
    for held in streams_of(part.group, part.columns, part.times.utc):
        found = quarrels(held.at, held.values)
        if found is not None:
            first = str(np.datetime64(found[1], "ms").astype("datetime64[s]"))
            every.append((held.stream, found[0], first))
    return every
