"""Active time of agents, split into the model's and the tools' where the log's times allow.

The time before words or a call of the agent is the model's, the time before a result the tools',
the time before words of a person nobody's. A tool that states how long it took gets that much, also
where its call was recorded only when it was done. Times that run backwards add nothing. Where words
or calls carry no time, the split is unknown. Active time is what the log states, else the sum of
both parts; a stated time can be less than that sum, where the log leaves out waiting. A sub-agent
works while a tool of its caller runs: its time is a part of that, shown apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal

from benchwright.trajectory.events import Begin, Call, Event, Message, Result

TimeSource = Literal["log", "times"]


@dataclass(frozen=True, slots=True)
class Active:
    """Milliseconds; None where unknown."""

    active_ms: int | None
    source: TimeSource | None
    """Whether the log states `active_ms`, or it follows from the times of its records."""
    model_ms: int | None
    tools_ms: int | None


@dataclass(slots=True)
class _Clock:
    last: int | None = None
    model: int = 0
    tools: int = 0
    recent: int = 0
    """Part of `model` since the last result: a tool whose call was recorded late ran in it."""
    timed: bool = False
    broken: bool = False
    """Whether something of the agent or a result has no time."""
    key: str | None = None
    threads: set[str] = field(default_factory=set)


class Times:
    """Fold: two sums for each agent, first and last time of the log."""

    def __init__(self) -> None:
        self._clocks: dict[str, _Clock] = {}
        self._threads: dict[str, str] = {}
        """Calls without a result: whose they are."""
        self.first: str | None = None
        self.last: str | None = None
        self._first = self._last = 0

    def see(self, event: Event) -> None:
        """Take one event."""
        now = milliseconds(event.time) if event.time else None
        if now is not None and not _heads(event):
            self._extend(now, event.time or "", inside=isinstance(event, Call | Result))
        if isinstance(event, Begin):
            clock = self._clock(event.thread)
            clock.last = now if now is not None else None
        elif isinstance(event, Call):
            self._threads[event.call_id] = event.thread
            self._agent(self._clock(event.thread), now, event.key)
        elif isinstance(event, Result):
            self._tool(self._clock(self._threads.pop(event.call_id, "")), now, event.duration_ms)
        elif isinstance(event, Message):
            self._message(self._clock(event.thread), event, now)

    def end(self) -> None:
        """Nothing is left to do."""

    def active(self, thread: str, stated: tuple[int | None, int | None]) -> Active:
        """The time of one agent; stated: active and model time as the log states them."""
        clock = self._clock(thread)
        split = clock.timed and not clock.broken
        model, tools = (clock.model, clock.tools) if split else (stated[1], None)
        if stated[0] is not None:
            return Active(stated[0], "log", model, tools)
        if split:
            return Active(clock.model + clock.tools, "times", model, tools)
        return Active(None, None, model, tools)

    def _clock(self, thread: str) -> _Clock:
        return self._clocks.setdefault(thread, _Clock())

    def _extend(self, now: int, time: str, *, inside: bool) -> None:
        """Take a time; `inside` a record it can lie before the record that begins the log."""
        if self.first is None or (now < self._first and not inside):
            self.first, self._first = time, now
        if self.last is None or now > self._last:
            self.last, self._last = time, now

    def _message(self, clock: _Clock, message: Message, now: int | None) -> None:
        if message.source == "agent":
            self._agent(clock, now, message.key)
        elif now is not None and (message.source == "user" and not message.synthetic):
            clock.last = max(now, clock.last or now)
            clock.recent = 0

    def _agent(self, clock: _Clock, now: int | None, key: str | None) -> None:
        if now is None:
            clock.broken = clock.broken or key is None or key != clock.key
            return
        gap = self._step(clock, now)
        clock.model += gap
        clock.recent += gap
        clock.key, clock.timed = key, True

    def _tool(self, clock: _Clock, now: int | None, took: int | None) -> None:
        if now is None:
            clock.broken = True
            return
        gap = self._step(clock, now)
        late = min(max(0, (took or 0) - gap), clock.recent)
        clock.model -= late
        clock.tools += gap + late
        clock.recent = 0

    def _step(self, clock: _Clock, now: int) -> int:
        before = now if clock.last is None else clock.last
        clock.last = max(now, before)
        return clock.last - before


def _heads(event: Event) -> bool:
    """Whether an event comes from the header of a document, which is no record of what was done."""
    last = event.anchor.pointer.rpartition("/")[2]
    return isinstance(event, Begin) and bool(last) and not last.isdigit()


@lru_cache(maxsize=256)
def milliseconds(time: str) -> int | None:
    """Milliseconds since 1970 of an ISO 8601 time, without a zone taken as UTC; None where none."""
    try:
        moment = datetime.fromisoformat(time)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return int(moment.timestamp() * 1000 // 1)
    except (OverflowError, ValueError):
        return None


def utc(time: str | None) -> str | None:
    """An ISO 8601 time in UTC, cut to milliseconds; as it is where it is none."""
    if time is None or milliseconds(time) is None:
        return time
    moment = datetime.fromisoformat(time)
    moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
