"""`Task` and `Gold`: what an agent may see and what not. No path leads from one to the other.

A record here is data only. `digest` covers the instruction, every file that the agent gets, the
submission contract and the limits; for a gold, everything that the verifier needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from benchwright.storage.records import Count, Text

Mode = Literal["direct", "programmatic", "dialogue"]


@dataclass(frozen=True, slots=True)
class Submission:
    """The file that an agent must leave, and how it becomes answers; a dialogue leaves none."""

    mode: Mode
    file: Text
    """Path below the working folder: `results.json` (direct) or `rule.py` (programmatic). For a
    dialogue the tool by which the agent replies."""
    labels: Annotated[tuple[Text, ...], Field(min_length=1)]
    """Allowed labels, in the order of the prompt; the no-change label stands last. For a dialogue
    the actions that a reply may end in."""
    samples: tuple[Text, ...]
    """File names of the samples that need an answer, without folder, sorted; none for a
    dialogue."""
    heldout: Count = 0
    """How many held-out samples a submitted rule is asked about beside them."""


@dataclass(frozen=True, slots=True)
class TaskLimits:
    """What one episode may use. 0 means no limit (logs of the runner drop empty values)."""

    wall_s: Count = 3600
    messages: Count = 200
    tokens: Count = 0
    command_s: Count = 600


@dataclass(frozen=True, slots=True)
class Task:
    """One question for an agent, opened from the half of a set that can be published."""

    id: str
    digest: str
    suite: str
    cluster: str
    """The unit that statistics treat as independent (tracebench: system and seed)."""
    axes: Mapping[str, str]
    instruction: str
    files: Path
    """Folder whose content is copied into the agent's working folder; nothing else is."""
    submission: Submission
    limits: TaskLimits


@dataclass(frozen=True, slots=True)
class Gold:
    """The held half of one task: `gold.json` and what the verifier needs. Shows no content."""

    task_id: str
    digest: str
    folder: Path = field(repr=False)
