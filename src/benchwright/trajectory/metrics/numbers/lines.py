"""Which lines of an output are read for numeric values, and by which rule the others are not.

Takes the text of one output and what is known of it (`Display`); gives for each line what is to be
read of it, or the name of the rule (`LINE_RULES`) that leaves it out. Rules are tried in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchwright.trajectory.metrics.numbers import patterns
from benchwright.trajectory.metrics.numbers.display import Display, is_source
from benchwright.trajectory.metrics.numbers.stretches import Stretches, frames, metadata

LINE_RULES = {
    "harness": "refusals and errors of the harness itself",
    "metadata": "what the tool puts around its output",
    "source": "displays of programs and bodies of diffs",
    "traceback": "tracebacks and stack lines",
    "warning": "warnings and errors, also with a location",
    "frame": "code shown under a failure or finding",
    "fence": "fenced code in a programming language",
    "prompt": "echoed commands",
    "payload": "encoded data and hexadecimal dumps",
    "process": "announcements of background jobs",
    "mode": "file modes",
}

_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"\b(?:nan|inf)", re.IGNORECASE)
_BEGINNING = 2000
"""Characters by which a line is judged: what tools print says what it is at its beginning."""
_RULES = (
    ("payload", patterns.HEXDUMP),
    ("mode", patterns.MODE),
    ("process", patterns.BACKGROUND_JOB),
    ("traceback", patterns.STACK),
    ("warning", patterns.LOCATION),
    ("prompt", patterns.PROMPT),
)


class Line(NamedTuple):
    """`text` to be read, or the `rule` that leaves the line out."""

    text: str
    rule: str


def judge(text: str, display: Display) -> Iterator[Line]:
    """One `Line` for each line of `text` (split at line feeds), in order."""
    if "\x1b" in text:
        text = patterns.ANSI.sub("", text)
    whole = whole_rule(display)
    if whole:
        return (Line(line, whole) for line in text.split("\n"))
    return _Reader(text, display).read()


def whole_rule(display: Display) -> str:
    """The rule that leaves out an output as a whole; "" where it is read line by line."""
    if display.harness:
        return "harness"
    if display.payload:
        return "payload"
    return "source" if display.source == "all" else ""


class _Reader:
    """Goes through the lines of one output."""

    def __init__(self, text: str, display: Display) -> None:
        lines = text.split("\n")
        self._display = display
        self._words = _WORD.search(text) is not None
        cut = any(mark in text for mark in patterns.CUT_MARKS)
        self._meta = metadata(lines, search=display.search, cut=cut)
        self._nodes = "[" in text and _has_nodes(lines)
        self._lines = _without_numbers(lines) if display.numbered else lines
        marked = any(mark in text for mark in "^❯>")
        self._frames = frames(self._lines) if marked else set()
        self._stretches = Stretches()
        self._ids: tuple[int, ...] = ()
        """Columns of process ids in the table at hand."""

    def read(self) -> Iterator[Line]:
        """Every line, judged."""
        for number, raw in enumerate(self._lines):
            line = raw.rstrip("\r")
            rule = "metadata" if number in self._meta else self._stretches.rule(line)
            rule = rule or ("frame" if number in self._frames else "")
            if rule:
                yield Line(line, rule)
            elif not _DIGIT.search(line) and not (self._words and _WORD.search(line)):
                self._heading(line)
                yield Line("", "")
            else:
                yield self._judge(number, line)

    def _judge(self, number: int, line: str) -> Line:
        line, rule = self._without_prefix(number, line)
        listed = None if rule else patterns.LISTING.match(line)
        if listed is not None:
            return Line(f"{listed.group(1)} {listed.group(2)}", "")
        rule = rule or self._rule(line)
        return Line(line, rule) if rule else Line(_unescaped(self._without_ids(line)), "")

    def _without_prefix(self, number: int, line: str) -> tuple[str, str]:
        """The line without what a reader or a search puts before it."""
        if self._display.hits:
            found = patterns.PATH_HIT.match(line)
            if found is not None:
                return line[found.end() :], "source" if is_source(found.group(1)) else ""
        if self._nodes:
            line = patterns.NODE.sub("", line)
        if number == 0 or number - 1 in self._meta:
            line = patterns.LABEL.sub("", line)
        return line, ""

    def _rule(self, line: str) -> str:
        line = line[:_BEGINNING]
        if _severe(line):
            return "warning"
        for rule, pattern in _RULES:
            if pattern.match(line):
                return rule
        code = self._display.source == "some" and patterns.CODE.search(line)
        return "source" if code else ""

    def _heading(self, line: str) -> None:
        """Notice the heading of a table of processes, and the end of one."""
        words = line.split()
        if "PID" in words:
            self._ids = tuple(n for n, w in enumerate(words) if w in patterns.PROCESS_COLUMNS)
        elif not words:
            self._ids = ()

    def _without_ids(self, line: str) -> str:
        if not self._ids:
            return line
        return " ".join(w for n, w in enumerate(line.split()) if n not in self._ids)


def _severe(line: str) -> bool:
    found = patterns.SEVERITY.match(line)
    if found is None:
        return False
    lead = found.group("lead").strip()
    return lead in ("", "E", "npm", "yarn") or lead[-1] in ":])>|-[(" or lead[-1].isdigit()


def _unescaped(line: str) -> str:
    """Carriage returns and, where text is quoted, the escapes of JSON as white space."""
    line = line.replace("\r", " ")
    if '"' in line and "\\" in line:
        line = re.sub(r"\\[nrt]", " ", line.replace('\\"', '"'))
    return line


def _has_nodes(lines: Sequence[str]) -> bool:
    """Whether most lines begin with the id of a node of a page."""
    return sum(patterns.NODE.match(line) is not None for line in lines) * 2 > len(lines) > 3


def _without_numbers(lines: Sequence[str]) -> Sequence[str]:
    """Lines without the numbers that a reader or a search put before them, if it did so."""
    found = [patterns.NUMBERED.match(line) or patterns.LINE_HIT.match(line) for line in lines]
    full = sum(1 for line in lines if line.strip())
    if sum(1 for match in found if match) * 2 < full:
        return lines
    return [line[m.end() :] if m else line for line, m in zip(lines, found, strict=True)]
