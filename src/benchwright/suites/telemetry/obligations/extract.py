"""From a script to its obligations: one pass over phases, each type in one place.

What breaks what is declared here as well: `needs` names obligations that come before in dependency
order, so the first broken one is the cause and every other lies downstream of it, or is a cause of
its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from benchwright.canonical import Json
from benchwright.suites.telemetry.contract.model import Contract
from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.dialogue.model import Phase, Script
from benchwright.suites.telemetry.obligations.model import Duties, Needed, Obligation, in_order
from benchwright.suites.telemetry.obligations.needed import needed_calls

FREE: Mapping[str, tuple[str, ...]] = {
    "site": (),
    "time": ("resolve_point", "preview", "calendar_profile"),
}
"""Operations that do not use a slot, and may be called before it is revealed."""
_SPECIAL: Mapping[str, tuple[str, ...]] = {
    "observed_stated": ("observed",),
    "offset_stated": ("offset_s",),
    "comparison_stated": ("difference", "higher"),
    "ranking_stated": ("ranked", "winner", "margin"),
    "quality_stated": ("coverage", "gap_ratio"),
    "quality_decision": ("decision", "quality_reason"),
}
"""Types that stand for fields of their own."""


@dataclass
class _Found:
    """Obligations so far."""

    every: list[Obligation] = field(default_factory=list)

    def add(
        self,
        kind: str,
        phase: int,
        expects: Mapping[str, Json],
        needs: Iterable[str] = (),
        mark: str = "",
    ) -> str:
        """One more; returns its id."""
        name = f"{phase}.{kind}{'.' + mark if mark else ''}"
        self.every.append(Obligation(name, kind, phase, tuple(dict.fromkeys(needs)), expects))
        return name

    def of(self, phase: int, *kinds: str) -> list[str]:
        """Ids of types in a phase."""
        return [o.id for o in self.every if o.phase == phase and o.type in kinds]

    def about(self, call: int) -> list[str]:
        """Ids of obligations on one canonical call."""
        return [o.id for o in self.every if o.expects.get("call") == call]


_CALLS = (
    *("point_resolved", "alternate_point_used", "stream_argument", "stream_carried"),
    *("winner_carried", "exact_probe", "nearest_fallback", "window_period", "half_open"),
    "quality_call",
)


def extracted(script: Script, contract: Contract, zone: Zone) -> Duties:
    """Every obligation of a conversation, in dependency order."""
    found = _Found()
    needed = needed_calls(script, zone, contract.calendar)
    _opening(script, found)
    for number in range(len(script.phases)):
        before = [f"{number - 1}.protocol_completed"] if number else found.of(0, *_ASKS)
        reached = found.add("protocol_completed", number, {"reply": number}, before)
        _calls(script, number, needed, found, reached)
        _stated(script, number, found, reached)
    _evidence(script, needed, found)
    return Duties(
        needed=needed,
        obligations=in_order(found.every),
        withheld=script.withheld.slot if script.withheld else None,
        phases=len(script.phases),
        zone=zone.name,
        calendar=contract.calendar,
        tolerance=contract.tolerances.value,
        offset_ms=contract.tolerances.offset_ms,
    )


_ASKS = ("asks_site", "asks_time")
_STREAMS = ("stream_argument", "stream_carried", "alternate_point_used", "winner_carried")
_TIMES = ("exact_probe", "nearest_fallback", "window_period", "half_open")


def _opening(script: Script, found: _Found) -> None:
    if script.withheld is not None:
        slot = script.withheld.slot
        asked = found.add(f"asks_{slot}", 0, {"slot": slot})
        free: list[Json] = list(FREE[slot])
        found.add("no_early_call", 0, {"slot": slot, "free": free}, [asked])


def _calls(
    script: Script, number: int, needed: tuple[Needed, ...], found: _Found, reached: str
) -> None:
    asks = found.of(0, *_ASKS)
    told: dict[str, Json]
    for place, one in enumerate(needed):
        if one.phase != number:
            continue
        told = {"call": place}
        if one.operation == "resolve_point":
            found.add("point_resolved", number, told, [*asks, reached], str(place))
            continue
        needs = [*asks, reached, *found.of(number, "point_resolved")]
        needs += _carried(script, number, found)
        if one.operation == "inspect_quality_window":
            times = _all(found, number, *_TIMES)
            found.add("quality_call", number, told, [*needs, *times], str(place))
            continue
        # A habit of an earlier call comes back, and a call that is not made meets nothing.
        kind = _stream_type(script, number)
        needs += found.of(number, *_STREAMS)
        needs.append(found.add(kind, number, told, needs, str(place)))
        needs += _all(found, number + 1, *_TIMES)
        if one.operation == "lookup_observation":
            kind = "exact_probe" if one.mode == "exact" else "nearest_fallback"
            found.add(kind, number, told, needs, str(place))
        else:
            needs.append(found.add("window_period", number, told, needs, str(place)))
            found.add("half_open", number, told, needs, str(place))


def _stream_type(script: Script, number: int) -> str:
    phase = script.phases[number]
    if phase.kind == "revise_point":
        return "alternate_point_used"
    if any(reference.binding == "winner" for reference in phase.references):
        return "winner_carried"
    return "stream_argument" if number == 0 else "stream_carried"


def _carried(script: Script, number: int, found: _Found) -> list[str]:
    """What a later phase takes over: streams, and the winner with what showed it."""
    if number == 0:
        return []
    before = found.of(number - 1, *_STREAMS)
    if any(reference.binding == "winner" for reference in script.phases[number].references):
        before += found.of(
            number - 1, "window_period", "half_open", "ranking_stated", "comparison_stated"
        )
    return before


def _stated(script: Script, number: int, found: _Found, reached: str) -> None:
    phase = script.phases[number]
    needs = [reached, *found.of(number, *_CALLS)]
    if phase.kind == "evidence":
        return
    if phase.kind == "reporting_commitment":
        _reporting(script, number, found, reached)
        return
    if phase.kind in ("preference_decision", "rationale"):
        told: dict[str, Json] = {"fields": dict(phase.gold.fields), "action": phase.gold.action}
        if phase.kind == "preference_decision":
            told["reason"] = phase.gold.reason
        known = [*_all(found, number, "quality_decision"), reached]
        found.add("preference_given", number, told, known)
        return
    left = dict(phase.gold.fields)
    for kind, names in _SPECIAL.items():
        said = {name: left.pop(name) for name in names if name in left}
        if said:
            found.add(kind, number, {"fields": said}, [*needs, *_all(found, number, kind)])
    if left or phase.gold.action != "answer":
        kind = "initial_value" if number == 0 else "revised_value"
        found.add(kind, number, {"fields": left, **_act(phase)}, needs)


def _act(phase: Phase) -> dict[str, Json]:
    """A phase of quality states its decision; any other its action, and the reason of a refusal."""
    if any(name in phase.gold.fields for name in ("decision",)):
        return {}
    action: dict[str, Json] = {"action": phase.gold.action}
    return action if phase.gold.action == "answer" else {**action, "reason": phase.gold.reason}


def _all(found: _Found, before: int, *kinds: str) -> list[str]:
    return [name for phase in range(before) for name in found.of(phase, *kinds)]


def _reporting(script: Script, number: int, found: _Found, reached: str) -> None:
    gold = script.phases[number].gold
    known = _all(
        found,
        number,
        *("quality_decision", "offset_stated", "observed_stated", "preference_given"),
        *("initial_value", "revised_value", "exact_probe", "nearest_fallback"),
    )
    act = found.add("reporting_action", number, {"action": gold.action}, [reached, *known])
    found.add("reporting_reason", number, {"reason": gold.reason}, [reached, act, *known])


def _evidence(script: Script, needed: tuple[Needed, ...], found: _Found) -> None:
    number = len(script.phases) - 1
    streams = script.phases[number].gold.fields["streams"]
    reached = f"{number}.protocol_completed"
    known = _all(found, number, *_CALLS)
    named = found.add("evidence_streams", number, {"streams": streams}, [reached, *known])
    found.add("evidence_handle", number, {"issued": True}, [reached], "issued")
    for place, one in enumerate(needed):
        if _supports(place, one, needed):
            needs = [reached, named, *found.about(place)]
            found.add("evidence_handle", number, {"handle_of": place}, needs, str(place))


def _supports(place: int, one: Needed, needed: tuple[Needed, ...]) -> bool:
    """Whether an answer rests on a call: not on points resolved, nor on probes before a look-up."""
    if one.operation == "resolve_point":
        return one.error is not None
    probe = one.error is not None and one.operation == "lookup_observation"
    after = needed[place + 1] if place + 1 < len(needed) else None
    return not (probe and after is not None and after.phase == one.phase)
