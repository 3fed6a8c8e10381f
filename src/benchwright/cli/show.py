"""`show`: a run as a table, an episode as a story."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from benchwright.cli.output import emit_json, say
from benchwright.episodes.broken import spent
from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import Planned, agent_data
from benchwright.report.episode_page import EpisodeView
from benchwright.report.groups import terminal_blocks
from benchwright.report.plain import print_blocks, print_told
from benchwright.report.results import Layout
from benchwright.report.run import RunView
from benchwright.report.run_table import RunTable, print_run
from benchwright.report.story import read_story
from benchwright.report.suite import Findings, Scored, SuitePages
from benchwright.report.terminal import console, print_episode
from benchwright.report.words import broken_words, check_words, end_words, owed_words
from benchwright.scoring.model import Check
from benchwright.stats.accuracy import accuracy_table
from benchwright.stats.groups import group_table
from benchwright.suites import open_suite
from benchwright.tasks.taskset import HeldSet


def show_and_tell(run: Path, episode: str | None, as_json: bool, tasks: Path | None = None) -> int:
    """As `show`, and after a table what to look at next."""
    code = show(run, episode, as_json, tasks)
    if not as_json and episode is None:
        own = shlex.quote(str(run))
        say(f"next: benchwright show {own} {RunFolder.open(run).plan[0].id}")
        say(f"      benchwright report {own} --out {own}-report")
    return code


def show(run: Path, episode: str | None, as_json: bool, tasks: Path | None = None) -> int:
    """Print the table of a run, or the story of the one episode whose id begins with `episode`.

    `tasks` is where the task set is now, if it was moved since the run.
    """
    opened = RunView.open(run, lambda suite: open_suite(suite).scoring, tasks)
    pages: SuitePages = open_suite(opened.tasks.suite).pages
    if episode is None:
        _show_run(opened, pages, as_json)
    else:
        _show_episode(opened, pages, opened.find(episode), as_json)
    return 0


def _show_run(run: RunView, pages: SuitePages, as_json: bool) -> None:
    layout = pages.layout
    found = pages.own.findings(list(_scored(run, layout))) if pages.own else None
    cells = accuracy_table(run.attempts, (*layout.conditions, layout.column))
    if as_json:
        emit_json("show", {
            "run": run.folder.path,
            "taskset": run.tasks.digest,
            "accuracy": cells,
            **(_more(run, layout, found) if found else {}),
            "episodes": [_brief(run, planned) for planned in run.folder.plan],
            "broken": spent(run.broken()),
        })  # fmt: skip
    else:
        pooled = accuracy_table(run.attempts, layout.conditions)
        hidden = accuracy_table(run.hidden_attempts, layout.conditions)
        notes = (*owed_words(run.owed()), *broken_words(run.broken()))
        print_run(console(), RunTable(cells, pooled, hidden, notes), layout)
        if found is not None:
            rows = [attempt.row for attempt in run.attempts]
            pooled_groups = group_table(rows, layout.conditions)
            print_blocks(console(), (*terminal_blocks(pooled_groups, layout), *found.brief))


def _more(run: RunView, layout: Layout, found: Findings) -> dict[str, Any]:
    """Groups of trials, and the findings of the suite."""
    rows = [attempt.row for attempt in run.attempts]
    return {
        "groups": group_table(rows, (*layout.conditions, layout.column)),
        "groups_pooled": group_table(rows, layout.conditions),
        "findings": found.document,
    }


def _scored(run: RunView, layout: Layout) -> Iterator[Scored]:
    """Every planned episode beside its gold and its sheet."""
    held = HeldSet.open(run.tasks.path)
    gold = cache(held.gold)
    for planned in run.folder.plan:
        yield Scored(view_of(run, layout, planned), gold(planned.task_id), run.sheet(planned))


def _show_episode(run: RunView, pages: SuitePages, planned: Planned, as_json: bool) -> None:
    layout = pages.layout
    checks = _checks(run, planned)
    steps = read_story(run.folder.folder(planned.id) / "trajectory.json")
    if as_json:
        task = run.tasks.task(planned.task_id)
        emit_json("show", {
            **_brief(run, planned),
            "instruction": task.instruction,
            "steps": steps,
            "samples": [_verdict(check) for check in checks.values()],
        })  # fmt: skip
        return
    hidden = [a for a in run.hidden_attempts if a.row.episode_id == planned.id and a.checks]
    view = view_of(run, layout, planned)
    if pages.own is not None:
        gold = HeldSet.open(run.tasks.path).gold(planned.task_id)
        told = pages.own.episode(Scored(view, gold, run.sheet(planned)))
        print_told(console(), view, steps, told)
        return
    print_episode(console(), view, steps, checks, hidden[0] if hidden else None)


def view_of(run: RunView, layout: Layout, planned: Planned) -> EpisodeView:
    """What page and terminal show of one planned episode."""
    task = run.tasks.task(planned.task_id)
    named = {axis: task.axes[axis] for axis in layout.conditions}
    return EpisodeView(
        planned=planned,
        task=task,
        condition=f"{task.axes[layout.column]}, {layout.words(named)}",
        rows=run.rows[planned.id],
        episode=run.episode(planned),
        key=planned.id,
        broken=run.broken(planned.id),
    )


def _checks(run: RunView, planned: Planned) -> Mapping[str, Check]:
    sheet = run.sheet(planned)
    return {check.name: check for check in sheet.checks} if sheet else {}


def _brief(run: RunView, planned: Planned) -> dict[str, Any]:
    episode = run.episode(planned)
    return {
        "episode": planned.id,
        "task": planned.task_id,
        "agent": agent_data(planned.agent),
        "trial": planned.trial,
        "end": episode.end if episode else None,
        "owner": episode.owner if episode else None,
        "ended": end_words(episode.end, episode.owner)
        if episode
        else run.rows[planned.id][0].reason,
        "usage": episode.usage if episode else None,
        "broken": [
            {"end": attempt.end, "owner": attempt.owner, "usage": attempt.usage}
            for attempt in run.broken(planned.id)
        ],
        "scores": {
            row.metric: {"value": row.value, "status": row.status, "reason": row.reason}
            for row in run.rows[planned.id]
        },
    }


def _verdict(check: Check) -> dict[str, Any]:
    return {
        "name": check.name,
        "truth": check.expected,
        "answer": check.got,
        "outcome": check.outcome,
        "why": check_words(check),
    }
