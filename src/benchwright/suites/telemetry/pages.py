"""What only telemetry can show: every obligation of a conversation, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchwright.report.page import Block, Cell, Column, Section, Table, Text
from benchwright.report.results import Layout
from benchwright.report.suite import Opening, SuitePages, TaskView
from benchwright.scoring.model import Check, ScoreSheet
from benchwright.suites.telemetry.episode import conversation
from benchwright.suites.telemetry.obligations.model import TYPES, Obligation
from benchwright.suites.telemetry.score import CONTRACT
from benchwright.tasks.model import Gold, Task

LAYOUT = Layout(
    column="family",
    conditions=("split",),
    words=lambda named: named["split"],
    order={"split": ("test", "dev", "train")},
)


def duty_blocks(task: Task, gold: Gold, sheet: ScoreSheet | None) -> tuple[Block, ...]:
    """Obligations in dependency order, with what an episode made of them."""
    script, duties, _ = conversation(gold)
    checks = {check.name: check for check in sheet.checks} if sheet else {}
    lines = tuple(_line(one, checks.get(one.id)) for one in duties.obligations)
    heads = (Column("turn"), Column("obligation"), Column("what is asked"), Column("outcome"))
    said = [f"{number}. {phase.text}" for number, phase in enumerate(script.phases, start=1)]
    return (*map(Text, said), Table(heads, (Section("", lines),)))


def _line(obligation: Obligation, check: Check | None) -> tuple[Cell, ...]:
    right = check is not None and check.outcome == "pass"
    outcome = "–" if check is None else "met" if right else check.reason or check.outcome
    tone = "muted" if check is None else "good" if right else "bad"
    return (
        Cell(str(obligation.phase + 1)),
        Cell(obligation.type.replace("_", " "), hint=obligation.id),
        Cell(TYPES[obligation.type][1], tone="muted"),
        Cell(outcome, tone=tone),  # type: ignore[arg-type]
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


PAGES = SuitePages(LAYOUT, words, opening, duty_blocks)
OWED = (CONTRACT,)
"""The one thing that an episode is counted by."""
