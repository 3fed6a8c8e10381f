"""docs/dialogue.md says what the code does: modes and obligations are those of the code."""

from __future__ import annotations

import json
from pathlib import Path

from benchwright.suites.telemetry.dialogue.lift import STAGES
from benchwright.suites.telemetry.dialogue.model import SLOTS
from benchwright.suites.telemetry.dialogue.modes import table
from benchwright.suites.telemetry.obligations.model import TYPES
from tests.telemetry.sets import Built

COUNTED = {
    **{n: n for n in ("clarifications", "phases", "revisions", "calls")},
    **{n: n for n in ("transitions", "obligations")},
    "follow-ups": "follow_ups",
}
"""Words of the page for counts of a set."""
PAGE = (Path(__file__).parents[2] / "docs" / "dialogue.md").read_text(encoding="utf-8")


def test_the_table_of_modes_is_the_branch_in_the_code() -> None:
    assert table() in PAGE


def test_every_type_of_obligation_is_explained_with_its_aspect() -> None:
    assert len(TYPES) == 27
    assert [
        f"| `{n}` | {a} | {w} |" for n, (a, w) in TYPES.items() if f"`{n}` | {a} | {w}" not in PAGE
    ] == []


def test_every_stage_and_slot_is_named() -> None:
    assert [name for name, _ in STAGES if f"| {name} |" not in PAGE] == []
    assert [slot for slot in SLOTS if f"`{slot}`" not in PAGE] == []


def test_counts_of_the_demo_are_those_of_its_set(demo_set: Built) -> None:
    flown = json.loads(demo_set.shared("preflight.json"))
    section = PAGE.split("## How much that is")[1]
    own = flown["families"]["all"]
    counts = {**flown["stages"], **{words: own[name] for words, name in COUNTED.items()}}
    lines = [f"| {words} | {count:,} |" for words, count in counts.items()]
    assert [line for line in lines if f"\n{line}" not in section] == []
    shares = ", ".join(str(own[f"with_{k}_phases"]) for k in (2, 3, 4, 5))
    assert f"| rows with 2, 3, 4, 5 phases | {shares} |" in section
    assert section.count(f"demo, {flown['released']} rows") == 2
