"""How a conversation begins: a typed branch on the family and its primary call.

A quality gate or a disambiguation withholds the site; a nearest value nothing, but an exact reading
has to be looked for first; all others withhold the time. `table` is what the documentation shows.
"""

from __future__ import annotations

from typing import Final

from benchwright.suites.telemetry.dialogue.model import Mode, Slot
from benchwright.suites.telemetry.families.model import VARIANTS

_PRIMARY: Final = {
    "point_disambiguation": "lookup_observation",
    "exact_value": "lookup_observation",
    "nearest_value": "lookup_observation",
    "quality_gate": "inspect_quality_window",
    "window_mean": "window_mean",
    "daily_aggregate": "aggregate_period",
    "period_aggregate": "aggregate_period",
    "pairwise_comparison": "compare_window",
    "ranking": "rank_window",
}


def mode_of(family: str) -> Mode:
    """The mode of a family's conversations."""
    match family, _PRIMARY[family]:
        case ("point_disambiguation", _) | (_, "inspect_quality_window"):
            return "clarify-site"
        case "nearest_value", _:
            return "implicit-nearest"
        case _:
            return "clarify-time"


def withheld_slot(mode: Mode) -> Slot | None:
    """What the first turn leaves out."""
    slots: dict[Mode, Slot | None] = {"clarify-site": "site", "clarify-time": "time"}
    return slots.get(mode)


def table() -> str:
    """Mode, family and withheld slot as a Markdown table."""
    rows = ["| family | primary call | mode | withheld at first |", "|---|---|---|---|"]
    for family in VARIANTS:
        mode = mode_of(family)
        slot = withheld_slot(mode) or "nothing"
        rows.append(f"| `{family}` | `{_PRIMARY[family]}` | {mode} | {slot} |")
    return "\n".join(rows)
