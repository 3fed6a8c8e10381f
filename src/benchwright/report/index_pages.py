"""The pages that lead to the others: results, confusion, list of episodes, one page per task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.report.episode_page import (
    EpisodeView,
    end_badges,
    reasons_of,
    score_cells,
    task_path,
)
from benchwright.report.page import (
    Block,
    Cell,
    Code,
    Column,
    Facts,
    Heading,
    Page,
    Section,
    Table,
    Text,
)
from benchwright.report.results import (
    Layout,
    agent_badges,
    agent_cell,
    confusion_grid,
    figure_table,
    result_table,
)
from benchwright.report.viewer import READING
from benchwright.report.words import answer_words, end_words, metric_words, short_name
from benchwright.scoring.model import Check
from benchwright.stats.accuracy import AccuracyRow
from benchwright.stats.confusion import Confusion
from benchwright.tasks.model import Task

_MOST_PROBLEMS = 60


@dataclass(frozen=True, slots=True)
class Tables:
    """What `stats` counted, ready to be set out."""

    cells: Sequence[AccuracyRow]
    """Per agent, column and condition."""
    pooled: Sequence[AccuracyRow]
    """Per agent and condition, all columns together."""
    hidden_cells: Sequence[AccuracyRow]
    hidden_pooled: Sequence[AccuracyRow]
    """The same on held-out samples; empty where there are none."""
    confusions: Sequence[Confusion]


def result_page(
    facts: Mapping[str, str], notices: Sequence[str], tables: Tables, views: Sequence[EpisodeView],
    layout: Layout,
) -> Page:  # fmt: skip
    """The first page: what was run, how it came out, and what went wrong."""
    blocks: list[Block] = [Facts(tuple((name, Cell(text)) for name, text in facts.items()))]
    blocks += [Text(notice, "warn") for notice in notices]
    blocks.append(Heading("Accuracy", note="Top-1 on the samples that the agent was given."))
    blocks.append(result_table(tables.cells, tables.pooled, layout))
    if tables.hidden_pooled:
        note = "Top-1 of submitted rules on samples that the agent never saw."
        blocks.append(Heading("Accuracy on held-out samples", note=note))
        blocks.append(result_table(tables.hidden_cells, tables.hidden_pooled, layout))
    blocks += _problems(views)
    blocks += [Heading("All figures"), figure_table(tables.cells, layout)]
    if tables.hidden_cells:
        blocks += [Heading("All figures, held-out", 3), figure_table(tables.hidden_cells, layout)]
    return Page("index.html", f"{facts['suite']} results", blocks)


def confusion_page(tables: Tables, layout: Layout) -> Page:
    """Which truth was answered by which label."""
    lead = (
        "Counts of samples over all conditions. Colour is the share of the row's samples, the "
        "frame marks right answers, and the last column (–) counts samples without a usable answer."
    )
    blocks: list[Block] = []
    names = sorted({table.group[layout.column] for table in tables.confusions})
    for name in names:
        found = [table for table in tables.confusions if table.group[layout.column] == name]
        blocks += [Heading(name), confusion_grid(found)]
    return Page("confusion.html", "Confusion", blocks, lead=lead)


def episodes_page(views: Sequence[EpisodeView]) -> Page:
    """Every planned episode in one list, by condition."""
    metrics = list(dict.fromkeys(row.metric for view in views for row in view.rows))
    heads = (
        Column("agent"), *(Column(metric_words(name), True) for name in metrics),
        Column("trial", True), Column("end"), Column("id"),
    )  # fmt: skip
    conditions: dict[str, list[EpisodeView]] = {}
    for view in views:
        conditions.setdefault(view.condition, []).append(view)
    sections = tuple(
        Section(words, tuple(_episode_line(view, metrics) for view in members))
        for words, members in conditions.items()
    )
    return Page("episodes.html", "Episodes", [Table(heads, sections)])


def task_page(
    task: Task, condition: str, views: Sequence[tuple[EpisodeView, Mapping[str, Check]]],
    samples: Sequence[Block],
) -> Page:  # fmt: skip
    """One task: its exact prompt, who answered what, and its samples."""
    names = task.submission.samples
    ordered = sorted(views, key=lambda item: item[0].agent)
    heads = (Column("agent"), *(Column(short_name(name), number=True) for name in names))
    lines = tuple(_answer_line(view, checks, names) for view, checks in ordered)
    facts = Facts((
        ("answer file", Cell(task.submission.file)),
        ("labels", Cell(str(len(task.submission.labels)), note=", ".join(task.submission.labels))),
        ("samples", Cell(str(len(names)))),
        ("cluster", Cell(task.cluster)),
    ))  # fmt: skip
    note = "✓ right, ✗ wrong, – no usable answer, ? not known. The answer is shown on hovering."
    blocks: list[Block] = [
        facts,
        Heading("Who got which sample", note=note),
        Table(heads, (Section("", lines),)),
        Heading("Samples", note=READING),
        *samples,
        Heading("The exact prompt"),
        Code(task.instruction, caption="instruction.md"),
    ]
    return Page(task_path(task), condition, blocks, kicker=Cell("Task"), lead=task.id)


def _episode_line(view: EpisodeView, metrics: Sequence[str]) -> tuple[Cell, ...]:
    scores = score_cells(view.rows)
    end = "–" if view.episode is None else view.episode.end.kind.replace("_", " ")
    return (
        Cell(view.agent.name, view.path, agent_badges(view.agent), note=_under(view)),
        *(scores.get(metric, Cell()) for metric in metrics),
        Cell(str(view.planned.trial)),
        Cell(end, badges=tuple(b for b in end_badges(view) if b.text != end)),
        Cell(view.planned.id[-12:], tone="muted"),
    )


def _problems(views: Sequence[EpisodeView]) -> list[Block]:
    found = [view for view in views if end_badges(view)]
    if not found:
        return [Heading("What went wrong"), Text("Nothing: every episode ended well.", "muted")]
    heads = (Column("episode"), Column("task"), Column("what"), Column("reason"))
    lines = tuple(_problem_line(view) for view in found[:_MOST_PROBLEMS])
    left = len(found) - len(lines)
    note = f"{left} more are in the list of episodes." if left else ""
    title = f"What went wrong: {len(found)} of {len(views)} episodes"
    return [Heading(title), Table(heads, (Section("", lines),), note=note)]


def _problem_line(view: EpisodeView) -> tuple[Cell, ...]:
    ended = view.episode is not None and end_words(view.episode.end, view.episode.owner)
    usual = view.episode is None or view.episode.end.kind == "returned"
    text = "" if usual or not ended else ended
    return (
        Cell(view.agent.name, view.path, note=_under(view)),
        Cell(view.condition, task_path(view.task)),
        Cell(badges=end_badges(view)),
        Cell(text, note="; ".join(reasons_of(view))),
    )


def _answer_line(
    view: EpisodeView, checks: Mapping[str, Check], names: Sequence[str]
) -> tuple[Cell, ...]:
    return (agent_cell(view.agent, view.path), *(_mark(checks.get(name)) for name in names))


def _mark(check: Check | None) -> Cell:
    if check is None or check.outcome in ("unverified", "blocked"):
        return Cell("?", tone="muted", hint="not known")
    if check.outcome == "pass":
        return Cell("✓", tone="good", hint=answer_words(check.got))
    return Cell("✗" if check.got else "–", tone="bad", hint=answer_words(check.got))


def _under(view: EpisodeView) -> str:
    return " · ".join(part for part in (view.agent.model, view.run) if part)
