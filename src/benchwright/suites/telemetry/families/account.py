"""Why there are not more rows: reasons with counts, of candidates, of groups and of quotas.

Takes what was enumerated and chosen; gives plain data for people. Nothing is decided here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchwright.canonical import Json
from benchwright.suites.telemetry.families.model import Candidate
from benchwright.suites.telemetry.families.select import SPLITS, Chosen, Split, counted, forbidding
from benchwright.suites.telemetry.families.sink import Sink

REASONS: Final[Mapping[str, str]] = {
    "not_eligible": "coverage below its floor or figure above its cap",
    "next_not_eligible": "next period not eligible, or too few streams in it",
    "margin": "margin below its threshold",
    "tie": "figures equal, then or in the next period",
    "no_threshold": "no threshold, as the training part has nothing of the kind",
    "no_alternate": "no other stream to ask about next",
}
"""Of candidates that are not eligible."""
GROUPS: Final[Mapping[str, str]] = {
    "too_few_streams": "of too few streams",
    "several_units": "of streams with different units",
    "no_pair": "without two streams of one unit and different equipment",
}
"""Of groups of a site and class that give no candidate at all."""


def account(sink: Sink, parts: Mapping[Split, list[Candidate]], own: Sequence[Chosen]) -> Json:
    """One family and variant; splits whose quota is full are not in `missing`."""
    missing: dict[str, Json] = {}
    for split in SPLITS:
        chosen = [c.candidate for c in own if c.split == split]
        short = getattr(sink.kind.quota, split) - len(chosen)
        if short:
            beyond = _beyond(parts[split], chosen, sink)
            missing[split] = {"rows": short, "available": len(parts[split]), "beyond_cap": beyond}
    return {
        "family": sink.kind.family.name,
        "variant": sink.kind.variant,
        "not_eligible": dict(sorted(sink.counts.why.items())),
        "groups_without": dict(sorted(sink.counts.groups.items())),
        "of_no_split": sink.counts.across,
        "missing": missing,
    }


def _beyond(candidates: Sequence[Candidate], chosen: Sequence[Candidate], sink: Sink) -> Json:
    """Candidates that were passed over, by the first cap that forbids each."""
    used = Counter(what for one in chosen for what in counted(one))
    taken = {one.key for one in chosen}
    caps = sink.kind.family.caps
    found = Counter(forbidding(c, caps, used) for c in candidates if c.key not in taken)
    return {str(name): number for name, number in sorted(found.items(), key=str)}


def told(one: Mapping[str, Any]) -> Iterator[str]:
    """Lines about one family and variant, for people; none where nothing is missing."""
    why = [f"{n:,} {REASONS.get(name, name)}" for name, n in one["not_eligible"].items()]
    if one["of_no_split"]:
        why.append(f"{one['of_no_split']:,} eligible, but across a border of what is held out")
    groups = [f"{n:,} {GROUPS.get(name, name)}" for name, n in one["groups_without"].items()]
    if groups:
        yield f"  groups without candidates: {'; '.join(groups)}"
    if why:
        yield f"  candidates passed over: {'; '.join(why)}"
    splits = [_short(split, said) for split, said in one["missing"].items()]
    if splits and one["variant"] == "usual":
        yield f"  rows missing: {'; '.join(splits)}"


def _short(split: str, said: Mapping[str, Any]) -> str:
    beyond = [f"{n:,} beyond the cap {name}" for name, n in said["beyond_cap"].items()]
    there = f"{said['available']:,} candidates" if said["available"] else "no candidate"
    return f"{split} has {there}{', ' if beyond else ''}{', '.join(beyond)}"
