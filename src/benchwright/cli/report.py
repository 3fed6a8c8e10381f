"""`report`: runs as a folder of static pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchwright.cli.output import emit_json, say
from benchwright.cli.show import view_of
from benchwright.errors import TaskSetError
from benchwright.report.episode_page import EpisodeView, episode_page
from benchwright.report.index_pages import (
    Tables,
    confusion_page,
    episodes_page,
    result_page,
    task_page,
)
from benchwright.report.results import Layout
from benchwright.report.run import RunView
from benchwright.report.site import Site
from benchwright.report.suite import SuitePages
from benchwright.stats.accuracy import accuracy_table
from benchwright.stats.attempts import Attempt
from benchwright.stats.confusion import confusion_tables
from benchwright.suites import open_suite
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import HeldSet


def report(runs: Sequence[Path], out: Path, as_json: bool) -> int:
    """Write the report and print the address of its first page."""
    first = write_report(runs, out)
    if as_json:
        emit_json("report", {"page": first})
    else:
        say(str(first))
    return 0


def write_report(runs: Sequence[Path], out: Path) -> Path:
    """Pages of one or more runs of the same task set in `out`; returns the first page.

    Raises:
        TaskSetError: the runs were planned for different sets, or a set changed.
        SpecError: `out` holds something that is no report.
    """
    opened = [RunView.open(path) for path in runs]
    _refuse_several_sets(opened)
    tasks = opened[0].tasks
    pages: SuitePages = open_suite(tasks.suite).pages
    found = [view for run in opened for view in _views(run, pages.layout, len(opened) > 1)]
    views = sorted(found, key=lambda view: _place(view, pages.layout))
    site = Site(out, f"benchwright {tasks.suite}")
    tables = _tables(opened, pages.layout)
    site.add(result_page(_facts(opened), _notices(opened), tables, views, pages.layout))
    site.add(confusion_page(tables, pages.layout))
    site.add(episodes_page(views))
    for task in tasks.tasks:
        _add_task(site, task, [v for v in views if v.task.id == task.id], opened, pages)
    return site.close()


def _add_task(
    site: Site, task: Task, views: Sequence[EpisodeView], runs: Sequence[RunView], pages: SuitePages
) -> None:
    """The task's page and one page per episode; side by side, so that series are drawn once."""
    gold = HeldSet.open(runs[0].tasks.path).gold(task.id)
    sheets = {view.key: _run_of(view, runs).sheet(view.planned) for view in views}
    answers = [
        (view, {check.name: check for check in sheet.checks} if sheet else {})
        for view, sheet in zip(views, sheets.values(), strict=True)
    ]
    words = views[0].condition
    site.add(task_page(task, words, answers, pages.samples(task, gold, None)))
    for view in views:
        sheet = sheets[view.key]
        site.add(episode_page(view, pages.samples(task, gold, sheet) if sheet else ()))


def _views(run: RunView, layout: Layout, named: bool) -> Iterator[EpisodeView]:
    name = run.folder.path.resolve().name
    for planned in run.folder.plan:
        view = view_of(run, layout, planned)
        yield replace(view, key=f"{name}-{view.key}", run=name) if named else view


def _place(view: EpisodeView, layout: Layout) -> tuple[object, ...]:
    axes = view.task.axes
    return axes[layout.column], layout.rank(axes), view.task.id, view.agent, view.run, view.key


def _run_of(view: EpisodeView, runs: Sequence[RunView]) -> RunView:
    return next(run for run in runs if not view.run or run.folder.path.resolve().name == view.run)


def _tables(runs: Sequence[RunView], layout: Layout) -> Tables:
    seen = [attempt for run in runs for attempt in _named(run, run.attempts, len(runs) > 1)]
    hidden = [
        attempt for run in runs for attempt in _named(run, run.hidden_attempts, len(runs) > 1)
    ]
    full = (*layout.conditions, layout.column)
    return Tables(
        cells=accuracy_table(seen, full),
        pooled=accuracy_table(seen, layout.conditions),
        hidden_cells=accuracy_table(hidden, full),
        hidden_pooled=accuracy_table(hidden, layout.conditions),
        confusions=confusion_tables(seen, (layout.column,)),
    )


def _named(run: RunView, attempts: Sequence[Attempt], named: bool) -> Iterator[Attempt]:
    """Agents of several runs stay apart by the name of their run."""
    for attempt in attempts:
        row = attempt.row
        name = f"{row.agent} ({run.folder.path.resolve().name})" if named else row.agent
        yield replace(attempt, row=replace(row, agent=name))


def _facts(runs: Sequence[RunView]) -> dict[str, str]:
    tasks = runs[0].tasks
    plan = [planned for run in runs for planned in run.folder.plan]
    closed = sum(1 for run in runs for _ in run.folder.episodes())
    return {
        "suite": tasks.suite,
        "task set": tasks.digest[:12],
        "tasks": str(len(tasks.tasks)),
        "agents": str(len({(p.agent.name, p.agent.model) for p in plan})),
        "episodes": f"{closed} of {len(plan)} finished",
        "scorer": ", ".join(sorted({run.folder.record["scorer"] for run in runs})),
        **{name: str(value) for name, value in tasks.marks.items() if not isinstance(value, bool)},
    }


def _notices(runs: Sequence[RunView]) -> list[str]:
    plan = [planned for run in runs for planned in run.folder.plan]
    notices = [
        "These pages hold the answers of the task set. Keep them where no agent can read them."
    ]
    if runs[0].tasks.marks.get("public"):
        notices[0] = (
            "The seeds of this task set are public, so anyone can rebuild its answers. Use it to "
            "see how things work, and never to compare agents."
        )
    if any(planned.agent.sandbox == "none" for planned in plan):
        notices.append("Some agents ran without a sandbox and are marked so.")
    owed = sum(len(run.folder.owed()) for run in runs)
    if owed:
        notices.append(
            f"{owed} episodes are owed. Shares with a dashed frame are bounds, not results."
        )
    return notices


def _refuse_several_sets(runs: Sequence[RunView]) -> None:
    digests = sorted({run.tasks.digest[:12] for run in runs})
    names = sorted(run.folder.path.resolve().name for run in runs)
    if len(digests) > 1 or len(set(names)) < len(names):
        raise TaskSetError(
            "these runs cannot share a report",
            value=digests if len(digests) > 1 else names,
            where="benchwright report",
            hint="Give runs of one task set, in folders of different names.",
        )
