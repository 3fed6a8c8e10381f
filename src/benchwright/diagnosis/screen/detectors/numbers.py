"""Values in the report that no run printed and no file holds. facts: arft 9 (D.6), coverage R65.

A value counts only where the agent typed it itself: a report that a program wrote holds what was
computed. It stands somewhere if a number of the run rounds to it, as percent or fraction, under
another prefix of a unit, or if it follows from two values beside it or from a column of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.phrases import template
from benchwright.diagnosis.screen.quantities import (
    CONSTANTS,
    SHARES,
    Pool,
    Quantity,
    changed,
    derived,
    intervals,
    loose,
    products,
    quantities,
    statistics,
    totals,
)
from benchwright.diagnosis.screen.report import Said, echoes, sayings, tells
from benchwright.diagnosis.screen.story import Story
from benchwright.trajectory.metrics.numbers.literals import tokens

_DIGITS = 3
_MOST = 8
"""Values that a finding names."""
_WINDOW = 1
"""Lines on either side of a value whose numbers it may follow from."""
_CROWDED, _SHORT = 6, 80
"""Numbers of a line, and of one output; of more, two of them give almost any third."""
_BEFORE, _ROW, _VALUES = 80, 60, 2_000
"""Characters before a value that say what it is; most values of a line and of a text."""
_TABLES = (".csv", ".tsv", ".json", ".txt")
_COMMA = re.compile(r"(?<![\d,.])(\d{1,9}),(\d{1,9})(?![\d,.])")
"""A decimal comma, or what could be one."""
_NOT_OURS = template("numbers", "{not_ours}")
_SETTING = template("numbers", r"\b{setting}\b[^.;|]{0,24}$")


def number_unfound(story: Story) -> Iterator[Found]:
    """One finding for each text of the report that states such values."""
    if story.partial:
        return
    if not any(act.output for act in story.calls()) or _looked_at_pictures(story):
        return
    known = _Known(story)
    for said in sayings(story):
        typed = said.text if said.act is not None else known.typed_for(said.name)
        if not typed:
            continue
        lost = list(_lost(said, typed, known))
        if lost:
            first = lost[:_MOST]
            places = tuple(said.at(story, quantity.text) for quantity in first)
            values = ", ".join(quantity.text for quantity in first)
            more = f" and {len(lost) - _MOST} more" if len(lost) > _MOST else ""
            yield Found(
                f"{said.name} states {values}{more}: no output and no file holds it", places
            )


def _looked_at_pictures(story: Story) -> bool:
    """Whether a value can have been read off a picture."""
    return any(a.is_a("view") or (a.result is not None and a.result.images) for a in story.calls())


class _Known:
    """All numbers that stand in the run, but for those of its report."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.pool = Pool(_all_values(story))
        self.follows = Pool(_that_follow(story))

    def typed_for(self, path: str) -> str:
        """What the agent typed in the calls that wrote a file."""
        numbers = self.story.files.writers(path)
        return "\n".join(self.story.acts[n].typed for n in numbers)

    def holds(self, quantity: Quantity, around: list[float]) -> bool:
        if self.pool.holds(quantity) or self.follows.holds(quantity, SHARES):
            return True
        return Pool(derived(around)).holds(quantity, SHARES)


def _lost(said: Said, typed: str, known: _Known) -> Iterator[Quantity]:
    lines = said.prose().split("\n")
    found = [list(_stated(line)) for line in lines]
    asked = 0
    for number, line in enumerate(lines):
        if _NOT_OURS.search(line) or len(found[number]) > _ROW:
            continue
        asked += len(found[number])
        if asked > _VALUES:
            return
        for quantity in found[number]:
            if quantity.digits < _DIGITS or quantity.text not in typed:
                continue
            if not quantity.decimal and quantity.digits < _DIGITS + 1:
                continue
            if _SETTING.search(line[max(0, quantity.start - _BEFORE) : quantity.start]):
                continue
            near = found[max(0, number - _WINDOW) : number + _WINDOW + 1]
            around = [q.value for row in near for q in row if q is not quantity][:40]
            beside = [q.value for q in found[number] if q is not quantity][:8]
            if quantity.value in CONSTANTS or Pool(products(beside)).holds(quantity, SHARES):
                continue
            if not known.holds(quantity, around):
                yield quantity


def _stated(line: str) -> Iterator[Quantity]:
    """Numbers of a line that are values: not of dates, versions, names, paths and addresses."""
    taken = {token.start for token in tokens(line) if token.values == 0}
    spans = [(start, _end_of_word(line, start)) for start in taken]
    for quantity in quantities(line):
        inside = any(start <= quantity.start < end for start, end in spans)
        year = not quantity.decimal and 1800 <= quantity.value <= 2100 and not quantity.percent
        if not inside and not year:
            yield quantity


def _end_of_word(line: str, start: int) -> int:
    found = re.compile(r"\s").search(line, start)
    return found.start() if found else len(line)


def _all_values(story: Story) -> Iterator[float]:
    for text in _texts(story):
        yield from (quantity.value for quantity in quantities(text))
        yield from loose(text)
        yield from (float(f"{m[1]}.{m[2]}") for m in _COMMA.finditer(text))


def _texts(story: Story) -> Iterator[str]:
    """Task, outputs, code that was typed, files that are no report."""
    for act in story.acts:
        if act.call is None:
            if act.who != "agent":
                yield act.text
            continue
        yield "" if echoes(act, story) or act.is_a("submit") else act.output
        if act.command and not _writes_report(act.command):
            yield act.command
        elif act.is_a("write", "edit", "patch") and not tells(act.path):
            yield act.typed
    for path in story.files.handed_in():
        if not tells(path):
            yield story.files.text(path) or ""


def _writes_report(command: str) -> bool:
    return (
        re.search(r"[\w./-]*(?:report|paper|decision|summary)[\w-]*\.(?:md|json|txt|tex)", command)
        is not None
    )


def _that_follow(story: Story) -> Iterator[float]:
    """What follows from few numbers that stand together, and from the columns of tables."""
    shown = (a for a in story.calls() if not a.is_a("submit") and not echoes(a, story))
    for text in (act.output for act in shown):
        rows = _rows(text)
        count = sum(map(len, rows))
        if count <= _SHORT:
            yield from _of_neighbours(rows)
        if count <= 2 * _CROWDED:
            together = [value for row in rows for value in row]
            yield from intervals(together)
            yield from changed(together)
            yield from totals([row[-1] for row in rows if row])
        yield from _of_columns(rows)
    for path in story.files.handed_in():
        if path.lower().endswith(_TABLES) and not tells(path):
            rows = _rows(story.files.text(path) or "")
            yield from _of_columns(rows)
            if path.endswith(".json") and sum(map(len, rows)) <= _SHORT:
                yield from _of_neighbours(rows)


def _rows(text: str) -> list[list[float]]:
    return [[q.value for q in quantities(line)] for line in text.split("\n")]


def _of_neighbours(rows: list[list[float]]) -> Iterator[float]:
    """Of the numbers of one line, and of numbers in the same place of two lines that follow."""
    for number, row in enumerate(rows):
        if len(row) <= _CROWDED:
            yield from derived(row)
        for below in rows[number + 1 : number + 3]:
            if len(below) == len(row):
                for pair in zip(row, below, strict=True):
                    yield from derived(pair)


def _of_columns(rows: list[list[float]]) -> Iterator[float]:
    """Of each run of rows with equally many numbers; column by column."""
    block: list[list[float]] = []
    for row in [*rows, []]:
        if block and len(row) != len(block[0]):
            yield from _columns(block)
            block = []
        if row:
            block.append(row)


def _columns(block: Iterable[list[float]]) -> Iterator[float]:
    for column in zip(*block, strict=True):
        yield from statistics(list(column))
