"""Tokens, cost and time of Claude logs. facts: log_formats 1.3, 2.4.

An answer states its counts on each of its records, growing while it is written: the largest holds.
A run states its total at its end. It does so twice: the counts per model are those that the cost
follows from, while the other ones leave out answers that came without streaming.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchwright.trajectory.events import Anchor, Usage
from benchwright.trajectory.readers.parts import count, mapping, milliseconds, nano, text, total

_Counts = tuple[int | None, int | None, int | None, int | None]
"""Prompt with all of its cache, read from the cache, completion, written to the cache."""

_NAMES = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
_MODEL_NAMES = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "outputTokens")


def counts_of(usage: Any) -> _Counts:
    """The counts of a `usage` object, or of one model in `modelUsage`, which has other names."""
    fields = mapping(usage)
    names = _MODEL_NAMES if "inputTokens" in fields else _NAMES
    fresh, read, written, output = [count(fields.get(name)) for name in names]
    return None if fresh is None else total(fresh, read, written), read, output, written


class Answers:
    """Usage of single answers; remembers how large a count each has stated."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, int, bool]] = {}
        self._latest: tuple[str | None, Any, Any] = (None, None, None)

    def usage(
        self, anchor: Anchor, message: Mapping[str, Any], key: str | None, thread: str
    ) -> Usage | None:
        """The usage that a record states; None where it states none, or no more than before.

        Zeros in a record that was written before its answer was complete are no counts.
        """
        usage = message.get("usage")
        latest = (key, usage, message.get("stop_reason"))
        if not isinstance(usage, dict) or latest == self._latest:
            return None
        self._latest = latest
        prompt, cached, completion, written = counts_of(usage)
        partial = text(message.get("stop_reason")) is None
        if not prompt:
            prompt = cached = written = None
        if partial and not completion:
            completion = None
        stated = (completion or 0, prompt or 0, not partial)
        name = hash((thread, key))
        if key is not None and name in self._known and stated <= self._known[name]:
            return None
        self._known[name] = stated
        return Usage(
            anchor, "step", prompt, cached, completion, cache_written=written, key=key,
            thread=thread, model=text(message.get("model")), partial=partial,
        )  # fmt: skip


class Runs:
    """Totals of runs. A program that serves several turns restates the total of all of them.

    Only the time that it states is that of the turn: times of one program are added up here.
    """

    def __init__(self) -> None:
        self._last: dict[str, tuple[int, list[int], int | None]] = {}
        """Session: number of the program, its totals, its time."""
        self._open: dict[int, Anchor] = {}
        """Sessions with counts behind their last total, by number: where the last of these is."""

    def spent(self, anchor: Anchor, scope: int) -> None:
        """An answer states counts, which the total of its session is to cover."""
        self._open[scope] = anchor

    def ended(self, scope: int) -> None:
        """A session states its total, or that it has none."""
        self._open.pop(scope, None)

    def unstated(self) -> Iterator[Usage]:
        """For each session without its total that it is unknown: its answers are a lower bound."""
        for scope, anchor in self._open.items():
            key = f"{scope} without its total"
            yield Usage(anchor, "run", None, None, None, key=key, partial=True)

    def usage(self, anchor: Anchor, record: Mapping[str, Any], session: str) -> Usage:
        """The total that a result record states, under a key that replaces what it contains."""
        models = mapping(record.get("modelUsage"))
        parts = [counts_of(model) for model in models.values()]
        turn = counts_of(record.get("usage"))
        whole = bool(parts) and all(None not in (prompt, out) for prompt, _, out, _ in parts)
        counts = tuple(total(*column) for column in zip(*parts, strict=True)) if whole else turn
        prompt, cached, completion, written = counts
        cost = nano(record.get("total_cost_usd", record.get("cost_usd")))
        waited = milliseconds(record.get("duration_api_ms"))
        used = [turn[0], turn[2], None, None] if whole else []
        key, duration = self._program(
            session, [prompt, completion, cost, waited], used,
            milliseconds(record.get("duration_ms")),
        )  # fmt: skip
        return Usage(
            anchor, "run", prompt, cached, completion, cache_written=written, key=key,
            model=next(iter(models)) if len(models) == 1 else None, cost_nano=cost,
            duration_ms=duration, api_duration_ms=waited,
        )  # fmt: skip

    def _program(
        self, session: str, totals: list[int | None], used: list[int | None], time: int | None
    ) -> tuple[str, int | None]:
        """The same program as before, if its total grew by no less than the new turn used."""
        stated = [number or 0 for number in totals]
        number, before, spent = self._last.get(session, (1, [], None))
        grown = [now - then for now, then in zip(stated, before, strict=False)]
        if any(more < (need or 0) for more, need in zip(grown, used or [0] * 4, strict=False)):
            number, spent = number + 1, None
        spent = total(spent, time)
        self._last[session] = (number, stated, spent)
        return (session if number == 1 else f"{session}#{number}"), spent
