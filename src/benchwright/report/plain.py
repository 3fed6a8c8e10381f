"""Blocks of pages as text for a terminal or a pipe: what a page says, without its looks.

Takes headings, texts, facts, tables, folds and conversations; other blocks are for eyes and are
passed over. No text of agents is obeyed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text as Line

from benchwright.report.dialogue import Talk, Utterance
from benchwright.report.episode_page import EpisodeView
from benchwright.report.page import Block, Cell, Facts, Fold, Heading, Section, Table, Text
from benchwright.report.story import StoryStep, stretches
from benchwright.report.terminal import print_facts, print_stretch, tame

_TONES = {"good": "green", "bad": "red", "warn": "yellow", "muted": "dim", "plain": ""}
_SPEAKERS = {"operator": "bold", "agent": "bold cyan", "call": "cyan", "note": "dim"}


def print_blocks(out: Console, blocks: Iterable[Block]) -> None:
    """Print what can be said in lines."""
    for block in blocks:
        if isinstance(block, Heading):
            out.print()
            out.print(Line(tame(block.text), "bold"))
        elif isinstance(block, Text):
            _wrapped(out, Line(tame(block.text), _TONES[block.tone]))
        elif isinstance(block, Facts):
            parts = (f"{name}: {_cell_words(cell)}" for name, cell in block.items)
            _wrapped(out, Line(tame("   ".join(parts))))
        elif isinstance(block, Table):
            _print_table(out, block)
        elif isinstance(block, Fold):
            _wrapped(out, Line(tame("  ".join(map(_cell_words, block.summary)))))
        elif isinstance(block, Talk):
            for utterance in block.utterances:
                _print_utterance(out, utterance)


def print_told(
    out: Console, view: EpisodeView, steps: Sequence[StoryStep], told: Sequence[Block]
) -> None:
    """An episode that its suite tells; where it has nothing to tell, the steps that it took."""
    out.print(Line(tame(f"{view.agent.name} on {view.condition}"), "bold"))
    print_facts(out, view)
    if told:
        print_blocks(out, told)
        return
    out.print()
    out.print(Line("What it did", "bold"))
    for stretch in stretches(steps):
        print_stretch(out, stretch)


def _print_utterance(out: Console, said: Utterance) -> None:
    head = Line(f"{said.number:>4} ", "dim") + Line(tame(said.title), _SPEAKERS[said.speaker])
    _wrapped(out, head + Line(tame(f"  {said.text}" if said.text else "")), 4)
    if said.fields:
        told = "  ".join(f"{name} {value}" for name, value in said.fields)
        _wrapped(out, Line(tame(told)), 6)
    if said.outcome:
        _wrapped(out, Line(tame(f"→ {said.outcome}"), "dim"), 6)
    for mark in said.marks:
        if mark.tone != "good":
            _wrapped(out, Line(tame(mark.text), _TONES[mark.tone]), 6)


def _print_table(out: Console, table: Table) -> None:
    for section in table.sections:
        if section.title:
            words = f"{section.title}  {section.note}" if section.note else section.title
            _wrapped(out, Line(tame(words), "bold dim"), 2)
        grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for place, column in enumerate(table.columns):
            if _filled(section, place):
                side: Literal["left", "right"] = "right" if column.number else "left"
                grid.add_column(Line(tame(column.title)), justify=side, overflow="fold")
        for row in section.rows:
            grid.add_row(*(_cell(c) for n, c in enumerate(row) if _filled(section, n)))
        for line in out.render_lines(
            grid, out.options.update(width=max(out.width - 2, 20)), pad=False
        ):
            whole = Line.assemble(*((part.text, part.style or "") for part in line))
            whole.rstrip()
            out.print(Line("  ") + whole)


def _filled(section: Section, place: int) -> bool:
    return any(_cell_words(row[place]) for row in section.rows)


def _cell(cell: Cell) -> Line:
    return Line(tame(_cell_words(cell)), _TONES[cell.tone])


def _cell_words(cell: Cell) -> str:
    badges = [f"[{badge.text}]" for badge in cell.badges]
    note = [f"({cell.note})" if cell.text else cell.note] if cell.note else []
    return " ".join(filter(None, [cell.text, *note, *badges]))


def _wrapped(out: Console, line: Line, by: int = 2) -> None:
    for part in line.wrap(out, max(out.width - by, 20)):
        part.rstrip()
        out.print(Line(" " * by) + part if part else "")
