"""Patches in the three forms that logs hold, applied to text.

`parse_patch` reads the `*** Begin Patch` form (hunks found by context, no line numbers),
`apply_unified` a unified diff, `apply_structured` the list of hunks of a structured result. Each
answers None where the text does not fit: nothing is applied by guess.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_FILE = re.compile(r"\*\*\* (Add|Update|Delete) File: (.+)")
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that are looked for and what stands there afterwards, without line ends."""

    context: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    at_end: bool = False


@dataclass(frozen=True, slots=True)
class FilePatch:
    """One file of a patch. `text` is the whole new file for `add`, else None."""

    action: str
    """add, update or delete."""
    path: str
    moved_to: str | None
    text: str | None
    hunks: tuple[Hunk, ...]


def parse_patch(text: str) -> tuple[FilePatch, ...]:
    """The files of a `*** Begin Patch` text; empty where it is none."""
    lines = text.replace("\r\n", "\n").split("\n")
    try:
        start = next(i for i, line in enumerate(lines) if line.strip() == "*** Begin Patch")
    except StopIteration:
        return ()
    files: list[FilePatch] = []
    block: list[str] = []
    head: re.Match[str] | None = None
    for line in [*lines[start + 1 :], "*** End Patch"]:
        found = _FILE.match(line)
        if found or line.strip() == "*** End Patch":
            if head:
                files.append(_file(head.group(1).lower(), head.group(2).strip(), block))
            head, block = found, []
            if not found:
                break
        else:
            block.append(line)
    return tuple(files)


def _file(action: str, path: str, block: list[str]) -> FilePatch:
    moved = None
    if block and block[0].startswith("*** Move to: "):
        moved = block.pop(0)[13:].strip()
    if action == "add":
        body = [line[1:] for line in block if line.startswith("+")]
        return FilePatch(action, path, None, "".join(f"{line}\n" for line in body), ())
    return FilePatch(action, path, moved, None, tuple(_hunks(block)))


def _hunks(block: Sequence[str]) -> list[Hunk]:
    hunks: list[Hunk] = []
    context, at_end, started = "", False, False
    before: list[str] = []
    after: list[str] = []

    def close() -> None:
        if started:
            hunks.append(Hunk(context, tuple(before), tuple(after), at_end))

    for line in block:
        if line.startswith("@@"):
            close()
            context, before, after, at_end, started = line[2:].strip(), [], [], False, False
        elif line.strip() == "*** End of File":
            at_end = True
        else:
            started = True
            mark, rest = line[:1], line[1:]
            if mark != "+":
                before.append(rest)
            if mark != "-":
                after.append(rest)
    close()
    return hunks


def apply_hunks(text: str, hunks: Sequence[Hunk]) -> str | None:
    """`text` with the hunks applied in order; None where lines or header of one are not there."""
    lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")
    at = 0
    for hunk in hunks:
        before, after = _trimmed(lines, hunk, at)
        begin = _after_context(lines, hunk.context, at)
        place = None if begin is None else _find(lines, before, begin, hunk.at_end)
        if place is None:
            return None
        lines[place : place + len(before)] = after
        at = place + len(after)
    return "\n".join(lines) + ("\n" if lines else "")


def _trimmed(lines: list[str], hunk: Hunk, at: int) -> tuple[list[str], list[str]]:
    """Blank lines that only end the patch block are no part of the hunk."""
    before, after = list(hunk.before), list(hunk.after)
    while (
        before
        and after
        and before[-1] == after[-1] == ""
        and _find(lines, before, at, hunk.at_end) is None
    ):
        before.pop()
        after.pop()
    return before, after


def _after_context(lines: list[str], context: str, at: int) -> int | None:
    if not context:
        return at
    for number in range(at, len(lines)):
        if lines[number].strip() == context:
            return number + 1
    return None


def _find(lines: list[str], wanted: Sequence[str], at: int, at_end: bool) -> int | None:
    if not wanted:
        return len(lines)
    last = len(lines) - len(wanted)
    places = [last] if at_end else range(at, last + 1)
    for clean in (str, str.rstrip, str.strip):
        target = [clean(line) for line in wanted]
        for place in places:
            if place >= 0 and [clean(x) for x in lines[place : place + len(wanted)]] == target:
                return place
    return None


def apply_unified(text: str, diff: str) -> str | None:
    """`text` with a unified diff applied at its line numbers; None where it does not fit."""
    hunks: list[Mapping[str, Any]] = []
    for line in diff.split("\n"):
        found = _HUNK.match(line)
        if found:
            hunks.append({"oldStart": int(found.group(1)), "lines": []})
        elif hunks and line[:1] in (" ", "+", "-", "\\"):
            hunks[-1]["lines"].append(line)
        elif hunks and line == "":
            hunks[-1]["lines"].append(" ")
    while hunks and hunks[-1]["lines"] and hunks[-1]["lines"][-1] == " ":
        hunks[-1]["lines"].pop()
    return apply_structured(text, hunks) if hunks else None


def apply_structured(text: str, hunks: Sequence[Mapping[str, Any]]) -> str | None:
    """`text` with hunks `{oldStart, lines}` applied; None where their old lines are not there."""
    lines = text.split("\n")
    shift = 0
    for hunk in hunks:
        try:
            body = [str(line) for line in hunk["lines"]]
            start = int(hunk["oldStart"])
        except (KeyError, TypeError, ValueError):
            return None
        body, ending = _ending(body)
        before = [line[1:] for line in body if line[:1] != "+"]
        after = [line[1:] for line in body if line[:1] != "-"]
        place = max(start - 1, 0) + shift if before else start + shift
        if lines[place : place + len(before)] != before:
            return None
        lines[place : place + len(before)] = after
        shift += len(after) - len(before)
        lines = _with_ending(lines, place + len(after), ending)
    return "\n".join(lines)


def _ending(body: list[str]) -> tuple[list[str], str]:
    """Takes out the lines that say "no newline"; says at which sides they stood."""
    sides = ""
    kept: list[str] = []
    for line in body:
        if line.startswith("\\"):
            sides += kept[-1][:1] if kept else ""
        else:
            kept.append(line)
    return kept, sides


def _with_ending(lines: list[str], end: int, sides: str) -> list[str]:
    if sides == "-" and end == len(lines):
        return [*lines, ""]
    if sides == "+" and lines[end:] == [""]:
        return lines[:end]
    return lines
