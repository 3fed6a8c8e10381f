"""Trials and groups of trials as tables: takes the rows that `stats` counted, sets them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from benchwright.report.page import (
    Block,
    Cell,
    Column,
    Fold,
    FoldHead,
    Heading,
    Section,
    Share,
    Table,
    Text,
    Tone,
)
from benchwright.report.results import Layout, agent_badges, agent_cell
from benchwright.stats.groups import GroupRow, PassHat

_TRIALS = {"pass": "P", "fail": "F", "unverified": "U", "blocked": "B", "missing": "–"}
_GROUPS = {"pass": "P", "fail": "F", "unresolved": "R"}
_TITLES: Final = ("agent", "of all", "groups", "trials")
NOTE = (
    "Trials: P passed, F failed, U not verified, B blocked by a fault of somebody else, – not run. "
    "Groups, all trials of one task: P all passed, F all known and one failed, R not resolved, "
    "because one is U, B or –. Such a group stays in the denominator of 'of all'."
)
HAT_NOTE = (
    "pass^k: the chance that k trials of one task all pass, estimated without bias from the trials "
    "of each task and averaged over tasks. Interval: 95 %, tasks drawn again with replacement, "
    "with a fixed seed; where all tasks came out alike it has no width, and says nothing. Bounds "
    "stand in its place where trials are not known."
)


def group_blocks(
    cells: Sequence[GroupRow], pooled: Sequence[GroupRow], layout: Layout
) -> tuple[Block, ...]:
    """Outcomes per agent, condition and column, and pass^k; nothing where there are no rows."""
    if not pooled:
        return ()
    return (
        Heading("Trials and groups", note=NOTE, anchor="groups"),
        *group_lines(pooled, cells, layout),
        Heading("Reliability", note=HAT_NOTE, anchor="reliability"),
        hat_table(pooled, layout),
    )


def terminal_blocks(pooled: Sequence[GroupRow], layout: Layout) -> tuple[Block, ...]:
    """The same per agent and condition, for a terminal."""
    heads = (
        Column("agent"), Column("trials"), Column("groups"), Column("of all", True),
        *(Column(f"pass^{k}", True) for k in range(1, _most(pooled) + 1)),
    )  # fmt: skip
    sections: dict[str, list[tuple[Cell, ...]]] = {}
    for row in sorted(pooled, key=lambda row: _place(row, layout)):
        hats = ("–" if one.value is None else f"{one.value:.2f}" for one in row.pass_hat)
        line = (
            Cell(row.agent.name + ("*" if row.agent.privileged else "")),
            Cell(_letters(row.trials, _TRIALS)),
            Cell(_letters(row.groups, _GROUPS)),
            Cell(f"{row.share_of_all:.2f}"),
            *map(Cell, hats),
            *(Cell() for _ in range(_most(pooled) - len(row.pass_hat))),
        )
        sections.setdefault(layout.words(row.group), []).append(line)
    return (
        Heading("Trials and groups"),
        Table(heads, tuple(Section(words, tuple(own)) for words, own in sections.items())),
        Text("P passed, F failed, U not verified, B blocked, – not run; R not resolved.", "muted"),
    )


def _most(rows: Sequence[GroupRow]) -> int:
    return max((len(row.pass_hat) for row in rows), default=0)


def group_lines(
    pooled: Sequence[GroupRow], cells: Sequence[GroupRow], layout: Layout
) -> tuple[Block, ...]:
    """One line per agent and condition that opens to its columns."""
    own: dict[tuple[object, ...], list[GroupRow]] = {}
    for row in sorted(cells, key=lambda row: row.group[layout.column]):
        own.setdefault(_place(row, layout), []).append(row)
    order = sorted(pooled, key=lambda row: _place(row, layout))
    folds = (_fold(row, own.get(_place(row, layout), ()), layout) for row in order)
    return FoldHead(_TITLES, "tally"), *folds


def _fold(row: GroupRow, own: Sequence[GroupRow], layout: Layout) -> Fold:
    passed, total = row.groups["pass"], sum(row.groups.values())
    note = " · ".join(part for part in (row.agent.model, layout.words(row.group)) if part)
    trials = _letters(row.trials, _TRIALS)
    summary = (
        Cell(row.agent.name, badges=agent_badges(row.agent), note=note),
        Cell(f"{row.share_of_all:.2f}", note=f"{passed}/{total}"),
        Cell(_letters(row.groups, _GROUPS)),
        Cell(note=f"trials {trials}"),
    )
    return Fold(summary, _TITLES, (group_table_block(own, layout),), kind="tally")


def _letters(counts: Mapping[Any, int], letters: Mapping[str, str]) -> str:
    return " · ".join(f"{letters[name]} {counts[name]}" for name in letters)


def group_table_block(rows: Sequence[GroupRow], layout: Layout) -> Table:
    """One line per column."""
    heads = (
        Column(layout.column),
        *(Column(f"{letter} trials", True) for letter in _TRIALS.values()),
        *(Column(f"{letter} groups", True) for letter in _GROUPS.values()),
        Column("of all"), Column("of resolved", True),
    )  # fmt: skip
    return Table(heads, (Section("", tuple(_line(row, layout) for row in rows)),))


def hat_table(rows: Sequence[GroupRow], layout: Layout) -> Table:
    """pass^k for every k, one line per agent."""
    most = _most(rows)
    heads = (Column("agent"), *(Column(f"pass^{k}") for k in range(1, most + 1)))
    sections: dict[str, list[tuple[Cell, ...]]] = {}
    for row in sorted(rows, key=lambda row: _place(row, layout)):
        cells = tuple(hat_cell(one) for one in row.pass_hat)
        blank = (Cell(),) * (most - len(cells))
        line = (agent_cell(row.agent), *cells, *blank)
        sections.setdefault(layout.words(row.group), []).append(line)
    return Table(heads, tuple(Section(words, tuple(own)) for words, own in sections.items()))


def hat_cell(one: PassHat) -> Cell:
    """A drawn pass^k, with its interval or its bounds."""
    drawn = Share(one.value, one.interval, one.bounds)
    span = one.bounds if one.bounds is not None else one.interval
    note = "" if span is None else f"{span[0]:.2f}–{span[1]:.2f} · {one.tasks} tasks"
    return Cell("–" if one.value is None else f"{one.value:.2f}", note=note, share=drawn)


def _place(row: GroupRow, layout: Layout) -> tuple[object, ...]:
    return layout.rank(row.group), row.agent


def _line(row: GroupRow, layout: Layout) -> tuple[Cell, ...]:
    own = row.group[layout.column]
    total = sum(row.groups.values())
    share = Cell(
        f"{row.share_of_all:.2f}",
        note=f"{row.interval[0]:.2f}–{row.interval[1]:.2f} · {row.groups['pass']}/{total}",
        share=Share(row.share_of_all, row.interval),
    )
    resolved = "–" if row.share_of_resolved is None else f"{row.share_of_resolved:.2f}"
    return (
        Cell(own.replace("_", " ")),
        *(_count(number, name) for name, number in row.trials.items()),
        *(_count(number, name) for name, number in row.groups.items()),
        share,
        Cell(resolved),
    )


def _count(number: int, name: str) -> Cell:
    if not number:
        return Cell("0", tone="muted")
    tones: dict[str, Tone] = {"pass": "good", "fail": "bad"}
    return Cell(str(number), tone=tones.get(name, "warn"))
