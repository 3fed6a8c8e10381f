"""Small logs as events, with times, answers of the model and counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from benchwright.trajectory.events import (
    Anchor,
    Begin,
    Call,
    Event,
    Mark,
    Message,
    Result,
    Source,
    Usage,
)
from benchwright.trajectory.metrics.fold import figures_of
from benchwright.trajectory.metrics.summary import Metrics

HERE = Anchor(1, 0, 1)


def begin(agent: str = "claude-code", **parts: Any) -> Begin:
    return Begin(HERE, "s", agent, **{"cwd": "/w", **parts})


def says(source: Source, text: str = "words", **parts: Any) -> Message:
    return Message(HERE, source, text, **parts)


def spends(key: str | None, prompt: int | None, completion: int | None, **parts: Any) -> Usage:
    return Usage(HERE, parts.pop("scope", "step"), prompt, parts.pop("cached", 0), completion,
                 key=key, **parts)  # fmt: skip


def compacted(thread: str = "") -> Mark:
    return Mark(HERE, "compaction", "boundary", thread=thread)


def within(events: Iterable[Event], **parts: Any) -> list[Event]:
    """The same events with other parts, where they have such: a thread, a key, a time."""
    return [
        replace(event, **{n: v for n, v in parts.items() if hasattr(event, n)}) for event in events
    ]


def figures(*events: Event | list[Event], lacks: Iterable[str] = ()) -> Metrics:
    """The figures of events, single or in lists."""
    flat: list[Event] = []
    for event in events:
        flat.extend(event if isinstance(event, list) else [event])
    return figures_of(flat, frozenset(lacks))


def timed(events: list[Event], called: str | None, answered: str | None) -> list[Event]:
    """A call and its result with their times."""
    times = {Call: called, Result: answered}
    return [replace(e, time=times[type(e)]) for e in events if isinstance(e, Call | Result)]
