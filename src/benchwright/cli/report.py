"""`report`: runs as a folder of static pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchwright.canonical import digest, make_id
from benchwright.cli.output import emit_json, say
from benchwright.cli.show import view_of
from benchwright.errors import TaskSetError
from benchwright.report.episode_page import EpisodeView, episode_page
from benchwright.report.index_pages import (
    Tables,
    confusion_page,
    episodes_page,
    figures_page,
    result_page,
    task_page,
)
from benchwright.report.results import Layout
from benchwright.report.run import RunView
from benchwright.report.site import Site
from benchwright.report.suite import SuitePages, TaskView
from benchwright.report.words import broken_words
from benchwright.scoring.model import Check
from benchwright.stats.accuracy import accuracy_table
from benchwright.stats.attempts import Attempt
from benchwright.stats.confusion import confusion_tables
from benchwright.suites import open_suite
from benchwright.tasks.taskset import HeldSet


def report(runs: Sequence[Path], out: Path, as_json: bool, tasks: Path | None = None) -> int:
    """Write the report and print the address of its first page."""
    first = write_report(runs, out, tasks)
    if as_json:
        emit_json("report", {"page": first})
    else:
        say(str(first))
    return 0


def write_report(runs: Sequence[Path], out: Path, tasks: Path | None = None) -> Path:
    """Pages of one or more runs of the same task set in `out`; returns the first page.

    `tasks` is where the task set is now, if it was moved since the runs.

    Raises:
        TaskSetError: the runs were planned for different sets, or a set changed.
        SpecError: `out` holds something that is no report.
    """
    opened = [RunView.open(p, lambda suite: open_suite(suite).scoring, tasks) for p in runs]
    _refuse_several_sets(opened)
    found = opened[0].tasks
    pages: SuitePages = open_suite(found.suite).pages
    shown = _task_views(opened, pages.layout)
    views = [view for one in shown for view, _ in one.episodes]
    tables = _tables(opened, pages.layout)
    site = Site(out, f"benchwright {found.suite}")
    opening = pages.opening(shown)
    site.add(result_page(opening, _facts(opened), _notices(opened), tables, views, pages.layout))
    site.add(figures_page(tables, pages.layout))
    site.add(confusion_page(tables, pages.layout))
    site.add(episodes_page(views))
    for one in shown:
        _add_task(site, one, opened, pages)
    return site.close()


def _add_task(site: Site, shown: TaskView, runs: Sequence[RunView], pages: SuitePages) -> None:
    """The task's page and one page per episode; side by side, so that series are drawn once."""
    task, gold = shown.task, shown.gold
    words = shown.episodes[0][0].condition
    site.add(task_page(task, words, shown.episodes, pages.samples(task, gold, None)))
    for view, _ in shown.episodes:
        sheet = _run_of(view, runs).sheet(view.planned)
        site.add(episode_page(view, pages.samples(task, gold, sheet) if sheet else ()))


def _task_views(runs: Sequence[RunView], layout: Layout) -> list[TaskView]:
    """Every planned task with its gold, its episodes and their checks, as pages list them."""
    held = HeldSet.open(runs[0].tasks.path)
    found: dict[str, list[EpisodeView]] = {}
    views = [view for run in runs for view in _views(run, layout, len(runs) > 1)]
    for view in sorted(views, key=lambda view: _place(view, layout)):
        found.setdefault(view.task.id, []).append(view)
    return [
        TaskView(own[0].task, held.gold(name), tuple((v, _checks(v, runs)) for v in own))
        for name, own in found.items()
    ]


def _checks(view: EpisodeView, runs: Sequence[RunView]) -> dict[str, Check]:
    sheet = _run_of(view, runs).sheet(view.planned)
    return {check.name: check for check in sheet.checks} if sheet else {}


def _views(run: RunView, layout: Layout, named: bool) -> Iterator[EpisodeView]:
    name = run.folder.path.resolve().name
    for planned in run.folder.plan:
        view = view_of(run, layout, planned)
        yield (
            replace(view, key=make_id(name, digest(name)) + f"-{view.key}", run=name)
            if named
            else view
        )


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
    return notices + [line for run in runs for line in broken_words(run.broken())]


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
