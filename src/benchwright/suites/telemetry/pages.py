"""What only telemetry can show: conversations, their obligations, and where they broke."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from benchwright.report.episode_page import EpisodeView
from benchwright.report.naming import Naming
from benchwright.report.page import Block, Cell, Column, Facts, Heading, Section, Table, Tone
from benchwright.report.results import Layout, agent_badges
from benchwright.report.suite import Opening, OwnPages, SuitePages, TaskView
from benchwright.scoring.model import Check, ScoreSheet
from benchwright.suites.telemetry.episode import conversation
from benchwright.suites.telemetry.findings import findings
from benchwright.suites.telemetry.obligations.model import TYPES, Obligation
from benchwright.suites.telemetry.telling import episode_blocks, name_of
from benchwright.tasks.model import Gold, Task

CONVERSATIONS = Naming(
    many="conversations",
    title="Passed",
    note="A conversation passes when every obligation is met.",
    short="Passed",
    right="that passed",
    point="share of conversations that passed",
    chance="",
    unscored="missing conversations all failed, or all passed",
    invalid="episodes that broke the contract of the task: they count as failed",
    invalid_short="an invalid one counts as failed",
    independence=(
        "Several trials of one task are one conversation for the interval, and tasks of one stream "
        "are not quite independent. Agents that were given the answers stand last."
    ),
)
LAYOUT = Layout(
    column="family",
    conditions=("split",),
    words=lambda named: named["split"],
    order={"split": ("test", "dev", "train")},
    naming=CONVERSATIONS,
    metrics={
        "correct": "mean over episodes: 1 where all that was said of data and decisions is right",
        "met": "mean over episodes of the share of obligations that are met",
    },
    means=("correct", "met"),
    beside=("correct", "met"),
    folded=True,
)


def opening(views: Sequence[TaskView]) -> Opening:
    """How the first page begins."""
    corpora = sorted({view.task.axes["corpus"] for view in views})
    lead = (
        "Conversations with a scripted operator about telemetry. A conversation passes when every "
        "obligation is met: who was asked, what was called, what was stated, what was cited."
    )
    return Opening(f"Telemetry: {', '.join(corpora)}", lead, ())


def words(task: Task) -> Mapping[str, str]:
    """Actions stand for themselves."""
    return {label: label.replace("_", " ") for label in task.submission.labels}


def no_samples(task: Task, gold: Gold, sheet: ScoreSheet | None) -> tuple[Block, ...]:
    """A conversation is one thing."""
    return ()


def task_blocks(view: TaskView) -> tuple[Block, ...]:
    """The script of a task, and every obligation against every episode."""
    script, duties, _ = conversation(view.gold)
    withheld = script.withheld.slot if script.withheld else "nothing"
    facts = Facts((
        ("family", Cell(view.task.axes["family"].replace("_", " "))),
        ("split", Cell(view.task.axes["split"])),
        ("left out at first", Cell(withheld)),
        ("turns", Cell(str(len(script.phases)))),
        ("obligations", Cell(str(len(duties.obligations)))),
        ("digest of the obligations", Cell(duties.digest[:12])),
    ))  # fmt: skip
    shown = sorted(view.episodes, key=lambda item: (item[0].agent, item[0].planned.trial))
    agents: dict[str, list[tuple[EpisodeView, Mapping[str, Check]]]] = {}
    for item in shown:
        agents.setdefault(_head(item[0]), []).append(item)
    heads = (Column("obligation"), *(Column(name, True) for name in agents))
    sections = tuple(
        Section(
            f"Turn {number + 1}",
            tuple(_line(one, agents.values()) for one in duties.obligations if one.phase == number),
            note=phase.text,
        )
        for number, phase in enumerate(script.phases)
    )
    note = (
        "In dependency order: in how many of an agent's judged trials each was met. A number leads "
        "to the first trial in which it was not."
    )
    return facts, Heading("Obligations and episodes", note=note), Table(heads, sections)


def _head(view: EpisodeView) -> str:
    marks = [badge.text for badge in agent_badges(view.agent)]
    marks += [part for part in (view.agent.model, view.run) if part]
    return f"{view.agent.name} ({', '.join(marks)})" if marks else view.agent.name


def _line(
    one: Obligation, agents: Iterable[Sequence[tuple[EpisodeView, Mapping[str, Check]]]]
) -> tuple[Cell, ...]:
    cells = (_met(one, own) for own in agents)
    return Cell(name_of(one), hint=one.id, note=TYPES[one.type][1]), *cells


def _met(one: Obligation, own: Sequence[tuple[EpisodeView, Mapping[str, Check]]]) -> Cell:
    """How many trials of one agent met an obligation."""
    judged = [(view, checks[one.id].outcome) for view, checks in own if one.id in checks]
    if not judged:
        return Cell("–", tone="muted")
    failed = [view.path for view, outcome in judged if outcome == "fail"]
    unmet = [view.path for view, outcome in judged if outcome != "pass"]
    met = len(judged) - len(unmet)
    tone: Tone = "good" if not unmet else "bad" if len(failed) == len(judged) else "warn"
    sign = "✗" if failed else "?" if unmet else "✓"
    path = (failed or unmet or [judged[0][0].path])[0]
    return Cell(f"{sign} {met}/{len(judged)}", path, tone=tone)


PAGES = SuitePages(
    LAYOUT, words, opening, no_samples, OwnPages(episode_blocks, task_blocks, findings)
)
