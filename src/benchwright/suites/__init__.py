"""Suites: what is specific to one kind of benchmark, as records of functions.

Takes the name of a suite; gives the command line and the Inspect registry its `Suite`; nothing else
opens one. A suite knows every folder above; does not know the other suites.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from benchwright.checks.model import Checks
from benchwright.errors import SpecError
from benchwright.report.suite import SuitePages
from benchwright.running.model import AgentMaker, Frames, SessionMaker
from benchwright.scoring.model import Scoring
from benchwright.tasks.model import Gold, Task
from benchwright.tasks.taskset import HeldSet, TaskSet

_SUITES = {
    "tracebench": "benchwright.suites.tracebench.suite",
    "telemetry": "benchwright.suites.telemetry.suite",
}


@dataclass(frozen=True, slots=True)
class Made:
    """What a spec that asks for something else than a task set gives, such as a pool."""

    words: str
    """One line for people."""
    document: Mapping[str, Any]
    """The same and more for `--json`."""


@dataclass(frozen=True, slots=True)
class Suite:
    """The parts of a suite that the spine calls."""

    name: str
    load_spec: Callable[[str], Any]
    """Shipped spec name or path to a spec record; refuses what it does not know."""
    build: Callable[[Any, Path, Executor], TaskSet | Made]
    rebuild: Callable[[TaskSet, HeldSet, Path], TaskSet]
    """The same set again from its held half, into another folder."""
    scoring: Scoring
    frames: Frames | None
    agents: Mapping[str, AgentMaker]
    privileged: frozenset[str]
    chance: Callable[[Task], float]
    """Expected top score of a uniform guess at one sample of a task."""
    pages: SuitePages
    heldout: Callable[[Gold], str | None] = lambda gold: None
    """What stands for a task's held-out samples with their truth: equal where another task has the
    very same, None where there are none or where that is not known."""
    facts: Callable[[HeldSet], Iterable[str]] = lambda held: ()
    """Lines that `build` prints about a new set, for people."""
    unsaid: Callable[[TaskSet, HeldSet], Mapping[str, str]] = lambda tasks, held: {}
    """Names that must stand nowhere in what agents are given, each with what it is."""
    account: Callable[[HeldSet], Mapping[str, Any]] = lambda held: {}
    """What `build --json` says of a new set besides."""
    checks: Checks = field(default_factory=dict)
    """What `check` looks at besides, by name."""
    session: SessionMaker | None = None
    """Operations and operator of one episode, for a suite of dialogues."""
    tried: tuple[str, ...] = ()
    """Agents that `check` proposes for a first run."""


def suite_names() -> tuple[str, ...]:
    """Names of the suites that exist."""
    return tuple(_SUITES)


def open_suite(name: str, where: object = "suite") -> Suite:
    """Import a suite and return its record; `where` it is named stands in the refusal."""
    if name not in _SUITES:
        raise SpecError(
            "unknown suite",
            value=name,
            where=where,
            hint=f"Use one of: {', '.join(_SUITES)}.",
        )
    suite = import_module(_SUITES[name]).SUITE
    assert isinstance(suite, Suite)
    return suite
