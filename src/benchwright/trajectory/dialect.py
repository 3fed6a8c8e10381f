"""What a dialect is, and how a log's dialect is found out.

Several records decide, never the first alone; when none carries the marks of a known dialect the
answer is an error that says what was seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from benchwright.errors import FormatError
from benchwright.trajectory.events import Event
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.records import Record

Lack = Literal["answers", "calls", "failures"]
"""What a format cannot say: where an answer of the model begins (`key` is a guess then), which
tools were called, whether a call failed."""


class Reader(Protocol):
    """Turns the records of one log into events; holds what it must remember between them."""

    def feed(self, record: Record) -> Iterator[Event]:
        """The events of one record, in order."""
        ...

    def end(self) -> Iterator[Event]:
        """What is known only at the end of the log."""
        ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """One log format."""

    name: str
    title: str
    shape: Literal["lines", "document", "archive"]
    looks: Callable[[Mapping[str, Any]], bool]
    """Whether an object carries marks of this dialect: a record of a `lines` log; of a document
    its top-level members, with the first item standing for each array."""
    reader: Callable[[Path, Notes], Reader]
    lacks: frozenset[Lack] = frozenset()
    """What the format has no place for."""


def vote(records: Sequence[Record], dialects: Sequence[Dialect], where: Path) -> Dialect:
    """The dialect that most of the records carry the marks of; the earlier one wins a tie."""
    votes = Counter[str]()
    for record in records:
        votes.update(d.name for d in dialects if d.looks(record.value))
    best = max(dialects, key=lambda d: votes[d.name])
    if not votes[best.name]:
        raise unknown(describe(records), where)
    return best


def describe(records: Sequence[Record]) -> str:
    """What was seen, for the error: how many records, their types, their keys."""
    if not records:
        return "no JSON object"
    types = Counter(r.value["type"] for r in records if isinstance(r.value.get("type"), str))
    keys = Counter(key for r in records for key in r.value)
    said = f"{len(records)} records with keys {', '.join(k for k, _ in keys.most_common(8))}"
    return said + (f"; types {', '.join(t for t, _ in types.most_common(6))}" if types else "")


def unknown(seen: str, where: Path) -> FormatError:
    """The error for a log that no dialect fits."""
    return FormatError(
        "not a log of a known agent",
        value=seen,
        where=where,
        hint="Name its dialect with --dialect if you know it; a wrong name lists all of them.",
    )
