"""Long CSV: a row per reading, with the stream's id, the value and the time in columns."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.audit.clock import Clock
from benchwright.suites.telemetry.audit.findings import UnusableInput
from benchwright.suites.telemetry.audit.raw import cells
from benchwright.suites.telemetry.audit.raw.gather import Readings
from benchwright.suites.telemetry.audit.raw.times import instants, walls

Table = Mapping[str, Any]


def read_file(path: Path, source: Table) -> Iterator[tuple[str, Readings]]:
    """Every stream of one file: its id and its readings in the order of the file.

    A stream that has rows and no number is given without a reading.
    """
    found = cells.columns(path, source)
    for name in (source["stream"], source["value"]):
        if name not in found:
            raise UnusableInput(f"the audit finds no column {name!r} ({path.name})")
    rule = source["time"]
    texts = cells.time_texts(found, rule, path.name)
    _ordered(texts, rule, path.name)
    times, adjusted = instants(texts, rule, path.name)
    told: list[str | None] = [*found[source["value"]]]
    for row in _unkept(found, source, path.name):
        told[row] = None
    kept = [text for text in told if text is not None]
    known = cells.numbers(kept, source, source.get("words", {}), path.name)
    values = [None if text is None else known[text] for text in told]
    places: dict[str, array[int]] = {}
    for row, stream in enumerate(found[source["stream"]]):
        held = places.get(stream)
        if held is None:
            held = places[stream] = array("q")
        if values[row] is not None:
            held.append(row)
    for stream, rows in places.items():
        yield (
            stream,
            Readings(
                array("q", [times[i] for i in rows]),
                array("d", [values[i] for i in rows]),  # type: ignore[misc]
                bytearray(adjusted[i] for i in rows),
            ),
        )


def _unkept(found: Table, source: Table, where: str) -> Iterator[int]:
    """Rows whose flag is none of those to keep: they count as rows without a number."""
    rule = source.get("keep")
    if rule is None:
        return
    if rule["column"] not in found:
        raise UnusableInput(f"the audit finds no column {rule['column']!r} ({where})")
    for row, flag in enumerate(found[rule["column"]]):
        if flag not in rule["values"]:
            yield row


def _ordered(texts: Sequence[str], rule: Table, where: str) -> None:
    """Refuse what no page says: how rows of many streams tell two passes of an hour apart."""
    if rule.get("repeated") != "file_order" or rule.get("zone", "offset") == "offset":
        return
    clock = Clock(rule["zone"])
    for text in set(texts):
        first, second = clock.passes(walls([text], rule, where)[0])
        if first < second:
            raise UnusableInput(
                f"the audit does not tell two passes of an hour apart by the order of a long file, "
                f"since no page says how: {text!r} ({where})"
            )
