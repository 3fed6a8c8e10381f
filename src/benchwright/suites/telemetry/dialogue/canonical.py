"""The moves of a perfect agent, and the record that they would leave: golds rendered as replies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from benchwright.canonical import plain
from benchwright.suites.telemetry.dialogue.model import Phase, Script
from benchwright.suites.telemetry.text.operator import TextOperator
from benchwright.tasks.session import AgentMessage

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that an agent does."""

    kind: Literal["ask", "call", "reply", "say"]
    name: str
    """Slot, operation, or empty."""
    said: Mapping[str, Any]
    """Arguments of a call, a reply, or `text`."""
    answer: Mapping[str, Any] | None = None
    """What the call answers."""


def moves(script: Script) -> list[Move]:
    """What a perfect agent does, turn by turn."""
    found: list[Move] = []
    if script.withheld is not None:
        found.append(Move("ask", script.withheld.slot, {}))
    handles: list[str] = []
    for phase in script.phases:
        for call in phase.calls:
            found.append(Move("call", call.operation, call.arguments, call.answer))
            handles.append(str(call.answer["handle"]))
        found.append(Move("reply", "", rendered(phase, handles)))
    return found


def rendered(phase: Phase, handles: Sequence[str]) -> dict[str, Any]:
    """A gold as the reply that states it; evidence cites everything."""
    stated = {name: value for name, value in phase.gold.fields.items() if value is not None}
    cited = list(dict.fromkeys(handles)) if phase.kind == "evidence" else []
    return {"action": phase.gold.action, "reason": phase.gold.reason, **stated, "handles": cited}


def recorded(script: Script, every: Sequence[Move]) -> Iterator[Line]:
    """The record of these moves as a host would write it."""
    operator = TextOperator(script)
    yield {"n": 0, "kind": "open", "turn": _turn(operator, None)}
    n = 0
    for n, move in enumerate(every, start=1):
        if move.kind == "call":
            assert move.answer is not None
            said = {"arguments": dict(move.said), "answer": dict(move.answer)}
            yield {"n": n, "kind": "call", "operation": move.name, **said}
        elif move.kind == "ask":
            turn = _turn(operator, AgentMessage(slot=move.name))
            yield {"n": n, "kind": "ask", "slot": move.name, "turn": turn}
        elif move.kind == "say":
            text = str(move.said["text"])
            turn = _turn(operator, AgentMessage(text=text))
            yield {"n": n, "kind": "say", "text": text, "turn": turn}
        else:
            turn = _turn(operator, AgentMessage(reply=dict(move.said)))
            yield {"n": n, "kind": "reply", "reply": dict(move.said), "turn": turn}
    done = operator.answered == len(script.phases)
    yield {"n": n + 1, "kind": "end", "reason": "operator" if done else "agent"}


def _turn(operator: TextOperator, message: AgentMessage | None) -> Any:
    return plain(asdict(operator.step(message)))
