"""Stated obligations against those that follow from the turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.suites.telemetry.audit.canonical import canonical
from benchwright.suites.telemetry.audit.findings import Report
from benchwright.suites.telemetry.audit.phases.duties import Duty, duties, withheld
from benchwright.suites.telemetry.audit.phases.make import Phase
from benchwright.suites.telemetry.audit.phases.meant import meant
from benchwright.suites.telemetry.audit.world import World

Stated = Mapping[str, Any]
TYPES = (
    *("asks_site", "asks_time", "no_early_call", "protocol_completed", "point_resolved"),
    *("alternate_point_used", "stream_argument", "stream_carried", "winner_carried"),
    *("exact_probe", "nearest_fallback", "window_period", "half_open", "quality_call"),
    *("initial_value", "revised_value", "observed_stated", "offset_stated"),
    *("comparison_stated", "ranking_stated", "quality_stated", "quality_decision"),
    *("preference_given", "reporting_action", "reporting_reason", "evidence_streams"),
    "evidence_handle",
)


def compare_duties(
    world: World, report: Report, task: str, stated: Stated, found: Sequence[Phase]
) -> None:
    """Obligations type by type, the calls they are about, and what they are measured with."""
    given, family = stated["duties"], stated["identity"]["family"]
    made = duties(family, found)
    types = {o["type"] for o in given["obligations"]} | {d.type for d in made}
    report.compare("duties", task, "duties.unknown", sorted(types - {*TYPES}), [])
    _names(report, task, given["obligations"], made)
    for kind in TYPES:
        stands = [[o["phase"], o["expects"]] for o in given["obligations"] if o["type"] == kind]
        gives = [[d.phase, d.expects] for d in made if d.type == kind]
        report.compare("duties", task, f"duties.{kind}.count", len(stands), len(gives))
        for place, pair in enumerate(zip(*map(_in_order, (stands, gives)), strict=False)):
            report.compare("duties", task, f"duties.{kind}.{place}", *pair)
    _needed(world, report, task, stated, found)


def _names(report: Report, task: str, stated: Sequence[Stated], made: Sequence[Duty]) -> None:
    """Ids in dependency order: by turn, then by type, then by id; causes stand before effects."""
    ordered = sorted(made, key=lambda d: (d.phase, TYPES.index(d.type), d.id))
    ids = [o["id"] for o in stated]
    report.compare("duties", task, "duties.ids", ids, [d.id for d in ordered])
    own = [f"{o['phase']}.{o['type']}" for o in stated]
    named = [".".join(one.split(".")[:2]) for one in ids]
    report.compare("duties", task, "duties.ids of types", named, own)
    for place, one in enumerate(stated):
        late = sorted({*one["needs"]} - {*ids[:place]})
        report.compare("duties", task, f"duties.{one['id']}.needs", late, [])


def _needed(
    world: World, report: Report, task: str, stated: Stated, found: Sequence[Phase]
) -> None:
    """The calls that obligations are about, and what replies are measured with."""
    given = stated["duties"]
    calls = [(place, call) for place, phase in enumerate(found) for call in phase.calls]
    report.compare("duties", task, "duties.needed.count", len(given["needed"]), len(calls))
    for number, (need, (place, call)) in enumerate(zip(given["needed"], calls, strict=False)):
        named = [need[n] for n in ("phase", "operation", "arguments", "error")]
        asked: list[Any] = [place, call.operation, call.arguments, call.answer.get("error")]
        report.compare("duties", task, f"duties.needed.{number}", named, asked)
        for name, value in meant(world, call).items():
            report.compare("duties", task, f"duties.needed.{number}.{name}", need[name], value)
    listed = [one["handles"] for turn in stated["script"]["phases"] for one in turn["required"]]
    handles = [need["handles"] for need in given["needed"]]
    report.compare("duties", task, "duties.needed.handles", handles, listed)
    report.compare("duties", task, "duties.phases", given["phases"], len(found))
    rules = world.corpus.rules["tolerances"]
    for name, value in (
        ("withheld", withheld(stated["identity"]["family"])),
        ("tolerance", rules["value"]),
        ("offset_ms", rules["offset_ms"]),
        ("calendar", world.corpus.rules["calendar"]),
        ("zone", world.corpus.zone.name),
    ):
        report.compare("duties", task, f"duties.{name}", given[name], value)


def _in_order(some: Sequence[Any]) -> list[Any]:
    return sorted(some, key=lambda one: (one[0], canonical(_whole(one[1]))))


def _whole(value: Any) -> Any:
    """Numbers as texts that are equal where the numbers are."""
    if isinstance(value, Mapping):
        return {name: _whole(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(one) for one in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
