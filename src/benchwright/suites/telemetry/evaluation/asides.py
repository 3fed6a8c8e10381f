"""What a reply states beside what its turn asks for: right only where results of its turn say so.

A field that a gold does not hold is compared with what is known by then: the latest reading, figure
and decision of the script, every refusal, and what the agent's own calls gave since its reply
before, of streams that the conversation is about. A field of which nothing is known means nothing
there, and is not so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.dialogue.model import Phase, Script
from benchwright.suites.telemetry.dialogue.policy import fault_of
from benchwright.suites.telemetry.evaluation.stated import differing, is_none
from benchwright.suites.telemetry.evaluation.trace import Made, Trace
from benchwright.suites.telemetry.obligations.model import Duties
from benchwright.suites.telemetry.obligations.unasked import answers_for

Fact = Mapping[str, Any]
"""Fields of a reply that one result makes true; of one that it makes empty, None."""
_ACT: Final = ("action", "reason", "handles", "streams")


@dataclass(frozen=True, slots=True)
class Untrue:
    """Fields of one reply that are not so."""

    phase: int
    n: int
    """Exchange of the reply."""
    said: Mapping[str, Any]

    def __str__(self) -> str:
        return f"turn {self.phase + 1} states what is not so: {', '.join(self.said)}"


def untrue(script: Script, duties: Duties, trace: Trace, zone: Zone) -> dict[str, Untrue]:
    """By the id of the obligation that answers for it: the first reply that is not so."""
    found: dict[str, Untrue] = {}
    since = -1
    for number, replied in enumerate(trace.replies):
        calls = [made for made in trace.calls if since < made.n < replied.n]
        since = replied.n
        asides = {k: v for k, v in replied.said.items() if k not in _ACT and v is not None}
        for name in script.phases[number].gold.fields:
            asides.pop(name, None)
        facts = [*known(script.phases[: number + 1]), *_own(calls, duties)]
        wrong = [name for name, said in asides.items() if not _so(name, said, facts, zone, duties)]
        wrong += _apart(asides, facts, zone, duties)
        wrong += _streams(replied.said, script, number)
        for name in dict.fromkeys(wrong):
            bearer = answers_for(name, number, duties)
            one = found.setdefault(bearer, Untrue(number, replied.n, {}))
            if one.phase == number:
                said_there = {**one.said, name: replied.said[name]}
                found[bearer] = Untrue(number, replied.n, said_there)
    return found


def known(phases: Sequence[Phase]) -> list[Fact]:
    """What the canonical results of these turns make true; of a kind only the latest counts."""
    latest: dict[str, list[Fact]] = {}
    refusals: list[Fact] = []
    for phase in phases:
        own: dict[str, list[Fact]] = {}
        for call in phase.calls:
            for kind, fact in facts_of(call.answer):
                (refusals if kind == "refusal" else own.setdefault(kind, [])).append(fact)
        latest |= own
    return [*(fact for facts in latest.values() for fact in facts), *refusals]


def _own(calls: Iterable[Made], duties: Duties) -> Iterator[Fact]:
    """What an agent's calls gave, of streams that the conversation is about."""
    about = {stream for one in duties.needed for stream in one.streams}
    for made in calls:
        upwards = made.arguments.get("order") == "lowest"
        if made.streams and about.issuperset(made.streams) and not upwards:
            yield from (fact for _, fact in facts_of(made.answer))


def facts_of(answer: Mapping[str, Any]) -> Iterator[tuple[str, Fact]]:
    """Kind of a result, and the fields that it makes true."""
    if "error" in answer:
        named = [one["stream_id"] for one in answer.get("candidates") or () if "stream_id" in one]
        yield "refusal", {"error": answer["error"], **({"candidates": named} if named else {})}
    elif "observed" in answer:
        names = ("observed", "value", "offset_s")
        told = {name: answer[name] for name in names}
        yield "reading", {"stream": answer["stream_id"], "flag": fault_of(answer), **told}
    elif "ranked" in answer:
        yield from (("figure", fact) for fact in _ranking(answer))
    elif "mean_a" in answer:
        yield from (("figure", fact) for fact in _comparison(answer))
    elif "decision" in answer:
        names = ("coverage", "gap_ratio", "decision")
        check = answer.get("reason")
        told = {name: answer[name] for name in names}
        why = {"quality_reason": check, "deciding_check": check or "none"}
        yield "quality", {"stream": answer["stream_id"], **told, **why}
    elif "mean" in answer:
        of = "change" if answer["mean"] is None else "mean"
        told = {"of": of, "value": answer[of], "coverage": answer["coverage"]}
        yield "figure", {"stream": answer["stream_id"], **told}
    elif "stream_id" in answer:
        stream = answer["stream_id"]
        yield "point", {"stream": stream, "candidates": [stream]}


def _ranking(answer: Mapping[str, Any]) -> Iterator[Fact]:
    rows = answer["ranked"]
    if rows:
        first = rows[0]["stream_id"]
        leads = dict.fromkeys(("winner", "higher", "stream"), first)
        apart = dict.fromkeys(("margin", "difference"), answer["margin"])
        figure = {"of": answer["of"], "value": rows[0]["value"], "coverage": answer["coverage"]}
        yield {**leads, **apart, **figure, "ranked": [row["stream_id"] for row in rows]}


def _comparison(answer: Mapping[str, Any]) -> Iterator[Fact]:
    """Both means with their difference; and each mean as a figure of its own."""
    sides = sorted("ab", key=lambda side: -answer[f"mean_{side}"])
    means = {name: answer[name] for name in ("mean_a", "mean_b", "difference")}
    streams = [answer[f"stream_{side}"] for side in sides]
    led = dict.fromkeys(("higher", "winner"), None if answer["higher"] == "tie" else streams[0])
    apart = {"margin": abs(answer["difference"]), "coverage": answer["coverage"]}
    yield {**means, **led, **apart, "ranked": streams}
    for side, stream in zip(sides, streams, strict=True):
        yield {"stream": stream, "value": answer[f"mean_{side}"], "of": "mean"}


def _so(name: str, said: Any, facts: Sequence[Fact], zone: Zone, duties: Duties) -> bool:
    told = [fact for fact in facts if name in fact]
    if not told:
        return is_none(said) or said == []
    return any(_agrees({name: said}, fact, zone, duties) for fact in told)


def _apart(
    asides: Mapping[str, Any], facts: Sequence[Fact], zone: Zone, duties: Duties
) -> list[str]:
    """A value and its stream have to be those of one result."""
    both = {name: asides[name] for name in ("stream", "value") if name in asides}
    told = [fact for fact in facts if both.keys() <= fact.keys()]
    one = any(_agrees(both, fact, zone, duties) for fact in told)
    return [] if len(both) < 2 or one else ["value"]


def _agrees(said: Mapping[str, Any], fact: Fact, zone: Zone, duties: Duties) -> bool:
    expected = {name: fact[name] for name in said}
    return not differing(said, expected, zone, duties.tolerance, duties.offset_ms)


def _streams(said: Mapping[str, Any], script: Script, number: int) -> list[str]:
    """Streams that a turn before the last names as evidence: some of those that are."""
    named = said.get("streams")
    if not named or "streams" in script.phases[number].gold.fields:
        return []
    supporting = script.phases[-1].gold.fields.get("streams") or []
    return [] if {*map(str, named)} <= {*map(str, supporting)} else ["streams"]
