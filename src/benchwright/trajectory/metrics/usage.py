"""Tokens and cost of a log, by the rules of its format, as readers give them in `Usage`.

A total that a run states is trusted over sums of its parts, and covers what stands before it; what
stands after it is added. Otherwise turns are added where only turns are stated, else answers, each
once, with its last counts. More cached than prompt tokens are an error: no sum would mean anything.
facts: tracebench 9.2, 9.3; behaviour 31.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from benchwright.errors import FormatError
from benchwright.trajectory.digests import Digests, keyed
from benchwright.trajectory.events import Begin, Call, Event, Message, Usage
from benchwright.trajectory.metrics.usage_rows import Counts, Rows
from benchwright.trajectory.prices import cost, price_of

CostSource = Literal["log", "prices"]
_TOKENS = ("prompt", "cached", "completion", "reasoning", "cache_written")


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


class Spending:
    """Fold: keeps the last counts of each answer, turn and run."""

    def __init__(self) -> None:
        self._rows = Rows()
        self._covered = 0
        """Rows before this one are covered by the total of a run."""
        self._keys = Digests()
        self._spoken: Counter[str] = Counter()
        """Agent: its answers by the keys of their words and calls."""
        self._unkeyed: set[str] = set()
        self._last: tuple[str, str | None] | None = None
        self._model: str | None = None
        self._wrong: Usage | None = None

    def see(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, Usage):
            self._count(event)
        elif isinstance(event, Begin):
            self._model = event.model or self._model
        elif isinstance(event, Call) or (isinstance(event, Message) and event.source == "agent"):
            self._speak(event.thread, event.key)

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
        self._rows.count(usage)
        if usage.scope == "run" and (usage.prompt is not None or usage.completion is not None):
            self._covered = len(self._rows)

    def _speak(self, thread: str, key: str | None) -> None:
        if (thread, key) == self._last:
            return
        self._last = (thread, key)
        if key is None:
            self._unkeyed.add(thread)
        elif self._keys.add(keyed(thread, key)):
            self._spoken[thread] += 1

    def iterations(self, threads: Collection[str] | None, *, bounded: bool) -> int | None:
        """Answers of the model.

        bounded: whether keys of words and calls are answers as the format bounds them; without,
        only counts that belong to one answer tell how many there were.
        """
        counted = self._rows.number("step", threads)
        if counted:
            return counted
        unkeyed = any(_in(thread, threads) for thread in self._unkeyed)
        spoken = sum(n for thread, n in self._spoken.items() if _in(thread, threads))
        if not bounded or unkeyed or (not spoken and len(self._rows)):
            return None
        return spoken

    def tokens(self, threads: Collection[str] | None = None) -> Tokens:
        """Tokens of some agents, or of all; totals of runs are of all only."""
        sums: dict[str, int | None] = dict.fromkeys(_TOKENS)
        # an answer states less than the total of a run, and a run that broke off states none
        broken_off = any(counts.partial for counts in self._of("run", threads))
        unsaid, partial = set[str](), broken_off
        for counts in self._trusted(threads):
            partial = partial or counts.partial
            for part in _TOKENS:
                value = getattr(counts, part)
                if value is None:
                    unsaid.add(part)
                else:
                    sums[part] = (sums[part] or 0) + value
        return Tokens(
            sums["prompt"], sums["cached"], sums["cache_written"], sums["completion"],
            sums["reasoning"],
            prompt_at_least=broken_off or "prompt" in unsaid,
            completion_at_least=partial or "completion" in unsaid,
            cached_at_least=sums["cached"] is not None and (broken_off or "cached" in unsaid),
            reasoning_at_least=sums["reasoning"] is not None
            and (partial or "reasoning" in unsaid),
        )  # fmt: skip

    def cost(self, threads: Collection[str] | None = None) -> Cost:
        """Cost as the log states it, else by the price table where it has all that it needs."""
        for scope in ("run", "turn", "step"):
            group = self._of(scope, threads)
            stated = (c.cost_nano for c in group if c.cost_nano is not None or c.states_tokens)
            total = _sum(stated)
            if total is not None:
                behind = self._behind(threads) if scope == "run" else ()
                return self._summed(total, behind)
        return self._summed(None, self._trusted(threads))

    def _summed(self, stated: int | None, rest: Iterable[Counts]) -> Cost:
        """A cost that is stated, with those of `rest`, where each is stated or has a price."""
        total = stated
        source: CostSource = "log"
        for counts in rest:
            cost = counts.cost_nano
            if cost is None:
                cost, source = self._priced(counts), "prices"
            if cost is None:
                return Cost(None, None)
            total = (total or 0) + cost
        return Cost(None, None) if total is None else Cost(total, source)

    def _behind(self, threads: Collection[str] | None) -> Iterable[Counts]:
        """Counts that stand behind the last total of a run, which does not cover them."""
        if not any(counts.states_tokens for counts in self._of("run", threads)):
            return ()
        return self._parts(threads, self._covered)

    def stated_ms(self, threads: Collection[str] | None = None) -> tuple[int | None, int | None]:
        """Active time and time of the model as runs state them, in ms."""
        runs = list(self._of("run", threads))
        active = [c.duration_ms for c in runs if c.duration_ms is not None]
        model = [c.api_duration_ms for c in runs if c.api_duration_ms is not None]
        return (sum(active) if active else None), (sum(model) if model else None)

    def _priced(self, usage: Counts) -> int | None:
        known = None not in (usage.prompt, usage.cached, usage.completion) and not usage.partial
        price = price_of(usage.model or self._model)
        if not known or usage.prompt is None or usage.cached is None or usage.completion is None:
            return None
        return cost(price, prompt=usage.prompt, cached=usage.cached, completion=usage.completion)

    def _of(self, scope: str, threads: Collection[str] | None) -> Iterator[Counts]:
        if scope == "run" and threads is not None:
            return iter(())
        return self._rows.of(scope, threads)

    def _trusted(self, threads: Collection[str] | None) -> Iterator[Counts]:
        """The counts that are added."""
        stated = False
        for counts in self._of("run", threads):
            if counts.states_tokens:
                stated = True
                yield counts
        yield from self._parts(threads, self._covered if stated else 0)

    def _parts(self, threads: Collection[str] | None, first: int) -> Iterator[Counts]:
        """Counts of answers, else of turns, from row `first` on."""
        scope = "step" if self._rows.number("step", threads) else "turn"
        return self._rows.of(scope, threads, first)


def _in(thread: str, threads: Collection[str] | None) -> bool:
    return threads is None or thread in threads


def _sum(costs: Iterable[int | None]) -> int | None:
    """None where there is none, or one is unknown."""
    total = None
    for nano in costs:
        if nano is None:
            return None
        total = (total or 0) + nano
    return total
