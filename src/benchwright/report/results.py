"""Tables of results as blocks: takes the rows that `stats` counted and only sets them out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from benchwright.report.naming import Naming
from benchwright.report.page import (
    Badge,
    Cell,
    Column,
    Grid,
    Legend,
    Matrix,
    Section,
    Share,
    SharePart,
    Table,
    Tone,
)
from benchwright.report.words import counted, metric_words
from benchwright.stats.accuracy import AccuracyRow, AgentKey
from benchwright.stats.confusion import Confusion
from benchwright.stats.coverage import Coverage

COUNT_WORDS = {
    "planned": "episodes that the run owes: each task, once per agent and trial",
    "finished": "episodes that ended, well or not, and have their closing record",
    "scored": "episodes whose answer kept to the task's contract and has a score",
    "invalid": Naming().invalid,
    "missing": "episodes without a score, by whose fault; nothing is put in their place",
}


_SHORTLIST = {
    "shortlist": "mean over episodes of what samples earn: 1/m for m labels with the truth"
}


@dataclass(frozen=True, slots=True)
class Layout:
    """How a suite wants its axes to be read."""

    column: str
    """The axis whose values stand beside each other, e.g. `system`."""
    conditions: tuple[str, ...]
    """The axes whose combinations stand below each other."""
    words: Callable[[Mapping[str, str]], str]
    """A condition as a short phrase."""
    order: Mapping[str, Sequence[str]]
    """Values of an axis in the order to read them; others follow by name."""
    apart: tuple[str, ...] = ()
    """Axes whose values never share a confusion matrix."""
    apart_words: Callable[[Mapping[str, str]], tuple[str, str]] = lambda named: ("", "")
    """What values of these axes add to a heading, and a note below it; empty for the usual ones."""
    naming: Naming = field(default_factory=Naming)
    metrics: Mapping[str, str] = field(default_factory=lambda: dict(_SHORTLIST))
    """What further metrics mean, by name."""
    means: tuple[str, ...] = ()
    """Metrics whose means stand in the main table, behind the share of all."""
    beside: tuple[str, ...] = ("shortlist",)
    """Metrics whose means stand beside the figures; of the same samples as these."""
    hidden_beside: tuple[str, ...] = ("heldout_shortlist",)
    """The same for held-out samples."""
    folded: bool = False
    """Whether columns are too many for one line, and stand in a table of their own."""

    def rank(self, named: Mapping[str, str]) -> tuple[tuple[int, str], ...]:
        """Where a condition stands among others."""
        return tuple(self._place(axis, named[axis]) for axis in self.conditions)

    def _place(self, axis: str, value: str) -> tuple[int, str]:
        known = list(self.order.get(axis, ()))
        return (known.index(value) if value in known else len(known), value)


def count_words(naming: Naming) -> dict[str, str]:
    """What the columns of counts mean."""
    return {**COUNT_WORDS, "invalid": naming.invalid}


def count_columns(naming: Naming) -> tuple[Column, ...]:
    """Heads of planned, finished, scored, invalid and missing."""
    words = count_words(naming).items()
    return tuple(Column(title, number=True, hint=hint) for title, hint in words)


def agent_badges(agent: AgentKey) -> tuple[Badge, ...]:
    """What must stand beside an agent's name wherever it is shown."""
    found = []
    if agent.privileged:
        found.append(Badge("given the answers", "warn", "saw the gold; no competitor"))
    if agent.sandbox == "none":
        found.append(Badge("no sandbox", "bad", "ran without isolation"))
    return tuple(found)


def agent_cell(agent: AgentKey, href: str | None = None) -> Cell:
    """An agent with its model and its marks."""
    return Cell(agent.name, href=href, note=agent.model, badges=agent_badges(agent))


def share_cell(row: AccuracyRow | None) -> Cell:
    """A share with its interval drawn and printed; bounds instead where samples are missing."""
    if row is None:
        return Cell()
    drawn = Share(row.accuracy, row.interval, row.bounds, row.chance or None)
    if row.bounds is not None:
        note = f"{_span(row.bounds)} · {row.owed - row.judged} missing"
    else:
        note = f"{_span(row.interval)} · {row.correct}/{row.judged}"
    return Cell("–" if row.accuracy is None else f"{row.accuracy:.2f}", note=note, share=drawn)


def count_cells(coverage: Coverage) -> tuple[Cell, ...]:
    """planned, finished, scored, invalid, missing by owner."""
    missing = ", ".join(f"{number} {owner}" for owner, number in coverage.missing.items())
    return (
        Cell(str(coverage.planned)),
        Cell(str(coverage.finished)),
        Cell(str(coverage.scored)),
        Cell(str(coverage.invalid), tone="warn" if coverage.invalid else "muted"),
        Cell(missing or "0", tone="warn" if missing else "muted"),
    )


def share_legend(rows: Sequence[AccuracyRow], naming: Naming) -> Legend:
    """What the parts of a drawn share mean; bounds only where some row has them."""
    items: list[tuple[SharePart, str]] = [
        ("point", naming.point),
        ("interval", naming.interval),
    ]
    if naming.chance:
        items.append(("chance", naming.chance))
    if any(row.bounds is not None for row in rows):
        items.append(("bounds", naming.unscored))
    return Legend(tuple(items))


def result_table(
    cells: Sequence[AccuracyRow],
    pooled: Sequence[AccuracyRow],
    hidden: Sequence[AccuracyRow],
    layout: Layout,
) -> Table:
    """Agents by accuracy over all columns, one section per condition, privileged ones last.

    `hidden` are the pooled rows on held-out samples; they stand at the end of their agent's line.
    """
    names = () if layout.folded else sorted({row.group[layout.column] for row in cells})
    at = {(*_where(row, layout), row.group[layout.column]): row for row in cells}
    unseen = {_where(row, layout): row for row in hidden}

    def line(row: AccuracyRow) -> tuple[Cell, ...]:
        key = _where(row, layout)
        return (
            agent_cell(row.agent),
            share_cell(row),
            *(Cell(_mean(row.means, name)) for name in layout.means),
            *(share_cell(at.get((*key, name))) for name in names),
            *((share_cell(unseen.get(key)),) if unseen else ()),
            *count_cells(row.coverage),
        )

    held = (Column("held-out", hint="submitted rules on samples that no agent saw"),)
    means = (Column(metric_words(name), True, "mean over episodes") for name in layout.means)
    heads = (Column("agent"), Column("all"), *means, *map(Column, names))
    heads = (*heads, *(held if unseen else ()), *count_columns(layout.naming))
    return Table(heads, _sections(pooled, layout, line), note=layout.naming.independence)


def column_table(cells: Sequence[AccuracyRow], layout: Layout) -> Table:
    """Agents by share over columns that are too many to be drawn; one section per condition."""
    names = sorted({row.group[layout.column] for row in cells})
    at = {(*_where(row, layout), row.group[layout.column]): row for row in cells}
    firsts = {_where(row, layout): row for row in reversed(cells)}

    def line(row: AccuracyRow) -> tuple[Cell, ...]:
        own = (at.get((*_where(row, layout), name)) for name in names)
        return agent_cell(row.agent), *map(_short_share, own)

    heads = (Column("agent"), *(Column(name.replace("_", " "), True) for name in names))
    note = f"Share, and {layout.naming.many} of those with a known outcome; intervals: Figures."
    order = sorted(firsts.values(), key=lambda row: row.agent)
    return Table(heads, _sections(order, layout, line), note=note)


def _short_share(row: AccuracyRow | None) -> Cell:
    if row is None or row.accuracy is None:
        return Cell("–", tone="muted")
    missing = f", {row.owed - row.judged} missing" if row.owed > row.judged else ""
    tone: Tone = "good" if row.accuracy == 1 else "bad" if row.accuracy == 0 else "plain"
    return Cell(f"{row.accuracy:.2f}", note=f"{row.correct}/{row.judged}{missing}", tone=tone)


def figure_table(rows: Sequence[AccuracyRow], layout: Layout, beside: Sequence[str]) -> Table:
    """Every figure of every agent and condition, for reading off.

    `beside` are metrics whose means stand beside the share: all must be of the same samples.
    """
    naming = layout.naming
    heads = (
        Column("agent"), Column(layout.column), Column("right", True), Column("of", True),
        Column(naming.title.lower(), True), Column("95 % interval", True, naming.interval),
        Column("bounds", True, f"if missing {naming.many} were all wrong, and all right"),
        Column("chance", True), Column("p", True, "exact, one-sided, against guessing"),
        *(Column(metric_words(name), True, "mean over episodes") for name in beside),
        *count_columns(naming),
    )  # fmt: skip

    def line(row: AccuracyRow) -> tuple[Cell, ...]:
        return (
            agent_cell(row.agent),
            Cell(row.group.get(layout.column, "")),
            Cell(str(row.correct)),
            Cell(str(row.judged)),
            Cell("–" if row.accuracy is None else f"{row.accuracy:.3f}"),
            Cell(_span(row.interval)),
            Cell(_span(row.bounds)),
            Cell("–" if row.chance is None else f"{row.chance:.3f}"),
            Cell("–" if row.p_above_chance is None else f"{row.p_above_chance:.2g}"),
            *(Cell(_mean(row.means, name)) for name in beside),
            *count_cells(row.coverage),
        )

    return Table(heads, _sections(rows, layout, line))


def confusion_grid(tables: Sequence[Confusion]) -> Grid:
    """Matrices side by side."""
    return Grid(tuple(_matrix(table) for table in tables))


def _matrix(table: Confusion) -> Matrix:
    unknown = counted(table.unknown, "sample")
    left_out = f"{unknown} left out: outcome not known." if table.unknown else ""
    title = " · ".join(part for part in (table.agent.name, table.agent.model) if part)
    return Matrix(
        title, table.truths, table.answers, table.counts, table.shares, left_out,
        agent_badges(table.agent),
    )  # fmt: skip


def _sections(
    rows: Sequence[AccuracyRow], layout: Layout, line: Callable[[AccuracyRow], tuple[Cell, ...]]
) -> tuple[Section, ...]:
    conditions: dict[str, list[AccuracyRow]] = {}
    for row in sorted(rows, key=lambda row: layout.rank(row.group)):
        named = {axis: row.group[axis] for axis in layout.conditions}
        conditions.setdefault(layout.words(named), []).append(row)
    sections = []
    for words, members in conditions.items():
        free = tuple(line(row) for row in members if not row.agent.privileged)
        gold = tuple(line(row) for row in members if row.agent.privileged)
        sections.append(Section(words, free))
        if gold:
            sections.append(Section("", gold, apart=True))
    return tuple(sections)


def _where(row: AccuracyRow, layout: Layout) -> tuple[object, ...]:
    return (row.agent, *(row.group[axis] for axis in layout.conditions))


def _span(pair: tuple[float, float] | None) -> str:
    return "–" if pair is None else f"{pair[0]:.2f}–{pair[1]:.2f}"


def _mean(means: Mapping[str, float], name: str) -> str:
    return f"{means[name]:.3f}" if name in means else "–"
