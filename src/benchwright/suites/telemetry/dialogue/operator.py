"""The operator: a state machine that speaks a script. No model, and nothing but the script decides.

    START              -> first turn, a slot withheld or not
    AWAIT_CLARIFY      a question for the slot reveals it; a reply is told what is missing
    AWAIT_ANSWER(k)    a reply that says anything brings turn k + 1, the last one the end
    DONE               nothing more

Questions never move it but by the slot that they reveal; empty replies do not move it at all. Calls
of operations are none of its business.
"""

from __future__ import annotations

from collections.abc import Mapping

from benchwright.suites.telemetry.dialogue.model import SLOTS, Script
from benchwright.suites.telemetry.dialogue.reply import Reply, is_empty
from benchwright.tasks.session import AgentMessage, Turn

_ASIDE: Mapping[str, str] = {
    "point_class": "I named the class; I cannot say it in other words.",
    "unit": "Whatever unit the data have.",
    "purpose": "I want to know whether I can report it.",
}
_WANTED = {"site": "which one I mean", "time": "which time I mean"}
EMPTY = "There was nothing in that reply. State an action and what it rests on."
UNKNOWN = f"I can only be asked for: {', '.join(SLOTS)}."


class ScriptedOperator:
    """One conversation; deterministic for a fixed sequence of messages."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._pending = script.withheld is not None
        self._at = 0
        self._done = False

    @property
    def answered(self) -> int:
        """How many turns have been answered."""
        return self._at

    def step(self, message: AgentMessage | None) -> Turn:
        """What the operator says to a message; None opens the conversation."""
        if message is None:
            return self.said(self._script.phases[0].text)
        if self._done:
            return Turn(self._script.closing, (), True)
        if message.slot is not None:
            return self.asked(message.slot)
        reply = Reply.model_validate(dict(message.reply or {}))
        return self.told(empty=is_empty(reply))

    @property
    def over(self) -> bool:
        """Whether the last turn was answered."""
        return self._done

    @property
    def missing(self) -> str | None:
        """The slot that has to be asked for; None once it was revealed, or where there is none."""
        withheld = self._script.withheld
        return withheld.slot if self._pending and withheld is not None else None

    def asked(self, slot: str) -> Turn:
        """The turn after a question."""
        withheld = self._script.withheld
        if slot not in SLOTS:
            return self.said(UNKNOWN)
        if withheld is not None and slot == withheld.slot:
            first, self._pending = self._pending, False
            return Turn(withheld.words, (slot,) if first else (), False)
        return self.said(_ASIDE.get(slot) or self._script.phases[0].text)

    def told(self, *, empty: bool) -> Turn:
        """The turn after a reply."""
        withheld = self._script.withheld
        if empty:
            return self.said(EMPTY)
        if self._pending and withheld is not None:
            return self.said(f"You cannot know yet {_WANTED[withheld.slot]}; ask me for it.")
        self._at += 1
        if self._at < len(self._script.phases):
            return self.said(self._script.phases[self._at].text)
        self._done = True
        return Turn(self._script.closing, (), True)

    def said(self, text: str) -> Turn:
        """A turn that reveals nothing and ends nothing."""
        return Turn(text, (), False)
