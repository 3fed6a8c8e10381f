"""A scripted agent that knows the plan of a conversation and works out every answer itself.

It takes from the script which calls a turn needs; what it replies, it computes from the answers
that it got and the published policies. So a fault that is planted in its calls carries through its
replies as it would in a real agent. `Habits` are the faults.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from benchwright.canonical import digest
from benchwright.running.desk import Desk
from benchwright.suites.telemetry.dialogue.endings import streams_of
from benchwright.suites.telemetry.dialogue.model import Phase, Reading, Script
from benchwright.suites.telemetry.dialogue.phases import stated
from benchwright.suites.telemetry.dialogue.policy import (
    Preference,
    acting,
    fault_of,
    preferred,
    reading_of,
    reporting,
)
from benchwright.suites.telemetry.rows.gold import NEGATIVE, fields_of
from benchwright.suites.telemetry.rows.model import Call
from benchwright.suites.telemetry.text.render import question, sentences_of

_ERRORS = {
    "ambiguous": NEGATIVE["unresolvable"],
    "empty": NEGATIVE["no_data"],
    "out_of_range": NEGATIVE["no_data"],
    "counter_fell": NEGATIVE["no_data"],
    "no_such_local_time": NEGATIVE["no_such_local_time"],
}


class Habits:
    """What a worker does otherwise than it should; this one does nothing so."""

    asks = True

    def arguments(self, phase: int, call: Call, memory: Memory) -> Mapping[str, Any] | None:
        """Arguments of a call; None leaves it out."""
        return call.arguments

    def reply(self, phase: int, said: dict[str, Any], memory: Memory) -> dict[str, Any] | None:
        """A reply; None ends the conversation."""
        return said

    def before(self, phase: int, desk: Desk) -> None:
        """What it does before a turn."""


@dataclass
class Memory:
    """What a worker remembers of its conversation."""

    script: Script
    calls: list[tuple[int, Call]] = field(default_factory=list)
    """Phase and call, as answered."""
    reading: Reading = "not_asked"
    decision: str | None = None
    action: tuple[str, str] = ("answer", "complete")

    def of(self, phase: int) -> list[Call]:
        """Calls of a phase."""
        return [call for number, call in self.calls if number == phase]


def work(script: Script, desk: Desk, habits: Habits) -> None:
    """Have the whole conversation."""
    memory = Memory(script)
    desk.open()
    if script.withheld is not None and habits.asks:
        ask(desk, script.withheld.slot)
    for number, phase in enumerate(script.phases):
        habits.before(number, desk)
        for call in phase.calls:
            said = habits.arguments(number, call, memory)
            if said is not None and not desk.over:
                answer = desk.call(call.operation, said).model_dump(mode="json")
                memory.calls.append((number, Call(call.operation, said, answer)))
        reply = habits.reply(number, _replied(number, phase, memory), memory)
        if reply is None or desk.over:
            return
        answer_turn(desk, reply)


def ask(desk: Desk, slot: str) -> None:
    """Ask for a detail, by the tool or in words, as this desk hears it."""
    if desk.session.only_text:
        desk.say(question(slot, {"slot": slot}))
    else:
        desk.ask(slot)


def answer_turn(desk: Desk, said: Mapping[str, Any]) -> None:
    """Reply, in fields or in sentences, as this desk hears it."""
    if desk.session.only_text:
        desk.say(sentences_of(said, {"reply": digest(dict(said))}))
    else:
        desk.reply(dict(said))


def _replied(number: int, phase: Phase, memory: Memory) -> dict[str, Any]:
    """What follows from the answers so far."""
    if phase.kind == "preference_decision":
        wanted = cast(Preference, phase.state["preference"])
        memory.action = preferred(str(memory.decision), wanted)
    elif phase.kind == "reporting_commitment":
        memory.action = _reported(memory)
    elif phase.kind == "rationale":
        return {**_act(memory), "deciding_check": _deciding(memory)}
    elif phase.kind == "evidence":
        return {**_act(memory), **_evidence(memory)}
    else:
        return _answered(number, memory)
    return _act(memory)


def _answered(number: int, memory: Memory) -> dict[str, Any]:
    calls = memory.of(number)
    if not calls:
        return {"action": "answer", "reason": "complete"}
    last = calls[-1]
    if last.refused:
        return _refused(last, memory)
    said = {name: value for name, value in stated(fields_of(last)).items() if value is not None}
    if last.operation == "lookup_observation":
        memory.reading = reading_of(last.answer)
        memory.action = acting(last.answer)
        fault = fault_of(last.answer)
        said |= {"flag": fault} if fault else {}
    elif last.operation == "inspect_quality_window":
        memory.decision = str(last.answer["decision"])
        act = "abstain" if memory.decision == "abstain" else "answer"
        memory.action = (act, str(last.answer["reason"] or "complete"))
    else:
        memory.action = ("answer", "complete")
    return {**_act(memory), **said}


def _refused(last: Call, memory: Memory) -> dict[str, Any]:
    error = str(last.answer["error"])
    memory.action = _ERRORS.get(error, ("abstain", "no_observation"))
    said = {name: value for name, value in fields_of(last).items() if value is not None}
    return {**_act(memory), **said}


def _reported(memory: Memory) -> tuple[str, str]:
    kinds = [phase.kind for phase in memory.script.phases]
    if "preference_decision" in kinds:
        return memory.action
    last = memory.calls[-1][1] if memory.calls else None
    if memory.decision is None and memory.reading == "not_asked" and last and last.refused:
        return memory.action
    return reporting(memory.reading, memory.decision)


def _deciding(memory: Memory) -> str:
    looked = [c for _, c in memory.calls if c.operation == "inspect_quality_window"]
    return str(looked[-1].answer.get("reason") or "none") if looked else "none"


def _evidence(memory: Memory) -> dict[str, Any]:
    streams = sorted({s for _, call in memory.calls for s in streams_of(call.answer)})
    handles = [str(c.answer["handle"]) for _, c in memory.calls if c.answer.get("handle")]
    return {"streams": streams, "handles": list(dict.fromkeys(handles))}


def _act(memory: Memory) -> dict[str, Any]:
    return {"action": memory.action[0], "reason": memory.action[1]}
