"""What the events of an Inspect sample know beside its messages: times, tokens, durations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchwright.trajectory.events import Anchor, Usage
from benchwright.trajectory.readers.parts import count, mapping, milliseconds, text


class SampleEvents:
    """The model and tool events of one sample, found by the message or call that they made."""

    def __init__(self, sample: Mapping[str, Any]) -> None:
        events = sample.get("events")
        listed = events if isinstance(events, list) else []
        self._events = [mapping(event) for event in listed]
        self._answers = dict(self._answered())
        self._tools = {
            str(e.get("id")): e for e in self._events if e.get("event") == "tool" and e.get("id")
        }
        self._paid: set[int] = set()

    def _answered(self) -> Iterator[tuple[str, int]]:
        for number, event in enumerate(self._events):
            if event.get("event") != "model":
                continue
            choices = mapping(event.get("output")).get("choices")
            first = mapping(choices[0]) if isinstance(choices, list) and choices else {}
            identity = text(mapping(first.get("message")).get("id"))
            if identity:
                yield identity, number

    @property
    def first(self) -> str | None:
        """Time of the first event."""
        return text(self._events[0].get("timestamp")) if self._events else None

    @property
    def last(self) -> str | None:
        """Time of the last event, its end where that is stated."""
        if not self._events:
            return None
        return text(self._events[-1].get("completed")) or text(self._events[-1].get("timestamp"))

    def answered(self, message: str | None) -> str | None:
        """When the model had given a message."""
        number = self._answers.get(message or "")
        event = self._events[number] if number is not None else {}
        return text(event.get("completed")) or text(event.get("timestamp"))

    def ran(self, call: str) -> tuple[str | None, int | None]:
        """When a tool was done, and how long it had worked, in ms."""
        event = self._tools.get(call, {})
        return text(event.get("completed")), milliseconds(event.get("working_time"), 1000)

    def usage(self, message: str | None, key: str | None, anchor: Anchor) -> Iterator[Usage]:
        """What a message of the model cost, once."""
        number = self._answers.get(message or "")
        if number is not None and number not in self._paid:
            yield from self._counted(number, key, anchor)

    def rest(self, run: str, anchor: Anchor) -> Iterator[Usage]:
        """Usage of model events whose messages are not among those of the sample."""
        for number, event in enumerate(self._events):
            if event.get("event") == "model" and number not in self._paid:
                yield from self._counted(number, f"{run} event {number}", anchor)

    @property
    def counted(self) -> bool:
        """Whether any model event stated what it used."""
        return bool(self._paid)

    def _counted(self, number: int, key: str | None, anchor: Anchor) -> Iterator[Usage]:
        event = self._events[number]
        usage = mapping(mapping(event.get("output")).get("usage"))
        if usage:
            self._paid.add(number)
            place = Anchor(
                anchor.line, anchor.start, anchor.end, f"{anchor.pointer}/events/{number}",
                anchor.file,
            )  # fmt: skip
            took = milliseconds(event.get("working_time"), 1000)
            yield counts(usage, place, key, text(event.get("model")), took)


def counts(
    usage: Mapping[str, Any], anchor: Anchor, key: str | None, model: str | None, took: int | None
) -> Usage:
    """Token counts as Inspect states them."""
    prompt, completion = count(usage.get("input_tokens")), count(usage.get("output_tokens"))
    read = count(usage.get("input_tokens_cache_read"))
    written = count(usage.get("input_tokens_cache_write"))
    whole = count(usage.get("total_tokens"))
    if None not in (prompt, completion, whole):
        apart = (prompt or 0) + (read or 0) + (written or 0)
        if apart + (completion or 0) == whole:  # providers that count cached tokens apart
            prompt = apart
    return Usage(
        anchor, "step", prompt, read, completion, count(usage.get("reasoning_tokens")), written,
        key, model=model, api_duration_ms=took,
    )  # fmt: skip
