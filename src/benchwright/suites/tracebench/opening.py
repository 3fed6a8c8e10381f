"""How a report of tracebench begins: one real sample of each system as a puzzle, and who solved it.

Takes every task of the report with its gold and answers; gives blocks. Of each system it shows the
sample whose change stands out most from both probes at the highest noise level, because the first
thing that a reader sees should be seen at a glance; the panel says so once it is opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchwright.report.episode_page import EpisodeView, said, said_tone, task_path
from benchwright.report.page import (
    MOST_LEVELS,
    Block,
    Cell,
    Column,
    Grid,
    Section,
    Specimen,
    Table,
    Text,
)
from benchwright.report.results import agent_cell
from benchwright.report.suite import Opening, TaskView
from benchwright.report.viewer import Trace
from benchwright.report.words import check_in, counted, sample_anchor
from benchwright.scoring.model import Check
from benchwright.suites.tracebench.conditions import LAYOUT, mode_words
from benchwright.suites.tracebench.drawn import HINTS, Series, change_words, series_of
from benchwright.suites.tracebench.golds import true_answers
from benchwright.suites.tracebench.plotted import axis_of, words_of
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.simulate import change_row
from benchwright.suites.tracebench.snr import rms
from benchwright.suites.tracebench.systems import System, get_system

_LEAD = (
    "Each panel is one recorded run of a simulated system, as the agents got it: three noisy "
    "channels and no word about what happened. At some moment one parameter may have stepped to a "
    "new value and stayed there. Which one, or none? Guess first; then see the truth, and who "
    "found it."
)
_QUESTION = "One parameter stepped during this run, or none: which?"

Solved = Mapping[tuple[object, ...], list[tuple[EpisodeView, Check | None]]]


def opening(tasks: Sequence[TaskView]) -> Opening:
    """Title, lead and one panel per system, drawn from the first seed and condition of each."""
    systems: dict[str, list[TaskView]] = {}
    for view in sorted(tasks, key=_place):
        systems.setdefault(view.task.axes["system"], []).append(view)
    panels = tuple(_panel(get_system(name), _levels(own)) for name, own in systems.items())
    contexts = {view.task.axes.get("context", "full") for view in tasks}
    return Opening("Which parameter changed?", _LEAD + _untold(contexts), (Grid(panels),))


def _untold(contexts: Container[str]) -> str:
    """What a reader sees here and agents did not, where tasks were without context."""
    if "none" not in contexts:
        return ""
    who = "In tasks without context agents" if "full" in contexts else "The agents"
    return (
        f" {who} were not told what is seen here in words: they had the columns col1, col2, ... "
        "and the labels label_0, label_1, ..., without a name, a unit or a meaning."
    )


@dataclass(frozen=True, slots=True)
class _Shown:
    """The sample that a panel shows: where its change stands out most."""

    name: str
    recipe: Recipe
    channel: int


def _place(view: TaskView) -> tuple[object, ...]:
    axes = view.task.axes
    seed = axes.get("seed", "0")
    return axes["system"], (len(seed), seed), axes["mode"] != "direct", LAYOUT.rank(axes)


def _levels(tasks: Sequence[TaskView]) -> tuple[TaskView, ...]:
    """One task per noise level, all of them with the samples of the first, by rising noise."""
    first = tasks[0].task
    found: dict[str, TaskView] = {}
    for view in tasks:
        if view.task.submission.samples == first.submission.samples:
            found.setdefault(view.task.axes["noise"], view)
    return tuple(found.values())[: MOST_LEVELS - 1]


def _panel(system: System, levels: Sequence[TaskView]) -> Specimen:
    shown = _clearest(levels[-1])
    series = [series_of(view.task, view.gold)[shown.name] for view in levels]
    step = shown.recipe.step
    first = levels[0].task
    return Specimen(
        name=system.name.lower(),
        title=system.name,
        text=system.title,
        question=_QUESTION,
        choices=tuple(words_of(first).values()),
        truth=shown.recipe.label,
        axes=tuple(axis_of(channel) for channel in system.channels),
        levels=_noise_levels(levels, series),
        probes=_probes(series[0]),
        start_s=system.dt,
        step_s=system.dt,
        mark_s=step.time if step else None,
        answer=_answer(system, levels, shown),
        more=Cell("All samples at full size", f"{task_path(first)}#{sample_anchor(shown.name)}"),
    )


def _noise_levels(levels: Sequence[TaskView], series: Sequence[Series]) -> tuple[Trace, ...]:
    """Every level as observed and, unless a level has none, the run without noise."""
    names = [view.task.axes["noise"] for view in levels]
    drawn = [
        Trace(name, "observed", one.observed, HINTS["observed"], shown=name == names[0])
        for name, one in zip(names, series, strict=True)
    ]
    if "none" not in names:
        drawn.append(Trace("none", "clean", series[0].clean, HINTS["clean"], shown=False))
    return tuple(drawn)


def _probes(series: Series) -> tuple[Trace, ...]:
    if series.no_change is None or series.static is None:
        return ()
    return (
        Trace("without the change", "no_change", series.no_change, HINTS["no_change"], False),
        Trace("new value from the start", "static", series.static, HINTS["static"], False),
    )


def _clearest(view: TaskView) -> _Shown:
    """The sample whose change stands out most from the nearer of its two probes."""
    recipes = true_answers(view.task, view.gold).recipes
    series = series_of(view.task, view.gold)
    found = []
    for name in view.task.submission.samples:
        clearness, channel = _clearness(recipes[name], series[name])
        found.append((clearness, name, channel))
    _, name, channel = max(found, key=lambda item: item[0])
    return _Shown(name, recipes[name], channel)


def _clearness(recipe: Recipe, series: Series) -> tuple[float, int]:
    """RMS effect over RMS noise after the change, in the best channel, and that channel."""
    if recipe.step is None or series.no_change is None or series.static is None:
        return -1.0, 0
    row = change_row(get_system(recipe.system), recipe.step.time)
    noise = (series.observed - series.clean)[:, row:]
    return min(
        _effect((series.clean - probe)[:, row:], noise)
        for probe in (series.no_change, series.static)
    )


def _effect(effect: NDArray[np.float32], noise: NDArray[np.float32]) -> tuple[float, int]:
    ratios = [rms(e) / (rms(n) or 1.0) for e, n in zip(effect, noise, strict=True)]
    return max(ratios), ratios.index(max(ratios))


def _answer(system: System, levels: Sequence[TaskView], shown: _Shown) -> tuple[Block, ...]:
    count = counted(len(levels[0].task.submission.samples), "sample")
    noise = levels[-1].task.axes["noise"]
    label = axis_of(system.channels[shown.channel]).label
    chosen = (
        f"Shown here because its change stands out most among {count} at {noise} noise, "
        f"and most of all in the {label}."
    )
    mode = mode_words(levels[0].task.axes["mode"])
    return (
        Text(change_words(shown.recipe)),
        _solvers(levels, shown.name, mode),
        Text(chosen, "muted"),
    )


def _solvers(levels: Sequence[TaskView], sample: str, mode: str) -> Table:
    """Who answered what, one line per agent and one column per noise level."""
    heads = [Column("agent"), *(Column(f"{v.task.axes['noise']} noise") for v in levels)]
    keys = sorted({_key(view) for level in levels for view, _ in level.episodes})
    solved = [_solved(level, sample) for level in levels]
    lines = []
    for key in keys:
        found = [by_key.get(key, []) for by_key in solved]
        view = next(view for own in found for view, _ in own)
        href = f"{view.path}#{sample_anchor(sample)}" if view.episode else view.path
        lines.append((agent_cell(view.agent, href), *map(_verdict, found)))
    lines.sort(key=lambda line: -sum(cell.tone == "good" for cell in line))
    return Table(tuple(heads), (Section("", tuple(lines)),), caption=f"Who said what ({mode})")


def _key(view: EpisodeView) -> tuple[object, ...]:
    return view.agent, view.run


def _solved(level: TaskView, sample: str) -> Solved:
    found: dict[tuple[object, ...], list[tuple[EpisodeView, Check | None]]] = {}
    words = words_of(level.task)
    for view, checks in level.episodes:
        check = checks.get(sample)
        told = check_in(check, words) if check is not None else None
        found.setdefault(_key(view), []).append((view, told))
    return found


def _verdict(found: Sequence[tuple[EpisodeView, Check | None]]) -> Cell:
    """The answers of all trials of one agent; how often, where it gave several."""
    words = Counter(said(view, check) for view, check in found)
    many = len(found) > 1
    text = "; ".join(f"{one} ×{n}" if many else one for one, n in words.most_common())
    tones = {said_tone(one) for one in words}
    return Cell(text, tone=tones.pop() if len(tones) == 1 else "muted")
