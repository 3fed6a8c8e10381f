"""One phase: calls made on the store, gold from their answers, and the origin of every value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchwright.canonical import Json
from benchwright.suites.telemetry.dialogue.model import Phase, PhaseKind, Reference, Required
from benchwright.suites.telemetry.dialogue.policy import acting, fault_of, reading_of
from benchwright.suites.telemetry.operations.times import shown
from benchwright.suites.telemetry.rows.alternatives import alternatives
from benchwright.suites.telemetry.rows.calls import Bench
from benchwright.suites.telemetry.rows.gold import fields_of
from benchwright.suites.telemetry.rows.model import Action, Answer, Call

Act = tuple[Action, str, str]
"""Action, reason, and the policy that gave them."""
UNSTATED = ("tie", "acceptable")
"""Fields of a reading that the reporting action stands for."""
STATED_AS = {"reason": "quality_reason"}
"""Fields that have another name in a reply, where `reason` is that of the action."""


def stated(fields: Mapping[str, Json]) -> dict[str, Json]:
    """Fields as a reply states them; an exact reading has no offset to tell."""
    exact = "observed" in fields and fields.get("offset_s") == 0
    left = {name for name in UNSTATED} | ({"offset_s"} if exact else set())
    return {STATED_AS.get(k, k): v for k, v in fields.items() if k not in left}


def required(calls: Sequence[Call], bench: Bench) -> tuple[Required, ...]:
    """Calls with the handles that are as good as theirs."""
    return tuple(Required(call, _handles(call, bench)) for call in calls)


def _handles(call: Call, bench: Bench) -> tuple[str, ...]:
    found = [str(call.answer["handle"])]
    for other in alternatives([call], bench):
        last = other.instead[-1]
        found.append(str(bench.call(last.operation, last.arguments).answer["handle"]))
    return tuple(dict.fromkeys(found))


def called(
    kind: PhaseKind,
    text: str,
    references: Sequence[Reference],
    state: Mapping[str, Json],
    calls: Sequence[Call],
    bench: Bench,
    act: Act = ("answer", "complete", "policy:answer"),
) -> Phase:
    """A phase whose fields are those of its last call."""
    action, reason, origin = act
    fields = stated(fields_of(calls[-1]))
    origins = {name: f"call:{len(calls) - 1}" for name in fields}
    return Phase(
        kind,
        text,
        tuple(references),
        state,
        required(calls, bench),
        Answer(action, reason, fields),
        {"action": origin, "reason": origin, **origins},
    )


def reported(
    kind: PhaseKind,
    text: str,
    references: Sequence[Reference],
    state: Mapping[str, Json],
    calls: Sequence[Call],
    bench: Bench,
) -> Phase:
    """A phase about one reading: what is done with it depends on the reading."""
    last = calls[-1].answer
    action, reason = acting(last)
    said = {**state, "reading": reading_of(last)}
    found = called(
        kind,
        *(text, references, said, calls, bench),
        act=(action, reason, "policy:acting"),
    )
    fault = fault_of(last)
    if fault is None:
        return found
    gold = replace(found.gold, fields={**found.gold.fields, "flag": fault})
    return replace(found, gold=gold, origins={**found.origins, "flag": "policy:acting"})


def decided(
    kind: PhaseKind,
    text: str,
    references: Sequence[Reference],
    state: Mapping[str, Json],
    gold: Answer,
    policy: str,
) -> Phase:
    """A phase without calls: a policy gives all of its gold."""
    names = ("action", "reason", *gold.fields)
    origins = {name: f"policy:{policy}" for name in names}
    return Phase(kind, text, tuple(references), state, (), gold, origins)


def looked_up(stream: str, at: int, bench: Bench) -> list[Call]:
    """An exact probe, and the nearest reading where it is refused."""
    said = {"stream_id": stream, "timestamp": shown(at)}
    exact = bench.call("lookup_observation", {**said, "mode": "exact"})
    if not exact.refused:
        return [exact]
    return [exact, bench.call("lookup_observation", {**said, "mode": "nearest"})]
