"""All figures of a log as one record, for all agents together and for each apart.

`None` is unknown, never zero; `plots_inspected` is None too for agents that see no images.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.trajectory.metrics.calls import Use
from benchwright.trajectory.metrics.commands import Cat, Uses
from benchwright.trajectory.metrics.console import ConsoleShare
from benchwright.trajectory.metrics.python_code import Python
from benchwright.trajectory.metrics.time import Active
from benchwright.trajectory.metrics.usage import Cost, Tokens


@dataclass(frozen=True, slots=True)
class Figures:
    """What one agent did, or all of them (tracebench paper, appendix G)."""

    iterations: int | None
    """Answers of the model."""
    tool_calls: int | None
    failed_calls: int | None
    """Those of which the log says so, refused ones included; see `unknown_calls`."""
    refused_calls: int | None
    unanswered_calls: int | None
    unknown_calls: int | None
    """Answered, and the log does not say how they ended: so many more can have failed."""
    python_calls: int | None
    python_statements: int | None
    plots_generated: int | None
    plots_inspected: int | None
    numeric_values: int | None
    console: ConsoleShare | None
    tokens: Tokens
    cost: Cost
    time: Active
    """Of all agents together: that of the main one, in which the others work."""


@dataclass(frozen=True, slots=True)
class Files:
    """Files by name; counts of kinds that matter."""

    created: tuple[str, ...]
    python_created: int
    json_created: int
    python_executed: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Metrics:
    """The figures of one log."""

    agents: tuple[str, ...]
    models: tuple[str, ...]
    runs: int
    first: str | None
    last: str | None
    """Times of the first and last record that has one, in UTC, cut to milliseconds."""
    together: Figures
    main: Figures
    sub_agents: Mapping[str, Figures]
    tools: Mapping[str, Use]
    commands: Mapping[str, Uses]
    scripts_not_parsed: int
    """Shell scripts of which a part could not be parsed."""
    python: Python
    cat: Cat
    files: Files
    numbers_excluded: Mapping[str, int]
    """Tokens with digits that each rule of `numbers.RULES` left out."""
    outputs: int
    """Results that hold text."""
