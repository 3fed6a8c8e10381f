"""Scores, checks, sheets and rows: the records that scoring writes and statistics read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from benchwright.episodes.model import Episode, Owner
from benchwright.storage.records import Text
from benchwright.tasks.model import Gold, Task
from benchwright.trajectory.evidence import Evidence

Status = Literal["scored", "invalid", "unscorable"]
RowStatus = Literal["scored", "invalid", "unscorable", "missing"]
Outcome = Literal["pass", "fail", "unverified", "blocked"]


@dataclass(frozen=True, slots=True)
class Score:
    """One metric of one episode. `invalid` has value 0, `unscorable` None; both have a reason."""

    metric: Text
    value: Annotated[float, Field(allow_inf_nan=False)] | None
    status: Status
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was verified inside an episode: a sample, an obligation or a pattern."""

    name: str
    outcome: Outcome
    expected: JsonValue
    got: JsonValue
    reason: str | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """All that one scorer says about one episode; a pure function of task, gold and record."""

    episode_id: str
    scorer: str
    """Name and number, e.g. `tracebench/1`; rows of different numbers never share a table."""
    scores: tuple[Score, ...]
    checks: tuple[Check, ...]


Scorer = Callable[[Task, Gold, Episode], ScoreSheet]


def _anything(task: Task, sheet: ScoreSheet) -> None:
    """A suite that says nothing about its sheets."""


def _nothing(gold: Gold) -> None:
    """Any gold is good."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """What a suite hands to scoring."""

    name: str
    """Name and number, e.g. `tracebench/1`."""
    score: Scorer
    metrics: Callable[[Task], tuple[str, ...]]
    """Metrics that every sheet of a task carries, in order; refuses a task that is not its own."""
    check: Callable[[Task, ScoreSheet], None] = _anything
    """FormatError for a stored sheet whose scores do not follow from its checks."""
    counted: str = "top1"
    """The metric that tables count by."""
    whole: str | None = None
    """The check that stands for a whole episode where episodes are counted; None: samples are."""
    readable: Callable[[Gold], None] = _nothing
    """TaskSetError for a gold that cannot be used, though it is what was written."""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One line of `rows.parquet`: an owed episode and one metric, whether it was reached or not."""

    episode_id: str
    suite: str
    task_id: str
    cluster: str
    axes: Mapping[str, str]
    agent: str
    privileged: bool
    sandbox: str
    model: str | None
    trial: int
    scorer: str
    metric: str
    value: float | None
    status: RowStatus
    owner: Owner | None
    reason: str | None
