"""What was said in a log, whole: the agent's words, and on demand those of the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from benchwright.trajectory.events import Event, Message


def spoken(log: Iterable[Event], *, everyone: bool = False) -> Iterator[Message]:
    """Messages with words, in order; of the agent and its sub-agents, or of everyone."""
    for event in log:
        if isinstance(event, Message) and event.text and (everyone or event.source == "agent"):
            yield event
