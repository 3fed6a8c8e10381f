"""Stages that end a conversation: preference, reporting, rationale, evidence."""

from __future__ import annotations

from typing import cast

from benchwright.suites.telemetry.dialogue.model import Reading, Script
from benchwright.suites.telemetry.dialogue.phases import decided
from benchwright.suites.telemetry.dialogue.policy import (
    Preference,
    Reported,
    preference_of,
    preferred,
    reading_of,
    reporting,
)
from benchwright.suites.telemetry.dialogue.stages import Lifting
from benchwright.suites.telemetry.dialogue.wording import reference, turn
from benchwright.suites.telemetry.rows.model import Answer


def preference(script: Script, work: Lifting) -> Script:
    """Of a quality gate: what the operator does with a caveat."""
    if work.row.family != "quality_gate":
        return script
    decision = str(script.phases[0].gold.fields["decision"])
    wanted = preference_of(work.identity)
    action, reason = preferred(decision, wanted)
    found = reference("decision")
    text = turn(wanted, work.identity, {"reference": found.phrase})
    state = {**script.last.state, "preference": wanted, "action": action}
    gold = Answer(action, reason, {})
    phase = decided("preference_decision", text, [found], state, gold, f"preferred:{wanted}")
    return script.with_phase(phase)


def commitment(script: Script, work: Lifting) -> Script:
    """What is done with it all."""
    state = script.last.state
    (action, reason), policy = _committed(script, work)
    found = reference("all")
    text = turn("reporting_commitment", work.identity, {"reference": found.phrase})
    said = {**state, "action": action, "reason": reason}
    gold = Answer(action, reason, {})
    return script.with_phase(decided("reporting_commitment", text, [found], said, gold, policy))


def _committed(script: Script, work: Lifting) -> tuple[Reported, str]:
    """Action and reason, and the policy that gives them.

    From the row where nothing came after its first answer, from the preference where one was told,
    else from the latest reading and the latest decision on quality.
    """
    state, first = script.last.state, work.row.gold
    if not work.usual and work.row.variant in ("unresolvable", "no_data"):
        return (first.action, first.reason), "row"
    decision = None if state.get("decision") is None else str(state["decision"])
    if decision is not None and "preference" in state:
        return preferred(decision, cast(Preference, state["preference"])), "reporting"
    reading = cast(Reading, state.get("reading") or _first_reading(script))
    return reporting(reading, decision), "reporting"


def _first_reading(script: Script) -> Reading:
    last = script.phases[0].calls[-1]
    return reading_of(last.answer if last.operation == "lookup_observation" else None)


def rationale(script: Script, work: Lifting) -> Script:
    """Of a quality gate: which check decided."""
    if work.row.family != "quality_gate":
        return script
    reason = script.phases[0].gold.fields["quality_reason"]
    found = reference("decision")
    text = turn("rationale", work.identity, {"reference": found.phrase})
    fields = {"deciding_check": "none" if reason is None else str(reason)}
    before = script.last.gold
    gold = Answer(before.action, before.reason, fields)
    phase = decided("rationale", text, [found], script.last.state, gold, "rationale")
    return script.with_phase(phase)


def evidence(script: Script, work: Lifting) -> Script:
    """The streams that all golds rest on; results are cited by their handles."""
    streams = sorted(
        {
            stream
            for phase in script.phases
            for one in phase.required
            for stream in streams_of(one.call.answer)
        }
    )
    text = turn("evidence", work.identity, {})
    before = script.last.gold
    gold = Answer(before.action, before.reason, {"streams": list(streams)})
    return script.with_phase(decided("evidence", text, [], script.last.state, gold, "evidence"))


def streams_of(answer: object) -> list[str]:
    """Streams that an answer of an operation is about."""
    said = cast("dict[str, object]", answer)
    named = [str(said[name]) for name in ("stream_id", "stream_a", "stream_b") if name in said]
    for listed in ("ranked", "candidates"):
        rows = cast("list[dict[str, object]]", said.get(listed) or [])
        named += [str(row["stream_id"]) for row in rows if "stream_id" in row]
    return named
