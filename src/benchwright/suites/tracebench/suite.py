"""The suite `tracebench` as one record: root-cause tasks on time series of simulated systems."""

from __future__ import annotations

from concurrent.futures import Executor
from pathlib import Path

from benchwright.executors import SerialExecutor
from benchwright.storage import read_json
from benchwright.suites import Suite
from benchwright.suites.tracebench.baselines import AGENTS, PRIVILEGED
from benchwright.suites.tracebench.build import build, secrets_of
from benchwright.suites.tracebench.golds import frames
from benchwright.suites.tracebench.pages import PAGES
from benchwright.suites.tracebench.score import SCORING
from benchwright.suites.tracebench.spec import Spec, load_spec, parse_spec
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import HeldSet, TaskSet


def build_set(spec: Spec, out: Path, executor: Executor) -> TaskSet:
    """`build.build` as the spine calls it."""
    return build(spec, out, executor)


def rebuild_set(tasks: TaskSet, held: HeldSet, out: Path) -> TaskSet:
    """The set again from its whole spec and its secrets, both read from the held half."""
    stored = read_json(held.shared("spec.json"))
    return build(
        parse_spec(stored["spec"], held.path), out, SerialExecutor(), fixed=secrets_of(held)
    )


def chance(task: Task) -> float:
    """A uniform guess at one of the labels."""
    return 1 / len(task.submission.labels)


SUITE = Suite(
    name="tracebench",
    load_spec=load_spec,
    build=build_set,
    rebuild=rebuild_set,
    scoring=SCORING,
    frames=frames,
    agents=AGENTS,
    privileged=PRIVILEGED,
    chance=chance,
    pages=PAGES,
)
