"""What a suite hands to the report: how to read its axes, and the blocks that only it can make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchwright.report.page import Block
from benchwright.report.results import Layout
from benchwright.scoring.model import ScoreSheet
from benchwright.tasks.model import Gold, Task


@dataclass(frozen=True, slots=True)
class SuitePages:
    """The functions of a suite that reporting calls."""

    layout: Layout
    samples: Callable[[Task, Gold, ScoreSheet | None], tuple[Block, ...]]
    """Every sample of a task, with the answers of one episode or, without a sheet, none."""
