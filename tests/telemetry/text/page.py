"""docs/text-channel.md as cases: every row of its tables of examples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[3] / "docs" / "text-channel.md"
KINDS = ("accepted", "rejected", "contradicted")


@dataclass(frozen=True)
class Example:
    """One row: a text and what it reads."""

    section: str
    kind: str
    text: str
    said: dict[str, Any]
    unread: dict[str, str]
    asks: tuple[str, ...]
    nothing: bool


def examples() -> Iterator[Example]:
    """Every example of the page."""
    section = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        section = line.removeprefix("### ") if line.startswith("### ") else section
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 3 and cells[0] in KINDS:
            yield _example(section, *cells)


def _example(section: str, kind: str, text: str, reads: str) -> Example:
    said: dict[str, Any] = {}
    unread: dict[str, str] = {}
    asks: list[str] = []
    for part in reads.split("; "):
        name, _, rest = part.partition(" ")
        if rest.startswith("= "):
            said[name] = json.loads(rest[2:])
        elif name == "asks":
            asks.append(rest)
        elif rest:
            unread[name] = rest
    return Example(section, kind, text, said, unread, tuple(asks), reads == "nothing")
