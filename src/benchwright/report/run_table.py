"""The results of a run as a table for a terminal or a pipe, as roomy as its width allows.

Takes rows as `stats` counted them; prints. Lines end with their last sign, and no text of agents
is obeyed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchwright.report.naming import Naming
from benchwright.report.results import Layout
from benchwright.report.terminal import tame
from benchwright.stats.accuracy import AccuracyRow, AgentKey

_HIDDEN = "held-out"
_WHOLE = 16
"""Width of a share with its interval, or with its bounds."""


@dataclass(frozen=True, slots=True)
class RunTable:
    """What `print_run` sets out; rows as `stats` counted them."""

    cells: Sequence[AccuracyRow]
    """Per agent, column and condition."""
    pooled: Sequence[AccuracyRow]
    """Per agent and condition."""
    hidden: Sequence[AccuracyRow]
    """Per agent and condition, on held-out samples; may be empty."""
    notes: Sequence[str] = ()
    """What stands apart from the table, one line each."""


def print_run(out: Console, table: RunTable, layout: Layout) -> None:
    """Accuracy per agent, condition and column, with coverage in every line."""
    names = [] if layout.folded else sorted({r.group[layout.column] for r in table.cells})
    at = {(r.agent, layout.rank(r.group), r.group[layout.column]): r for r in table.cells}
    at |= {(r.agent, layout.rank(r.group), _HIDDEN): r for r in table.hidden}
    columns = (*names, *((_HIDDEN,) if table.hidden else ()))
    plan = _plan(out.width, columns, table.pooled, layout.folded)
    conditions: dict[str, list[AccuracyRow]] = {}
    for row in sorted(table.pooled, key=lambda row: layout.rank(row.group)):
        conditions.setdefault(layout.words(row.group), []).append(row)
    for words, rows in conditions.items():
        out.print(Text(tame(words), "bold"))
        drawn = _frame(columns, plan)
        for number, row in enumerate(rows, 1):
            shares = [at.get((row.agent, layout.rank(row.group), name)) for name in columns]
            cells = [_share(row, plan.first), *(_share(share, plan.others) for share in shares)]
            name = Text(f"{number} ", "dim") if layout.folded else Text()
            drawn.add_row(name + agent_text(row.agent), *cells, *_counts(row))
        _print_trimmed(out, drawn)
        out.print()
        if layout.folded:
            _print_trimmed(out, _columns(table.cells, rows, layout))
            out.print()
    for line in _legend(table, plan.others, layout.naming):
        for part in Text(line, "dim").wrap(out, out.width):
            part.rstrip()
            out.print(part)

    for note in table.notes:
        out.print(Text(tame(note), "yellow"))


def _legend(table: RunTable, whole: bool, naming: Naming) -> Iterator[str]:
    rows = [*table.cells, *table.pooled, *table.hidden]
    bounds = any(row.bounds is not None for row in rows)
    more = f"; [bounds] where {naming.many} are missing" if bounds else ""
    yield f"{naming.short} with {naming.interval}{more}."
    if not whole:
        yield "A wider terminal shows every interval."
    yield f"p/f/s/i: episodes planned, finished, scored, invalid ({naming.invalid_short})."
    yield "* was given the answers; ! ran without a sandbox. Who they are: benchwright agents list"


def _columns(cells: Sequence[AccuracyRow], rows: Sequence[AccuracyRow], layout: Layout) -> Table:
    """Columns that are too many for a line, below each other; agents by their number above."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column(layout.column)
    for number in range(1, len(rows) + 1):
        grid.add_column(str(number), justify="right")
    at = {(r.agent, layout.rank(r.group), r.group[layout.column]): r for r in cells}
    for name in sorted({row.group[layout.column] for row in cells}):
        shares = (at.get((row.agent, layout.rank(row.group), name)) for row in rows)
        grid.add_row(Text(tame(name)), *(_share(share, False) for share in shares))
    return grid


def agent_text(agent: AgentKey) -> Text:
    """Name, model and marks of an agent."""
    marks = ("*" if agent.privileged else "") + ("!" if agent.sandbox == "none" else "")
    text = Text(tame(agent.name + marks))
    return text.append(tame(f" {agent.model}"), "dim") if agent.model else text


@dataclass(frozen=True, slots=True)
class _Plan:
    """How wide a table is set: which shares come with their interval, and what stands between."""

    agent: int
    first: bool
    """Whether the share of all samples has its interval."""
    others: bool
    """Whether those of single columns have theirs."""
    gap: int
    counts: int
    """Columns that planned, finished, scored and invalid take."""


def _plan(width: int, columns: Sequence[str], rows: Sequence[AccuracyRow], numbered: bool) -> _Plan:
    """The roomiest setting that fits into `width`."""
    agent = min(max((agent_text(row.agent).cell_len for row in rows), default=5), 26)
    agent += 3 if numbered else 0
    missing = max((_counts(row)[1].cell_len for row in rows), default=0)
    told = max((_counts(row)[0].cell_len for row in rows), default=0)
    counts = max(11, told) + max(missing, len("missing"))
    roomy = agent + _WHOLE * (1 + len(columns)) + counts + 2 * (len(columns) + 3)
    tight = min(agent, 20) + _WHOLE + sum(map(len, columns)) + counts - 4 + len(columns) + 3
    if roomy <= width:
        return _Plan(agent, True, True, 2, max(11, told))
    fits = tight <= width
    return _Plan(min(agent, 20 if fits else 13), fits, False, 1, max(7, told))


def _frame(columns: Sequence[str], plan: _Plan) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, plan.gap, 0, 0), header_style="dim")
    table.add_column("agent", width=plan.agent)
    table.add_column("all", width=_WHOLE if plan.first else 5)
    for name in columns:
        table.add_column(Text(tame(name)), width=_WHOLE if plan.others else len(name))
    table.add_column("p/f/s/i", width=plan.counts)
    table.add_column("missing")
    return table


def _print_trimmed(out: Console, table: Table) -> None:
    """A table without the blanks that fill its last column."""
    for line in out.render_lines(table, pad=False):
        whole = Text.assemble(*((part.text, part.style or "") for part in line))
        whole.rstrip()
        out.print(whole)


def _share(row: AccuracyRow | None, whole: bool) -> Text:
    if row is None:
        return Text()
    value = "–   " if row.accuracy is None else f"{row.accuracy:.2f}"
    text = Text().append(value, "bold")
    if row.bounds is not None:
        text.append(f" [{row.bounds[0]:.2f}–{row.bounds[1]:.2f}]" if whole else "?", "yellow")
    elif whole and row.interval is not None:
        text.append(f"  {row.interval[0]:.2f}–{row.interval[1]:.2f}", "dim")
    return text


def _counts(row: AccuracyRow) -> tuple[Text, Text]:
    known = row.coverage
    numbers = (known.planned, known.finished, known.scored, known.invalid)
    missing = ", ".join(f"{n} {owner}" for owner, n in known.missing.items())
    return Text("/".join(map(str, numbers))), Text(missing or "0", "yellow" if missing else "")
