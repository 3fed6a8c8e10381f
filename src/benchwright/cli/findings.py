"""What all episodes of runs show together, where a suite tells more than counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchwright.cli.runs import NamedRun
from benchwright.report.groups import group_blocks
from benchwright.report.page import Block
from benchwright.report.results import Layout
from benchwright.report.suite import Findings, Scored, SuitePages, TaskView
from benchwright.stats.attempts import Attempt
from benchwright.stats.groups import group_table


def findings_of(
    runs: Sequence[NamedRun], pages: SuitePages, shown: Sequence[TaskView]
) -> Findings | None:
    """Findings of every episode of `shown`; None where the suite has none."""
    if pages.own is None:
        return None
    return pages.own.findings(list(scored_of(shown, runs)))


def scored_of(shown: Sequence[TaskView], runs: Sequence[NamedRun]) -> Iterator[Scored]:
    """Every planned episode with its gold and its sheet, in the order of pages."""
    by_name = {run.name: run.view for run in runs}
    for one in shown:
        for view, _ in one.episodes:
            yield Scored(view, one.gold, by_name[view.run].sheet(view.planned))


def grouped(attempts: Sequence[Attempt], layout: Layout) -> tuple[Block, ...]:
    """Groups of trials, per agent, condition and column."""
    rows = [attempt.row for attempt in attempts]
    full = (*layout.conditions, layout.column)
    return group_blocks(group_table(rows, full), group_table(rows, layout.conditions), layout)
