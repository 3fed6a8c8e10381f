"""What preflight said of a whole set, and what its conversations hold, as counts per family."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from benchwright.canonical import Json
from benchwright.suites.telemetry.dialogue.lift import applications
from benchwright.suites.telemetry.dialogue.model import FOLLOW_UPS
from benchwright.suites.telemetry.episode import Made


def flown(every: Sequence[Made]) -> dict[str, Json]:
    """Rows released and dropped by code; stages applied; phases, turns, calls and obligations."""
    dropped = [one for one in every if one.issues]
    codes = Counter(issue.code for one in dropped for issue in one.issues)
    released = [one for one in every if not one.issues]
    return {
        "rows": len(every),
        "released": len(released),
        "dropped": [
            {
                "key": one.row.key,
                "issues": [f"{i.code}: {i.where}: {i.what}" for i in one.issues],
            }
            for one in dropped
        ],
        "codes": {name: codes[name] for name in sorted(codes)},
        "stages": {**applications(one.script for one in released)},
        "families": _families(released),
    }


def _families(released: Sequence[Made]) -> dict[str, Json]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in released:
        counts[one.row.family].update(_counted(one))
        counts["all"].update(_counted(one))
    return {family: {**counts[family]} for family in sorted(counts)}


def _counted(one: Made) -> dict[str, int]:
    phases = one.script.phases
    gold = [p for p in phases if p.kind not in FOLLOW_UPS]
    return {
        "rows": 1,
        "clarifications": int(one.script.withheld is not None),
        "phases": len(gold),
        "revisions": len(gold) - 1,
        "follow_ups": len(phases) - len(gold),
        "calls": sum(len(p.required) for p in phases),
        "obligations": len(one.duties.obligations),
        "transitions": len(phases) + 1 + int(one.script.withheld is not None),
        f"with_{len(gold)}_phases": 1,
    }
