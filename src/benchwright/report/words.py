"""Plain sentences for what records say in one word. Used by pages and by the terminal alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from benchwright.canonical import Json
from benchwright.episodes.broken import Spent, Total, spent
from benchwright.episodes.model import End, Episode, Owner, Usage
from benchwright.scoring.model import Check, ScoreRow
from benchwright.scoring.rows import NOT_YET

_ENDS = {
    "returned": "The agent stopped by itself",
    "message_limit": "The agent used up its messages",
    "token_limit": "The agent used up its tokens",
    "time_limit": "The agent ran out of time",
    "cost_limit": "The agent used up its money",
    "error": "The episode broke off",
    "killed": "The episode was killed",
}
_OWNERS = {
    "task": "The task itself is at fault",
    "agent": "This is the agent's own doing",
    "operator": "The scripted operator is at fault",
    "judge": "The judge is at fault",
    "sandbox": "The sandbox is at fault, not the agent",
    "provider": "The model provider is at fault, not the agent",
}


def end_words(end: End, owner: Owner | None) -> str:
    """How an episode ended, why, and whose fault it was if it was one."""
    first = _ENDS.get(end.kind, end.kind)
    parts = [f"{first}: {end.reason}" if end.reason else first]
    if owner is not None:
        parts.append(_OWNERS.get(owner, owner))
    return "".join(f"{part.rstrip('.')}. " for part in parts).rstrip()


def answer_words(got: Json) -> str:
    """A ranked answer as text: best first."""
    if isinstance(got, list | tuple) and got:
        return ", then ".join(str(label) for label in got)
    return str(got) if isinstance(got, str) and got else "no usable answer"


def check_words(check: Check) -> str:
    """Why a sample was scored as it was."""
    if check.outcome in ("unverified", "blocked"):
        return f"{sentence(check.reason or 'could not be checked')} Counts neither way."
    if not isinstance(check.got, list | tuple) or not check.got:
        return f"No usable answer: {sentence(check.reason or 'nothing was given')} Scores 0."
    labels = list(dict.fromkeys(map(str, check.got)))
    if check.outcome == "pass":
        more = len(labels) - 1
        if not more:
            return "Right, and the only label given: full marks."
        return f"Right; {more} more {_plural(more, 'label')} given: shortlist 1/{len(labels)}."
    if check.expected in labels:
        place = labels.index(str(check.expected)) + 1
        return f"The truth is number {place} of {len(labels)}: top-1 0, shortlist 1/{len(labels)}."
    return "The truth is not among the labels given: scores 0."


def check_in(check: Check, words: Mapping[str, str]) -> Check:
    """`check` with its labels replaced by their words; what has none stays as it is."""

    def told(label: Json) -> Json:
        return words.get(label, label) if isinstance(label, str) else label

    got = check.got
    answer: Json = [told(label) for label in got] if isinstance(got, list | tuple) else told(got)
    return replace(check, expected=told(check.expected), got=answer)


def status_words(row: ScoreRow) -> str:
    """A score as text, or what stands in its place."""
    if row.status == "scored" and row.value is not None:
        return f"{row.value:.2f}"
    return {"invalid": "0 (invalid)", "unscorable": "no score", "missing": "not run"}.get(
        row.status, row.status
    )


def metric_words(metric: str) -> str:
    """A metric's name as it is shown."""
    return metric.replace("heldout_", "held-out ").replace("top1", "top-1").replace("_", " ")


def usage_words(usage: Usage) -> tuple[tuple[str, str], ...]:
    """Named quantities; what is not known is said to be unknown and never 0."""
    return (
        ("input tokens", _count(usage.input_tokens)),
        ("output tokens", _count(usage.output_tokens)),
        ("cost", _cost(usage.cost_nano_usd)),
        ("tool calls", _count(usage.tool_calls)),
        ("time", _seconds(usage.wall_ms)),
    )


def owed_words(owed: Mapping[str, int]) -> tuple[str, ...]:
    """One line per reason why episodes are owed, other than that nobody has run them yet."""
    return tuple(
        f"{number} {_plural(number, 'episode')} owed: {reason}."
        for reason, number in owed.items()
        if reason != NOT_YET
    )


def broken_words(attempts: Iterable[Episode]) -> tuple[str, ...]:
    """One line per agent whose attempts were set aside to run again: number, owners, what was used.

    These attempts are in no table; they are counted and summed here only.
    """
    own: dict[str, list[Episode]] = {}
    for attempt in attempts:
        agent = attempt.agent
        own.setdefault(" ".join(filter(None, (agent.name, agent.model))), []).append(attempt)
    return tuple(f"{name}: {_spent_words(spent(found))}" for name, found in own.items())


def _spent_words(total: Spent) -> str:
    owners = ", ".join(f"{number} {owner}" for owner, number in total.owners.items())
    attempts = _plural(total.attempts, "attempt")
    tokens = ", ".join(
        f"{_total(total.usage[f'{way}_tokens'], _count)} {way} tokens"
        for way in ("input", "output")
    )
    cost, time = (
        _total(total.usage["cost_nano_usd"], _cost),
        _total(total.usage["wall_ms"], _seconds),
    )
    return (
        f"{total.attempts} {attempts} broke off and {'was' if total.attempts == 1 else 'were'} "
        f"set aside ({owners}), apart from every score: {tokens}, cost {cost}, {time}"
    )


def _total(total: Total, shown: Callable[[int | None], str]) -> str:
    if not total.unknown:
        return shown(total.known)
    if not total.known:
        return shown(None)
    return f"{shown(total.known)} and {total.unknown} unknown"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: `1 task`, `2 tasks`, `2 entries` where another plural is given."""
    return f"{number} {plural if plural and number != 1 else _plural(number, noun)}"


def sentence(text: str) -> str:
    """`text` with a capital letter and a full stop."""
    whole = text if text.endswith((".", "!", "?")) else f"{text}."
    return whole[:1].upper() + whole[1:]


def short_name(sample: str) -> str:
    """The first eight characters of a sample's file name, as it is shown in lists."""
    return sample.removesuffix(".parquet")[:8]


def sample_anchor(sample: str) -> str:
    """Name of a sample's place on a page; used behind `#` in addresses."""
    return "sample-" + re.sub("[^a-z0-9]+", "-", sample.removesuffix(".parquet").lower())


def _count(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def _seconds(ms: int | None) -> str:
    return "unknown" if ms is None else f"{ms / 1000:.1f} s"


def _cost(nano_usd: int | None) -> str:
    if not nano_usd:
        return "unknown" if nano_usd is None else "0 USD"
    return f"{nano_usd / 1e9:.4f} USD"


def _plural(number: int, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"
