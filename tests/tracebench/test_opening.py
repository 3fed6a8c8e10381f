"""The first page of a report shows real samples, the clearest ones, and what agents really said."""

from __future__ import annotations

import numpy as np
import pytest

from benchwright.episodes.model import AgentRecord, End, Episode, Planned, Usage
from benchwright.executors import SerialExecutor
from benchwright.report.episode_page import EpisodeView
from benchwright.report.page import Table, Text
from benchwright.report.suite import TaskView
from benchwright.scoring.model import Check, ScoreRow
from benchwright.suites.tracebench.build import DYNAMICS, build
from benchwright.suites.tracebench.golds import read_gold
from benchwright.suites.tracebench.opening import opening
from benchwright.suites.tracebench.series import read_sample
from benchwright.suites.tracebench.simulate import change_row, simulate
from benchwright.suites.tracebench.spec import parse_spec
from benchwright.suites.tracebench.systems import get_system
from benchwright.tasks.taskset import HeldSet

SPEC = {
    "format": "benchwright.spec/1",
    "suite": "tracebench",
    "systems": ["BallDrop", "MassSlide"],
    "noise": ["high", "low"],
    "modes": ["programmatic", "direct"],
    "seeds": [0],
    "heldout": 1,
    "secret": False,
}
UNKNOWN = Usage(None, None, None, None, None, None, None, None)


@pytest.fixture(scope="module")
def tasks(tmp_path_factory):
    """Every task of a small set, without episodes."""
    return views_of(SPEC, tmp_path_factory.mktemp("sets") / "set")


def views_of(spec, out) -> list[TaskView]:
    found = build(parse_spec(spec, "tests"), out, SerialExecutor())
    held = HeldSet.open(found.path)
    return [TaskView(task, held.gold(task.id), ()) for task in found.tasks]


@pytest.fixture(scope="module")
def panels(tasks):
    """The panels by name of their system."""
    (grid,) = opening(tasks).blocks
    return {panel.title: panel for panel in grid.blocks}


def of(tasks, system: str, noise: str, mode: str = "direct") -> TaskView:
    wanted = {"system": system, "noise": noise, "mode": mode}
    return next(v for v in tasks if wanted.items() <= dict(v.task.axes).items())


def shown_sample(view: TaskView, panel) -> str:
    """The one sample of a task whose file is the series of the panel at that noise."""
    noise = view.task.axes["noise"]
    drawn = next(level.values for level in panel.levels if level.name == noise)
    folder = view.task.files / "test_samples"
    same = [n for n in view.task.submission.samples
            if np.array_equal(read_sample(folder / n)[:, :3].T, drawn)]  # fmt: skip
    assert len(same) == 1
    return same[0]


def test_there_is_one_panel_per_system_and_every_level_is_the_file_that_agents_got(tasks, panels):
    assert list(panels) == ["BallDrop", "MassSlide"]
    for name, panel in panels.items():
        assert [level.name for level in panel.levels] == ["low", "high", "none"]
        assert [level.shown for level in panel.levels] == [True, False, False]
        assert len({shown_sample(of(tasks, name, n), panel) for n in ("low", "high")}) == 1


def test_truth_and_probes_are_those_of_the_sample(tasks, panels):
    for name, panel in panels.items():
        view = of(tasks, name, "low")
        recipe = read_gold(view.gold).recipes[shown_sample(view, panel)]
        assert panel.truth == recipe.label and panel.choices == view.task.submission.labels
        assert panel.mark_s == recipe.step.time
        roles = {trace.role: trace.values for trace in panel.probes}
        clean = panel.levels[-1].values
        assert np.array_equal(clean, simulate([recipe], DYNAMICS).samples[0])
        assert np.array_equal(
            roles["no_change"], simulate([recipe.baseline()], DYNAMICS).samples[0]
        )
        assert np.array_equal(roles["static"], simulate([recipe.static()], DYNAMICS).samples[0])
        assert not any(trace.shown for trace in panel.probes)


def clearness(view: TaskView, name: str) -> float:
    """Effect over noise after the change at the nearer probe, in the best channel; 0 for none."""
    recipe = read_gold(view.gold).recipes[name]
    if recipe.step is None:
        return 0.0
    row = change_row(get_system(recipe.system), recipe.step.time)
    clean = simulate([recipe], DYNAMICS).samples[0].astype(float)
    noise = read_sample(view.task.files / "test_samples" / name)[:, :3].T - clean
    power = (noise[:, row:] ** 2).mean(axis=1)
    probes = (recipe.baseline(), recipe.static())
    effects = [clean - simulate([probe]).samples[0] for probe in probes]
    return min(((e[:, row:] ** 2).mean(axis=1) / power).max() for e in effects)


def test_the_panel_shows_the_sample_whose_change_stands_out_most_at_the_highest_noise(
    tasks, panels
):
    for name, panel in panels.items():
        view = of(tasks, name, "high")
        found = {sample: clearness(view, sample) for sample in view.task.submission.samples}
        assert max(found, key=found.get) == shown_sample(view, panel)
        words = [b.text for b in panel.answer if isinstance(b, Text)]
        assert "stands out most among 10 samples at high noise" in words[-1]


def test_the_lead_says_where_agents_were_told_less_than_the_reader(tasks, tmp_path):
    assert "label_0" not in opening(tasks).lead
    some = views_of({**SPEC, "systems": ["MassSlide"], "context": ["full", "none"]}, tmp_path / "x")
    lead = opening(some).lead
    assert "In tasks without context agents were not told" in lead and "label_0" in lead
    blind = [view for view in some if view.task.axes["context"] == "none"]
    assert "The agents were not told" in opening(blind).lead


def test_a_set_of_rules_alone_opens_too(tasks):
    rules = [view for view in tasks if view.task.submission.mode == "programmatic"]
    (grid,) = opening(rules).blocks
    assert [panel.title for panel in grid.blocks] == ["BallDrop", "MassSlide"]


def answered(view: TaskView, agent: str, trial: int, got, *, ran=True, invalid=False) -> TaskView:
    """`view` with one more episode that gave `got` to every sample."""
    record = AgentRecord(agent, None, False, "bwrap", "1")
    planned = Planned(f"{view.task.id}-{agent}-{trial}", view.task.id, "", record, trial)
    ended = Episode(planned.id, view.task.id, "", record, trial, End("returned"), None, UNKNOWN,
                    view.task.files)  # fmt: skip
    row = ScoreRow(planned.id, "tracebench", view.task.id, "c", view.task.axes, agent, False,
                   "bwrap", None, trial, "tracebench/1", "top1", 0.0,
                   "invalid" if invalid else "scored", None, None)  # fmt: skip
    shown = EpisodeView(planned, view.task, "", (row,), ended if ran else None, planned.id)
    truth = read_gold(view.gold).truth
    checks = {
        n: Check(n, "pass" if got == [t] else "fail", t, got) for n, t in truth.items()
    } if ran and not invalid else {}  # fmt: skip
    return TaskView(view.task, view.gold, (*view.episodes, (shown, checks)))


def said(tasks, panels) -> dict[str, list[str]]:
    panel = panels["BallDrop"]
    table = next(block for block in panel.answer if isinstance(block, Table))
    (section,) = table.sections
    return {row[0].text: [cell.text for cell in row[1:]] for row in section.rows}


def test_who_said_what_stands_beside_each_noise_level(tasks, panels):
    truth, other = panels["BallDrop"].truth, "no parameter change"
    low, high = of(tasks, "BallDrop", "low"), of(tasks, "BallDrop", "high")
    for trial, got in enumerate(([truth], [truth], [other])):
        low = answered(low, "a", trial, got)
    high = answered(high, "a", 0, None, ran=False)
    high = answered(answered(high, "b", 0, [truth]), "c", 0, None, invalid=True)
    (grid,) = opening([low, high]).blocks
    assert said(tasks, {"BallDrop": grid.blocks[0]}) == {
        "b": ["", "✓ right"],
        "a": [f"✓ right ×2; ✗ {other} ×1", "? not run"],
        "c": ["", "– no usable answer"],
    }
