"""CSV files as columns of text: delimiter, encoding, rows of the header, numbers of a source."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.audit.findings import UnusableInput

Table = Mapping[str, Any]
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def columns(path: Path, table: Table) -> dict[str, tuple[str, ...]]:
    """Every column of a file by its name, in order; rows without any cell are passed over."""
    many = table.get("header_rows", 1)
    try:
        with path.open(encoding=table.get("encoding", "utf-8"), newline="") as file:
            rows = [row for row in csv.reader(file, delimiter=table.get("delimiter", ",")) if row]
        names = _names(rows[:many])
        body = zip(*rows[many:], strict=True)
        found: dict[str, tuple[str, ...]] = {name: () for name in names}
        found.update(zip(names, body, strict=False))
    except (OSError, UnicodeError, csv.Error, ValueError) as error:
        raise UnusableInput(f"no table of rows of one length: {error} ({path.name})") from error
    return found


def _names(head: Sequence[Sequence[str]]) -> list[str]:
    """The cells above each other, joined; a name that comes again gets a number."""
    seen: dict[str, int] = defaultdict(int)
    made = []
    for cells in zip(*head, strict=True):
        name = " ".join(filter(None, (c.strip() for c in cells))) or "unnamed"
        made.append(f"{name}_{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return made


def time_texts(found: Mapping[str, Sequence[str]], rule: Table, where: str) -> Sequence[str]:
    """The texts of the times of a file; of several columns, joined by a blank."""
    named = rule["column"]
    names = [named] if isinstance(named, str) else list(named)
    for name in names:
        if name not in found:
            raise UnusableInput(f"the audit finds no time column {name!r} ({where})")
    if len(names) == 1:
        return found[names[0]]
    return [" ".join(parts) for parts in zip(*(found[n] for n in names), strict=True)]


def time_columns(rule: Table) -> set[str]:
    """Names of the columns that times are made of."""
    named = rule["column"]
    return {named} if isinstance(named, str) else set(named)


def numbers(
    texts: Iterable[str], source: Table, words: Mapping[str, float], where: str
) -> dict[str, float | None]:
    """What each different cell of a source means: a double, or None for a missing one."""
    known: dict[str, float | None] = dict.fromkeys(source.get("missing", [""]))
    known.update(words)
    comma = source.get("decimal", ".") == ","
    for text in set(texts) - known.keys():
        plain = text.strip()
        if plain.lower().lstrip("+-") in ("nan", "inf", "infinity"):
            known[text] = None
            continue
        usual = plain.replace(",", ".") if comma else plain
        if not NUMBER.fullmatch(usual) or (comma and "." in plain):
            raise UnusableInput(f"a cell that is no number: {text!r} ({where})")
        known[text] = float(usual)
    return known
