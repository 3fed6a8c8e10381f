"""`report`: runs as a folder of static pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchwright.canonical import digest, make_id
from benchwright.cli.findings import findings_of, grouped, scored_of
from benchwright.cli.output import emit_json, say
from benchwright.cli.runs import (
    NamedRun,
    agents_of,
    facts_of,
    in_words,
    notices_of,
    open_runs,
)
from benchwright.cli.show import view_of
from benchwright.report.episode_page import EpisodeView, episode_page
from benchwright.report.index_pages import (
    About,
    Tables,
    confusion_page,
    episodes_page,
    figures_page,
    own_task_page,
    result_page,
    task_page,
)
from benchwright.report.results import Layout
from benchwright.report.site import CONFUSION, MENU, Site
from benchwright.report.suite import Findings, OwnPages, SuitePages, TaskView
from benchwright.scoring.model import Check
from benchwright.stats.accuracy import accuracy_table
from benchwright.stats.confusion import confusion_tables
from benchwright.suites import open_suite
from benchwright.tasks.taskset import HeldSet, refuse_inside_a_set


def report(runs: Sequence[Path], out: Path, as_json: bool, tasks: Path | None = None) -> int:
    """Write the report and print the address of its first page."""
    first = write_report(runs, out, tasks)
    if as_json:
        emit_json("report", {"page": first})
    else:
        say(f"The page: {first.resolve().as_uri()}")
    return 0


def write_report(runs: Sequence[Path], out: Path, tasks: Path | None = None) -> Path:
    """Pages of one or more runs of the same task set in `out`; returns the first page.

    `tasks` is where the task set is now, if it was moved since the runs.

    Raises:
        TaskSetError: the runs were planned for different sets, or a set changed.
        SpecError: `out` holds something that is no report.
    """
    refuse_inside_a_set(out)
    opened = open_runs(runs, tasks)
    found = opened[0].view.tasks
    suite = open_suite(found.suite)
    pages: SuitePages = suite.pages
    shown = _task_views(opened, pages.layout)
    views = [view for one in shown for view, _ in one.episodes]
    words = {one.task.id: pages.label_words(one.task) for one in shown}
    found_out = findings_of(opened, pages, shown)
    tables = _tables(opened, pages, words, found_out)
    site = Site(out, f"benchwright {found.suite}", _menu(pages))
    opening = pages.opening(shown)
    about = About(facts_of(opened), notices_of(opened), agents_of(opened, suite))
    site.add(result_page(opening, about, tables, views, pages.layout))
    site.add(figures_page(tables, pages.layout))
    if pages.own is None:
        site.add(confusion_page(tables, pages.layout))
    site.add(episodes_page(views))
    for one in shown:
        _add_task(site, one, opened, pages)
    for name, content in (found_out.files if found_out else {}).items():
        site.add_file(name, content)
    return site.close()


def _menu(pages: SuitePages) -> dict[str, str]:
    """Pages that a suite has."""
    return {path: name for path, name in MENU.items() if pages.own is None or path != CONFUSION}


def _add_task(site: Site, shown: TaskView, runs: Sequence[NamedRun], pages: SuitePages) -> None:
    """The task's page and one page per episode; side by side, so that series are drawn once."""
    task, gold = shown.task, shown.gold
    if pages.own is not None:
        _add_own_task(site, shown, runs, pages.own)
        return
    condition = shown.episodes[0][0].condition
    samples = pages.samples(task, gold, None)
    site.add(task_page(task, condition, shown.episodes, samples, pages.label_words(task)))
    for view, _ in shown.episodes:
        sheet = _run_of(view, runs).view.sheet(view.planned)
        site.add(episode_page(view, pages.samples(task, gold, sheet) if sheet else ()))


def _add_own_task(site: Site, shown: TaskView, runs: Sequence[NamedRun], own: OwnPages) -> None:
    """The same for a suite that tells its tasks and episodes in its own way."""
    views = [view for view, _ in shown.episodes]
    site.add(own_task_page(shown.task, views[0].condition, views, own.task(shown)))
    for one in scored_of([shown], runs):
        site.add(episode_page(one.view, (), own.episode(one)))


def _task_views(runs: Sequence[NamedRun], layout: Layout) -> list[TaskView]:
    """Every planned task with its gold, its episodes and their checks, as pages list them."""
    held = HeldSet.open(runs[0].view.tasks.path)
    found: dict[str, list[EpisodeView]] = {}
    views = [view for run in runs for view in _views(run, layout)]
    for view in sorted(views, key=lambda view: _place(view, layout)):
        found.setdefault(view.task.id, []).append(view)
    return [
        TaskView(own[0].task, held.gold(name), tuple((v, _checks(v, runs)) for v in own))
        for name, own in found.items()
    ]


def _checks(view: EpisodeView, runs: Sequence[NamedRun]) -> dict[str, Check]:
    sheet = _run_of(view, runs).view.sheet(view.planned)
    return {check.name: check for check in sheet.checks} if sheet else {}


def _views(run: NamedRun, layout: Layout) -> Iterator[EpisodeView]:
    start = f"{make_id(run.name, digest(run.name))}-" if run.name else ""
    for planned in run.view.folder.plan:
        view = view_of(run.view, layout, planned)
        yield replace(view, key=f"{start}{view.key}", run=run.name)


def _place(view: EpisodeView, layout: Layout) -> tuple[object, ...]:
    axes = view.task.axes
    return axes[layout.column], layout.rank(axes), view.task.id, view.agent, view.run, view.key


def _run_of(view: EpisodeView, runs: Sequence[NamedRun]) -> NamedRun:
    return next(run for run in runs if run.name == view.run)


def _tables(
    runs: Sequence[NamedRun],
    pages: SuitePages,
    words: Mapping[str, Mapping[str, str]],
    found: Findings | None,
) -> Tables:
    layout = pages.layout
    seen = [attempt for run in runs for attempt in run.attempts]
    hidden = [attempt for run in runs for attempt in run.hidden_attempts]
    told = [in_words(attempt, words[attempt.row.task_id]) for attempt in seen]
    full = (*layout.conditions, layout.column)
    return Tables(
        cells=accuracy_table(seen, full),
        pooled=accuracy_table(seen, layout.conditions),
        hidden_cells=accuracy_table(hidden, full),
        hidden_pooled=accuracy_table(hidden, layout.conditions),
        confusions=confusion_tables(told, (layout.column, *layout.apart)) if not pages.own else (),
        more=(*grouped(seen, layout), *found.blocks) if found else (),
    )
