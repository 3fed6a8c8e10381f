"""The pages that lead to the others: results, confusion, list of episodes, one page per task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from benchwright.report.episode_page import (
    EpisodeView,
    end_badges,
    said,
    said_tone,
    score_cells,
    task_path,
)
from benchwright.report.page import (
    Block,
    Cell,
    Code,
    Column,
    Facts,
    Grid,
    Heading,
    Page,
    Section,
    Table,
    Terms,
    Text,
)
from benchwright.report.problems import problem_blocks, under_agent
from benchwright.report.references import PAPERS
from benchwright.report.results import (
    Layout,
    agent_badges,
    column_table,
    confusion_grid,
    count_words,
    figure_table,
    result_table,
    share_legend,
)
from benchwright.report.suite import Opening
from benchwright.report.viewer import READING
from benchwright.report.words import metric_words, sample_anchor, sentence, short_name
from benchwright.scoring.model import Check
from benchwright.stats.accuracy import AccuracyRow, AgentKey
from benchwright.stats.confusion import Confusion
from benchwright.tasks.model import Task


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
    more: Sequence[Block] = ()
    """What a suite shows below the main table."""


@dataclass(frozen=True, slots=True)
class About:
    """What is told of the runs beside their numbers."""

    facts: Mapping[str, str]
    notices: Sequence[str]
    """What a reader must know before the first number."""
    agents: Sequence[tuple[AgentKey, str]]
    """Who took part, and what each of them is."""


def result_page(
    opening: Opening, about: About, tables: Tables, views: Sequence[EpisodeView], layout: Layout
) -> Page:
    """The first page: what this is about, how it came out, and what went wrong."""
    naming = layout.naming
    note = naming.note
    if tables.hidden_pooled:
        note += (
            " Held-out: the same for a submitted rule on samples that no agent saw, all of "
            f"them together; by {layout.column} under Figures."
        )
    blocks: list[Block] = [*opening.blocks, Heading("What was run")]
    blocks.append(Facts(tuple((name, Cell(text)) for name, text in about.facts.items())))
    blocks += [Text(notice, "warn") for notice in about.notices]
    blocks += [
        Heading(naming.title, note=note, anchor="accuracy"),
        share_legend([*tables.cells, *tables.pooled, *tables.hidden_pooled], naming),
        result_table(tables.cells, tables.pooled, tables.hidden_pooled, layout),
        *([column_table(tables.cells, layout)] if layout.folded else []),
        *tables.more,
        Grid((_agents(about), _columns(layout, bool(tables.hidden_pooled)))),
        *problem_blocks(views),
        Heading("References", note="What benchwright follows, and for what."),
        Terms("", tuple((Cell(title), use) for title, use in PAPERS)),
    ]
    kicker = Cell(f"{about.facts['suite']}: to the results ↓", "index.html#accuracy")
    return Page("index.html", opening.title, blocks, opening.lead, kicker)


def figures_page(tables: Tables, layout: Layout) -> Page:
    """Every figure of every agent, column and condition, for reading off."""
    lead = f"One line per agent, {layout.column} and condition. –: not known or not applicable."
    several = layout.naming.many == "samples"
    given = [Heading("On the samples that agents were given")] if several else []
    blocks: list[Block] = [
        *given,
        Grid((_figure_words(layout),)),
        figure_table(tables.cells, layout, layout.beside),
    ]
    if tables.hidden_cells:
        note = "Submitted rules on samples that no agent saw."
        blocks.append(Heading("On held-out samples", note=note))
        blocks.append(figure_table(tables.hidden_cells, layout, layout.hidden_beside))
    return Page("figures.html", "Figures", blocks, lead=lead)


def _figure_words(layout: Layout) -> Terms:
    """What columns of figures mean; on a page, because a phone shows no hint."""
    naming = layout.naming
    many, title = naming.many, naming.title.lower()
    words = [
        ("right, of", f"{many} {naming.right}, and {many} with a known outcome"),
        (title, "right / of"),
        ("95 % interval", f"of the {title}: {naming.interval}"),
        ("bounds", f"the {title} if missing {many} were all wrong, and if all were right"),
        ("chance", f"{naming.point} when guessing"),
        ("p", "exact probability of at least so many right answers when guessing (one-sided)"),
        *layout.metrics.items(),
    ]
    return Terms("Columns", tuple((Cell(name), sentence(text)) for name, text in words))


def confusion_page(tables: Tables, layout: Layout) -> Page:
    """Which truth was answered by which label."""
    apart = "".join(f", apart by {axis}" for axis in layout.apart if _several(tables, axis))
    lead = (
        f"Counts of samples over all conditions{apart}. Colour is the share of the row's samples, "
        "the frame marks right answers, and the last column (–) counts samples without a usable "
        "answer."
    )
    blocks: list[Block] = []
    axes = (layout.column, *layout.apart)
    groups: dict[tuple[str, ...], list[Confusion]] = {}
    for table in tables.confusions:
        groups.setdefault(tuple(table.group[axis] for axis in axes), []).append(table)
    for key, found in sorted(groups.items()):
        more, note = layout.apart_words(found[0].group)
        title = " · ".join(part for part in (key[0], more) if part)
        blocks += [Heading(title, note=note), confusion_grid(found)]
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
    samples: Sequence[Block], words: Mapping[str, str],
) -> Page:  # fmt: skip
    """One task: its exact prompt, who answered what, and its samples.

    `words` are its labels as readers know them, by label.
    """
    names = task.submission.samples
    labels = [_label(label, words) for label in task.submission.labels]
    facts = Facts((
        ("answer file", Cell(task.submission.file)),
        ("labels", Cell(str(len(labels)), note=", ".join(labels))),
        ("samples", Cell(str(len(names)))),
        ("cluster", Cell(task.cluster, note="tasks of one cluster share their samples")),
    ))  # fmt: skip
    blocks: list[Block] = [
        facts,
        Heading("Who said what"),
        _answer_table(task, sorted(views, key=lambda item: item[0].agent)),
        Heading("Samples", note=READING),
        *samples,
        Heading("The exact prompt"),
        Code(task.instruction, caption="instruction.md"),
    ]
    return Page(task_path(task), condition, blocks, kicker=Cell("Task"), lead=task.id)


def own_task_page(
    task: Task, condition: str, views: Sequence[EpisodeView], told: Sequence[Block]
) -> Page:
    """One task of a suite that tells it in its own way: `told`, its episodes, its prompt."""
    lines = tuple(_task_line(view) for view in sorted(views, key=lambda view: view.agent))
    heads = (Column("agent"), Column("trial", True), Column("came out"), Column("id"))
    blocks: list[Block] = [
        *told,
        Heading("Episodes"),
        Table(heads, (Section("", lines),)),
        Heading("The exact prompt"),
        Code(task.instruction, caption="instruction.md", open=False),
    ]
    return Page(task_path(task), condition, blocks, kicker=Cell("Task"), lead=task.id)


def _task_line(view: EpisodeView) -> tuple[Cell, ...]:
    metric, cell = next(iter(score_cells(view.rows).items()))
    return (
        Cell(view.agent.name, view.path, agent_badges(view.agent), note=under_agent(view)),
        Cell(str(view.planned.trial)),
        replace(cell, text=f"{metric_words(metric)} {cell.text}"),
        Cell(view.planned.id[-12:], tone="muted"),
    )


def _agents(about: About) -> Terms:
    lines = []
    for agent, doc in about.agents:
        lines.append((Cell(agent.name, badges=agent_badges(agent), note=agent.model), doc))
    return Terms("Agents", tuple(lines))


def _columns(layout: Layout, hidden: bool) -> Terms:
    words = {"all": f"{layout.naming.many} of every {layout.column} together"}
    words |= {name: layout.metrics[name] for name in layout.means}
    if hidden:
        words["held-out"] = "a submitted rule on samples that no agent saw"
    told = (words | count_words(layout.naming)).items()
    return Terms("Columns", tuple((Cell(name), sentence(text)) for name, text in told))


def _several(tables: Tables, axis: str) -> bool:
    return len({table.group[axis] for table in tables.confusions}) > 1


def _label(label: str, words: Mapping[str, str]) -> str:
    meant = words.get(label, label)
    return label if meant == label else f"{label} = {meant}"


def _episode_line(view: EpisodeView, metrics: Sequence[str]) -> tuple[Cell, ...]:
    scores = score_cells(view.rows)
    end = "–" if view.episode is None else view.episode.end.kind.replace("_", " ")
    return (
        Cell(view.agent.name, view.path, agent_badges(view.agent), note=under_agent(view)),
        *(scores.get(metric, Cell()) for metric in metrics),
        Cell(str(view.planned.trial)),
        Cell(end, badges=tuple(b for b in end_badges(view) if b.text != end)),
        Cell(view.planned.id[-12:], tone="muted"),
    )


def _answer_table(task: Task, views: Sequence[tuple[EpisodeView, Mapping[str, Check]]]) -> Table:
    """One line per sample and one column per episode; the last line leads to the episodes."""
    trials = len({view.planned.trial for view, _ in views}) > 1
    heads = [Column(_head(view, trials)) for view, _ in views]
    lines = [_answer_line(task, name, views) for name in task.submission.samples]
    lines.append((Cell("episode"), Cell(), *(_score_link(view) for view, _ in views)))
    return Table((Column("sample"), Column("truth"), *heads), (Section("", tuple(lines)),))


def _head(view: EpisodeView, trials: bool) -> str:
    marks = ["given the answers"] if view.agent.privileged else []
    marks += [part for part in (view.agent.model, view.run) if part]
    marks += [f"trial {view.planned.trial}"] if trials else []
    return f"{view.agent.name} ({', '.join(marks)})" if marks else view.agent.name


def _answer_line(
    task: Task, name: str, views: Sequence[tuple[EpisodeView, Mapping[str, Check]]]
) -> tuple[Cell, ...]:
    truth = next((str(c[name].expected) for _, c in views if name in c), "")
    words = [said(view, checks.get(name)) for view, checks in views]
    href = f"{task_path(task)}#{sample_anchor(name)}"
    return (
        Cell(short_name(name), href, hint=name),
        Cell(truth),
        *(Cell(text, tone=said_tone(text)) for text in words),
    )


def _score_link(view: EpisodeView) -> Cell:
    metric, cell = next(iter(score_cells(view.rows).items()))
    return Cell(f"{metric_words(metric)} {cell.text}", view.path)
