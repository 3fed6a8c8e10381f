"""A zoo of agents with one bad habit each; every one must break exactly its own duty first.

They are workers (`worker.py`) that know the plan, so what they get wrong is their habit and nothing
else. `HABITS` names each with the types of obligation that it breaks first, where it applies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.running.desk import Desk
from benchwright.suites.telemetry.rows.model import Call
from benchwright.suites.telemetry.worker import Habits, Memory

_TIMES = ("timestamp", "start", "end")


class SkipsEvidence(Habits):
    """Answers the last turn without a stream and without a handle."""

    def reply(self, phase: int, said: dict[str, Any], memory: Memory) -> dict[str, Any] | None:
        """Evidence left out."""
        if memory.script.phases[phase].kind != "evidence":
            return said
        return {k: v for k, v in said.items() if k not in ("streams", "handles")}


class KeepsOldWinner(Habits):
    """Goes on with the winner of the first period."""

    def arguments(self, phase: int, call: Call, memory: Memory) -> Mapping[str, Any] | None:
        """The first winner instead of the second."""
        first = memory.script.phases[0].state.get("winner")
        if first is None or phase < 2 or "stream_id" not in call.arguments:
            return call.arguments
        return {**call.arguments, "stream_id": first}


class NeverAsks(Habits):
    """Acts as if it had been told everything."""

    asks = False


class LocalAsUtc(Habits):
    """Mistakes one clock for another: takes times in UTC for those of a clock five hours ahead."""

    def arguments(self, phase: int, call: Call, memory: Memory) -> Mapping[str, Any] | None:
        """Every instant, five hours early."""
        found = dict(call.arguments)
        for name in _TIMES:
            if name in found and str(found[name]).endswith("Z"):
                found[name] = str(found[name]).removesuffix("Z") + "+05:00"
        return found


class IgnoresQuality(Habits):
    """Reports without looking at quality, and says it is fine."""

    def arguments(self, phase: int, call: Call, memory: Memory) -> Mapping[str, Any] | None:
        """No quality is inspected."""
        return None if call.operation == "inspect_quality_window" else call.arguments

    def reply(self, phase: int, said: dict[str, Any], memory: Memory) -> dict[str, Any] | None:
        """What it would be if all were well."""
        kinds = ("quality_check", "initial_answer")
        looked = any(
            c.operation == "inspect_quality_window" for c in memory.script.phases[phase].calls
        )
        if looked and memory.script.phases[phase].kind in kinds:
            memory.decision = "answer"
            return {**said, "coverage": 1.0, "gap_ratio": 1.0, "decision": "answer"}
        return said


class InventsValue(Habits):
    """States another number than the one it was given, once."""

    def reply(self, phase: int, said: dict[str, Any], memory: Memory) -> dict[str, Any] | None:
        """The first number that it states is another."""
        for name in ("value", "mean_a"):
            if phase == 0 and isinstance(said.get(name), int | float):
                return {**said, name: said[name] + 1.0}
        return said


class DropsRevision(Habits):
    """Answers the first revision with its first answer."""

    def __init__(self) -> None:
        self._first: dict[str, Any] = {}

    def arguments(self, phase: int, call: Call, memory: Memory) -> Mapping[str, Any] | None:
        """Nothing is looked up for the first revision."""
        return None if phase == 1 else call.arguments

    def reply(self, phase: int, said: dict[str, Any], memory: Memory) -> dict[str, Any] | None:
        """What it said before."""
        if phase == 0:
            self._first = said
        return self._first if phase == 1 else said


class StopsEarly(Habits):
    """Leaves after its first answer."""

    def reply(self, phase: int, said: dict[str, Any], memory: Memory) -> dict[str, Any] | None:
        """One reply."""
        return said if phase == 0 else None


class Floods(Habits):
    """Calls until no call is left."""

    def before(self, phase: int, desk: Desk) -> None:
        """As many calls as it takes, of one operation that names nothing."""
        while phase == 1 and not desk.over:
            desk.call("preview", {"stream_id": "anything"})


class FalseHandle(Habits):
    """Cites a handle that it never got."""

    def reply(self, phase: int, said: dict[str, Any], memory: Memory) -> dict[str, Any] | None:
        """The last handle is made up."""
        if memory.script.phases[phase].kind != "evidence":
            return said
        return {**said, "handles": [*said["handles"], "r0123456789ab"]}


@dataclass(frozen=True, slots=True)
class Kept:
    """A habit and what it breaks first."""

    make: type[Habits]
    breaks: tuple[str, ...]
    families: tuple[str, ...] = field(default=())
    """Where it applies; everywhere if empty."""


HABITS: Mapping[str, Kept] = {
    "skips_evidence": Kept(SkipsEvidence, ("evidence_streams",)),
    "keeps_old_winner": Kept(KeepsOldWinner, ("winner_carried",)),
    "never_asks": Kept(NeverAsks, ("asks_site", "asks_time")),
    "local_as_utc": Kept(LocalAsUtc, ("window_period", "exact_probe", "quality_call")),
    "ignores_quality": Kept(IgnoresQuality, ("quality_call",)),
    "invents_value": Kept(InventsValue, ("initial_value",)),
    "drops_revision": Kept(DropsRevision, ()),
    "stops_early": Kept(StopsEarly, ("protocol_completed",)),
    "floods": Kept(Floods, ("protocol_completed",)),
    "false_handle": Kept(FalseHandle, ("evidence_handle",)),
}
"""`drops_revision` breaks whatever its revision asks for first."""
