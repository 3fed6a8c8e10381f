"""A row becomes a script: every stage in order, and a line of history for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from benchwright.suites.telemetry.dialogue.endings import (
    commitment,
    evidence,
    preference,
    rationale,
)
from benchwright.suites.telemetry.dialogue.model import Script, Stage
from benchwright.suites.telemetry.dialogue.revisions import (
    alternate_point,
    next_window,
    quality_axis,
    timestamp_axis,
    timestamp_value,
)
from benchwright.suites.telemetry.dialogue.stages import (
    Apply,
    Lifting,
    clarified,
    nearest_worded,
    opened,
)
from benchwright.suites.telemetry.families.select import Chosen
from benchwright.suites.telemetry.rows.calls import Bench
from benchwright.suites.telemetry.rows.model import Row

STAGES: tuple[tuple[str, Apply], ...] = (
    ("clarification", clarified),
    ("nearest_wording", nearest_worded),
    ("alternate_point_revision", alternate_point),
    ("goal_revision", next_window),
    ("timestamp_value_revision", timestamp_value),
    ("timestamp_axis", timestamp_axis),
    ("quality_axis", quality_axis),
    ("preference", preference),
    ("reporting_commitment", commitment),
    ("rationale", rationale),
    ("evidence", evidence),
)
"""Each applies to some rows; a script says which did."""


def lifted(row: Row, chosen: Chosen, bench: Bench) -> Script:
    """The conversation of a row."""
    work = Lifting(row, chosen, bench)
    script = opened(work)
    history: list[Stage] = []
    before = script.digest
    for name, apply in STAGES:
        changed = apply(script, work)
        now = before if changed is script else changed.digest
        history.append(Stage(name, "skipped" if now == before else "applied", before, now))
        script, before = changed, now
    return replace(script, history=tuple(history))


def unrecorded(work: Lifting) -> Script:
    """The same without its history."""
    script = opened(work)
    for _, apply in STAGES:
        script = apply(script, work)
    return script


def applications(scripts: Iterable[Script]) -> dict[str, int]:
    """How many scripts each stage changed."""
    counts = dict.fromkeys((name for name, _ in STAGES), 0)
    for script in scripts:
        for stage in script.history:
            counts[stage.name] += stage.status == "applied"
    return counts
