"""What a suite hands to the report: how to read its axes, and the blocks that only it can make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.report.episode_page import EpisodeView
from benchwright.report.page import Block
from benchwright.report.results import Layout
from benchwright.scoring.model import Check, ScoreSheet
from benchwright.tasks.model import Gold, Task


@dataclass(frozen=True, slots=True)
class TaskView:
    """One task of a report beside what is true about it and what every episode answered."""

    task: Task
    gold: Gold
    episodes: tuple[tuple[EpisodeView, Mapping[str, Check]], ...]
    """Planned episodes with their checks by name; none for an episode without a sheet."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One planned episode beside its gold and what scoring said."""

    view: EpisodeView
    gold: Gold
    sheet: ScoreSheet | None


@dataclass(frozen=True, slots=True)
class Findings:
    """What a suite has to say about all episodes together, beside the counts."""

    blocks: tuple[Block, ...]
    brief: tuple[Block, ...]
    """What of them the terminal shows below its table."""
    document: Mapping[str, Any]
    """The same for programs."""
    files: Mapping[str, bytes]
    """Tables that stand beside the pages, by file name."""


@dataclass(frozen=True, slots=True)
class OwnPages:
    """How a suite of whole conversations tells them."""

    episode: Callable[[Scored], tuple[Block, ...]]
    """How one came out and what happened; on its page and in the terminal."""
    task: Callable[[TaskView], tuple[Block, ...]]
    """What one task asks, and what became of it in every episode."""
    findings: Callable[[Sequence[Scored]], Findings]


@dataclass(frozen=True, slots=True)
class Opening:
    """How the first page begins: what this is about, before any table."""

    title: str
    lead: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class SuitePages:
    """The functions of a suite that reporting calls."""

    layout: Layout
    label_words: Callable[[Task], Mapping[str, str]]
    """Every label of a task as its agent knows it, to the label in words, in a fixed order."""
    opening: Callable[[Sequence[TaskView]], Opening]
    """From every task of the report."""
    samples: Callable[[Task, Gold, ScoreSheet | None], tuple[Block, ...]]
    """Every sample of a task, with the answers of one episode or, without a sheet, none."""
    own: OwnPages | None = None
    """What stands in place of samples, where a suite tells episodes in its own way."""
