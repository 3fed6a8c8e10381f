"""The moves of a perfect agent as steps that can be changed one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.suites.telemetry.dialogue.canonical import Move, moves
from benchwright.suites.telemetry.dialogue.model import Script


@dataclass(frozen=True, slots=True)
class Step:
    """A move and where it belongs."""

    move: Move
    phase: int
    place: int | None = None
    """Of a call: its place among canonical calls. None for a call that no phase asks for."""
    cites: bool = False
    """Whether the reply cites all that was given before it; changed replies may cite otherwise."""


Steps = tuple[Step, ...]


def planned(script: Script) -> Steps:
    """What a perfect agent does."""
    found: list[Step] = []
    phase = place = 0
    for move in moves(script):
        if move.kind == "call":
            found.append(Step(move, phase, place))
            place += 1
        elif move.kind == "ask":
            found.append(Step(move, phase))
        else:
            found.append(Step(move, phase, cites=script.phases[phase].kind == "evidence"))
            phase += 1
    return tuple(found)


def settled(steps: Iterable[Step]) -> list[Move]:
    """Moves of steps; a reply that cites, cites what was given to this agent until then."""
    handles: list[str] = []
    found: list[Move] = []
    for step in steps:
        move = step.move
        if move.kind == "call" and move.answer is not None and "handle" in move.answer:
            handles.append(str(move.answer["handle"]))
        if step.cites:
            said = {**move.said, "handles": list(dict.fromkeys(handles))}
            move = replace(move, said=said)
        found.append(move)
    return found


def reply_at(steps: Sequence[Step], phase: int) -> int:
    """Place of the reply to a phase."""
    return next(i for i, s in enumerate(steps) if s.move.kind == "reply" and s.phase == phase)


def call_at(steps: Sequence[Step], place: int) -> int:
    """Place of a canonical call."""
    return next(i for i, s in enumerate(steps) if s.place == place)


def ask_at(steps: Sequence[Step]) -> int | None:
    """Place of the question for the withheld slot."""
    return next((i for i, s in enumerate(steps) if s.move.kind == "ask"), None)


def without(steps: Steps, at: int) -> Steps:
    """One step less."""
    return (*steps[:at], *steps[at + 1 :])


def instead(steps: Steps, at: int, *others: Step) -> Steps:
    """Other steps in the place of one."""
    return (*steps[:at], *others, *steps[at + 1 :])


def before(steps: Steps, at: int, *others: Step) -> Steps:
    """Steps put in before one."""
    return (*steps[:at], *others, *steps[at:])


def saying(steps: Steps, phase: int, changed: Mapping[str, Any], *, cites: bool = True) -> Steps:
    """The reply to a phase with other fields; None leaves a field out."""
    at = reply_at(steps, phase)
    step = steps[at]
    said = {k: v for k, v in {**step.move.said, **changed}.items() if v is not None}
    move = replace(step.move, said=said)
    return instead(steps, at, replace(step, move=move, cites=step.cites and cites))
