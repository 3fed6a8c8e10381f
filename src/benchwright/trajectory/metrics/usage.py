"""Tokens and cost of a log, by the rules of its format, as readers give them in `Usage`.

A total that a run states is trusted over sums of its parts, and covers what stands before it; what
stands after it is added. Otherwise turns are added where only turns are stated, else answers, each
once, with its last counts. More cached than prompt tokens are an error: no sum would mean anything.
facts: tracebench 9.2, 9.3; behaviour 31.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from benchwright.errors import FormatError
from benchwright.trajectory.events import Begin, Call, Event, Message, Usage
from benchwright.trajectory.prices import cost, price_of

CostSource = Literal["log", "prices"]
_COUNTS = ("prompt", "cached", "completion", "reasoning", "cache_written", "cost_nano", "model",
           "duration_ms", "api_duration_ms")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tokens:
    """Token counts; None where the log does not say."""

    prompt: int | None
    """The whole input, cached tokens included."""
    cached: int | None
    """Part of `prompt` that was read from a cache."""
    cache_written: int | None
    completion: int | None
    """Reasoning included."""
    reasoning: int | None
    prompt_at_least: bool
    """Whether some answers have no count of their input, so that there was more."""
    completion_at_least: bool
    """Whether some answers were written down before they were complete, or without a count."""
    cached_at_least: bool = False
    """Whether some answers do not say what of their input was cached, and others do."""
    reasoning_at_least: bool = False
    """The same of reasoning, or some answers were not complete."""

    @property
    def total(self) -> int | None:
        """Tokens processed and generated."""
        if self.prompt is None or self.completion is None:
            return None
        return self.prompt + self.completion


@dataclass(frozen=True, slots=True)
class Cost:
    """Nano-USD, and where it comes from: `prices` where any part does; both None where unknown."""

    nano_usd: int | None
    source: CostSource | None


@dataclass(slots=True)
class _Entry:
    usage: Usage
    covered: bool = False
    """By the total of a run."""


class Spending:
    """Fold: keeps the last counts of each answer, turn and run."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str, str | None], _Entry] = {}
        self._fresh: list[_Entry] = []
        """Counts that no total of a run covers yet."""
        self._keys: dict[tuple[str, str | None], None] = {}
        """Answers by the keys of their words and calls."""
        self._model: str | None = None
        self._wrong: Usage | None = None

    def see(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, Usage):
            self._count(event)
        elif isinstance(event, Begin):
            self._model = event.model or self._model
        elif isinstance(event, Call) or (isinstance(event, Message) and event.source == "agent"):
            self._keys.setdefault((event.thread, event.key))

    def end(self) -> None:
        """Refuse counts that contradict themselves."""
        if self._wrong is not None:
            raise FormatError(
                "more cached than input tokens",
                value=(self._wrong.cached, self._wrong.prompt),
                where=self._wrong.anchor.text(),
                hint="Cached tokens are a part of the input tokens; correct the log or its reader.",
            )

    def _count(self, usage: Usage) -> None:
        if usage.prompt is not None and usage.cached is not None and usage.cached > usage.prompt:
            self._wrong = self._wrong or usage
        name = (usage.scope, usage.thread, usage.key)
        known = self._entries.get(name)
        if known is None:
            known = self._entries[name] = _Entry(usage)
            self._fresh.append(known)
        else:
            unsaid = [part for part in _COUNTS if getattr(usage, part) is None]
            known.usage = replace(usage, **{part: getattr(known.usage, part) for part in unsaid})
        if usage.scope == "run" and _states_tokens(usage):
            for entry in self._fresh:
                entry.covered = entry.usage.scope != "run"
            self._fresh.clear()

    def iterations(self, threads: Collection[str] | None, *, bounded: bool) -> int | None:
        """Answers of the model.

        bounded: whether keys of words and calls are answers as the format bounds them; without,
        only counts that belong to one answer tell how many there were.
        """
        counted = sum(
            1 for scope, thread, _ in self._entries if scope == "step" and _in(thread, threads)
        )
        if counted:
            return counted
        keys = [key for thread, key in self._keys if _in(thread, threads)]
        if not bounded or None in keys or (not keys and self._entries):
            return None
        return len(keys)

    def tokens(self, threads: Collection[str] | None = None) -> Tokens:
        """Tokens of some agents, or of all; totals of runs are of all only."""
        usages = self._trusted(threads)
        sums = {part: _sum([getattr(u, part) for u in usages]) for part in _COUNTS[:5]}
        return Tokens(
            sums["prompt"], sums["cached"], sums["cache_written"], sums["completion"],
            sums["reasoning"],
            prompt_at_least=any(u.prompt is None for u in usages),
            completion_at_least=any(u.partial or u.completion is None for u in usages),
            cached_at_least=sums["cached"] is not None and any(u.cached is None for u in usages),
            reasoning_at_least=sums["reasoning"] is not None
            and any(u.partial or u.reasoning is None for u in usages),
        )  # fmt: skip

    def cost(self, threads: Collection[str] | None = None) -> Cost:
        """Cost as the log states it, else by the price table where it has all that it needs."""
        for scope in ("run", "turn", "step"):
            group = self._of(scope, threads)
            stated = [u.cost_nano for u in group if u.cost_nano is not None or _states_tokens(u)]
            if stated and None not in stated:
                behind = self._behind(threads) if scope == "run" else []
                return self._summed(stated, behind)
        return self._summed([], self._trusted(threads))

    def _summed(self, stated: Sequence[int | None], rest: Sequence[Usage]) -> Cost:
        """Costs that are stated, with those of `rest`, where each is stated or has a price."""
        own = [self._priced(u) if u.cost_nano is None else u.cost_nano for u in rest]
        costs = [*stated, *own]
        if not costs or None in costs:
            return Cost(None, None)
        source: CostSource = "prices" if any(u.cost_nano is None for u in rest) else "log"
        return Cost(sum(nano or 0 for nano in costs), source)

    def _behind(self, threads: Collection[str] | None) -> list[Usage]:
        """Counts that stand behind the last total of a run, which does not cover them."""
        if not any(_states_tokens(usage) for usage in self._of("run", threads)):
            return []
        return [usage for usage in self._trusted(threads) if usage.scope != "run"]

    def stated_ms(self, threads: Collection[str] | None = None) -> tuple[int | None, int | None]:
        """Active time and time of the model as runs state them, in ms."""
        runs = self._of("run", threads)
        active = [u.duration_ms for u in runs if u.duration_ms is not None]
        model = [u.api_duration_ms for u in runs if u.api_duration_ms is not None]
        return (sum(active) if active else None), (sum(model) if model else None)

    def _priced(self, usage: Usage) -> int | None:
        known = None not in (usage.prompt, usage.cached, usage.completion) and not usage.partial
        price = price_of(usage.model or self._model)
        if not known or usage.prompt is None or usage.cached is None or usage.completion is None:
            return None
        return cost(price, prompt=usage.prompt, cached=usage.cached, completion=usage.completion)

    def _of(self, scope: str, threads: Collection[str] | None) -> list[Usage]:
        if scope == "run" and threads is not None:
            return []
        return [e.usage for (s, t, _), e in self._entries.items() if s == scope and _in(t, threads)]

    def _trusted(self, threads: Collection[str] | None) -> list[Usage]:
        """The counts that are added."""
        runs = [usage for usage in self._of("run", threads) if _states_tokens(usage)]
        parts = self._of("step", threads)
        scope = "step" if parts else "turn"
        rest = [
            entry.usage
            for (s, thread, _), entry in self._entries.items()
            if s == scope and _in(thread, threads) and not (runs and entry.covered)
        ]
        return [*runs, *rest]


def _states_tokens(usage: Usage) -> bool:
    return usage.prompt is not None or usage.completion is not None


def _in(thread: str, threads: Collection[str] | None) -> bool:
    return threads is None or thread in threads


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
