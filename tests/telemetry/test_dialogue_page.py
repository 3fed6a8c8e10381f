"""docs/dialogue.md says what the code does: modes and obligations are those of the code."""

from __future__ import annotations

from pathlib import Path

from benchwright.suites.telemetry.dialogue.lift import STAGES
from benchwright.suites.telemetry.dialogue.model import SLOTS
from benchwright.suites.telemetry.dialogue.modes import table
from benchwright.suites.telemetry.obligations.model import TYPES

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
