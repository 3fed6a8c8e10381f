"""Stretches of lines that one rule leaves out together: reminders, fences, diffs, tracebacks.

Takes lines in order, one at a time (`Stretches`), or all of an output (`metadata`, `frames`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchwright.trajectory.metrics.numbers import patterns

_ENDS = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit|Iteration)\b")


class Stretches:
    """Remembers which stretch the line at hand belongs to."""

    def __init__(self) -> None:
        self._reminder = self._fence = False
        self._traceback = ""
        self._old = self._new = 0
        """Lines that the hunk at hand still has of either file."""

    def rule(self, line: str) -> str:
        """The rule of the stretch that the line belongs to, opens or closes; "" where none."""
        if self._reminds(line):
            return "metadata"
        if self._fenced(line):
            return "fence"
        if self._differs(line):
            return "source"
        return "traceback" if self._traced(line) else ""

    def _reminds(self, line: str) -> bool:
        inside = self._reminder or line.lstrip().startswith("<system-reminder>")
        self._reminder = inside and "</system-reminder>" not in line
        return inside

    def _fenced(self, line: str) -> bool:
        if line.lstrip()[:3] not in ("```", "~~~"):
            return self._fence
        was, found = self._fence, patterns.FENCE.match(line)
        language = found.group(1).lower() if found else ""
        self._fence = not was and language in patterns.LANGUAGES
        return was or self._fence

    def _differs(self, line: str) -> bool:
        found = patterns.HUNK.match(line) if line.startswith("@@ -") else None
        if found is not None:
            self._old, self._new = int(found.group(1) or 1), int(found.group(2) or 1)
            return True
        sign = line[:1] or " "
        if not (self._old or self._new) or sign not in " +-\\":
            self._old = self._new = 0
            return False
        self._old -= sign in " -" and self._old > 0
        self._new -= sign in " +" and self._new > 0
        return True

    def _traced(self, line: str) -> bool:
        if "Traceback (most recent call last)" in line:
            self._traceback = "plain" if line.startswith("Traceback") else "framed"
            return True
        if not self._traceback:
            return False
        outside = line[:1] not in ("", " ", "\t", "|", "+")
        if outside and (self._traceback == "plain" or _ENDS.match(line)):
            self._traceback = ""
        return True


def metadata(lines: Sequence[str], *, search: bool, cut: bool) -> set[int]:
    """Numbers of the lines that the tool put before, after and between those of its output.

    search: whether a search tool gave them, which adds a line with the number of its hits; cut:
    whether any line says that the tool cut its output.
    """
    found = {n for n, line in enumerate(lines) if patterns.CUT.search(line)} if cut else set()
    for order, pattern in ((range(len(lines)), patterns.HEAD), (_back(lines), patterns.TAIL)):
        for n in order:
            if pattern.match(lines[n]) or (search and patterns.SUMMARY.match(lines[n])):
                found.add(n)
            elif lines[n].strip() and n not in found:
                break
    return found


def _back(lines: Sequence[str]) -> range:
    return range(len(lines) - 1, -1, -1)


def frames(lines: Sequence[str]) -> set[int]:
    """Numbers of the lines of code that are shown with a caret below or a mark before one."""
    found: set[int] = set()
    for n, line in enumerate(lines):
        caret = "^" in line and patterns.CARET.match(line)
        if caret and n and not patterns.FRAME.match(lines[n - 1]):
            found.add(n - 1)
        if caret or patterns.MARKED.match(line):
            found.add(n)
            _stretch(lines, n, -1, found)
            _stretch(lines, n, 1, found)
    return found


def _stretch(lines: Sequence[str], start: int, step: int, found: set[int]) -> None:
    """Add the lines of a frame from one of them on, up to where it was known before."""
    n = start + step
    while 0 <= n < len(lines) and n not in found and patterns.FRAME.match(lines[n]):
        found.add(n)
        n += step
