"""The scripted operator, hearing sentences: the same state machine, fed by what it reads.

A question for what is missing reveals it, whatever else is said. Otherwise a message that states
anything is a reply, one that only asks is a question for the first detail that it names, and one
that does neither is empty.
"""

from __future__ import annotations

from benchwright.suites.telemetry.dialogue.operator import UNKNOWN, ScriptedOperator
from benchwright.suites.telemetry.text.model import Reading
from benchwright.suites.telemetry.text.read import read
from benchwright.tasks.session import AgentMessage, Turn


class TextOperator(ScriptedOperator):
    """One conversation in words; questions and replies of the other channel are heard as well."""

    heard: Reading | None = None
    """What was read in the last message; None where it was not text."""

    def step(self, message: AgentMessage | None) -> Turn:
        """What the operator says to a message; None opens the conversation."""
        if message is None or message.slot is not None or message.reply is not None or self.over:
            self.heard = None
            return super().step(message)
        self.heard = read(message.text)
        if self.missing is not None and self.missing in self.heard.asks:
            return self.asked(self.missing)
        if not self.heard.empty:
            return self.told(empty=False)
        if self.heard.asks:
            return self.asked(self.heard.asks[0])
        return self.said(UNKNOWN) if self.heard.asking else self.told(empty=True)
