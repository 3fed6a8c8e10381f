"""The selection manifest: one line an identity, in order; and what differs from a frozen one.

A line is the split, a tab and the identity as canonical JSON. Lines that begin with `#` say what
the file is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchwright.canonical import canonical_json
from benchwright.errors import FormatError
from benchwright.suites.telemetry.families.select import Chosen


def manifest_lines(chosen: Iterable[Chosen]) -> list[str]:
    """The manifest of a selection."""
    return [f"{c.split}\t{canonical_json(c.candidate.identity).decode()}" for c in chosen]


def read_manifest(text: str) -> list[str]:
    """Lines of a manifest file."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def refuse_other(found: Sequence[str], frozen: Sequence[str], where: object) -> None:
    """Stop where a selection is not the frozen one, to the order.

    Raises:
        FormatError: an identity is doubled, missing, new or in another place; the first is named.
    """
    doubled = _first_doubled(frozen)
    if doubled is not None:
        raise _differs("identity is doubled in the frozen selection", doubled, where)
    if list(found) == list(frozen):
        return
    known, there = set(frozen), set(found)
    for line in frozen:
        if line not in there:
            raise _differs("identity of the frozen selection is not selected", line, where)
    for line in found:
        if line not in known:
            raise _differs("identity is not in the frozen selection", line, where)
    moved = next(b for a, b in zip(found, frozen, strict=True) if a != b)
    raise _differs("identity of the frozen selection stands in another place", moved, where)


def _first_doubled(lines: Sequence[str]) -> str | None:
    seen: set[str] = set()
    for line in lines:
        if line in seen:
            return line
        seen.add(line)
    return None


def _differs(problem: str, line: str, where: object) -> FormatError:
    return FormatError(
        problem,
        value=line.replace("\t", " "),
        where=where,
        hint="The data or the contract changed; restore them, or freeze the selection anew.",
    )
