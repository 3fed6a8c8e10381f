"""Preflight: what a row and its conversation must satisfy before they are released.

Takes a row, its script and duties, and the store; gives coded issues. Nothing is believed: calls
are made again, policies applied again, references resolved, golds rendered as replies and judged. A
row with an issue is dropped and counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from itertools import pairwise
from typing import cast

from benchwright.suites.telemetry.contract.holdout import part_of
from benchwright.suites.telemetry.contract.model import Period
from benchwright.suites.telemetry.contract.periods import Window, local_day, window_of
from benchwright.suites.telemetry.dialogue.canonical import moves, recorded
from benchwright.suites.telemetry.dialogue.endings import (
    commitment,
    evidence,
    preference,
    rationale,
)
from benchwright.suites.telemetry.dialogue.lift import unrecorded
from benchwright.suites.telemetry.dialogue.model import FOLLOW_UPS, Phase, Script
from benchwright.suites.telemetry.dialogue.phases import looked_up, stated
from benchwright.suites.telemetry.dialogue.stages import Lifting
from benchwright.suites.telemetry.dialogue.wording import resolves
from benchwright.suites.telemetry.evaluation.evaluate import evaluated
from benchwright.suites.telemetry.obligations.model import Duties
from benchwright.suites.telemetry.operations.times import instant
from benchwright.suites.telemetry.rows.evidence import read_of, reads_of
from benchwright.suites.telemetry.rows.gold import fields_of
from benchwright.suites.telemetry.rows.times import Told, told


@dataclass(frozen=True, slots=True)
class Issue:
    """One reason not to release a row."""

    code: str
    where: str
    """Phase by number and kind, or a part of the row."""
    what: str


@dataclass(frozen=True)
class Flight:
    """What is about to be released."""

    work: Lifting
    script: Script
    duties: Duties


Found = Iterator[tuple[str, str]]


def preflight(flight: Flight) -> list[Issue]:
    """Every issue of a row, in the order of `CHECKS`."""
    return [
        Issue(code, where, what) for code, check in CHECKS.items() for where, what in check(flight)
    ]


def _at(number: int, phase: Phase) -> str:
    return f"{number} {phase.kind}"


def _phases(flight: Flight) -> Iterator[tuple[str, Phase]]:
    for number, phase in enumerate(flight.script.phases):
        yield _at(number, phase), phase


def _fields(flight: Flight) -> Found:
    row = flight.work.row
    for name in ("identity", "key", "points", "query", "calls", "verifier", "source", "difficulty"):
        if not getattr(row, name):
            yield name, "is empty"
    if not row.evidence.streams or not row.evidence.handles:
        yield "evidence", "is empty"
    for where, phase in _phases(flight):
        if not phase.text.strip() or "{" in _unnamed(phase.text, flight):
            yield where, "turn has no text, or a slot that was not filled"
        if {"action", "reason", *phase.gold.fields} != set(phase.origins):
            yield where, "a value of the gold has no origin"


def _unnamed(text: str, flight: Flight) -> str:
    """A turn without the names of points, which may hold braces of their own."""
    points = flight.work.bench.inventory.points
    streams = cast("list[str]", flight.work.identity["streams"])
    named = {str(v) for s in streams for v in asdict(points[s]).values() if isinstance(v, str)}
    for name in sorted(named, key=len, reverse=True):
        text = text.replace(name, "") if name else text
    return text


def _counts(flight: Flight) -> Found:
    kinds = [phase.kind for phase in flight.script.phases]
    if kinds[0] != "initial_answer" or kinds.count("initial_answer") != 1:
        yield "phases", "the first answer is not first, or not alone"
    if kinds.count("reporting_commitment") != 1 or kinds[-1] != "evidence":
        yield "phases", "no single commitment, or evidence is not last"
    after = (
        kinds[kinds.index("reporting_commitment") + 1 :] if "reporting_commitment" in kinds else []
    )
    if any(kind not in FOLLOW_UPS for kind in after):
        yield "phases", "a revision comes after the commitment"


def _accepted(flight: Flight) -> Found:
    lines = list(recorded(flight.script, moves(flight.script)))
    found = evaluated(lines, flight.script, flight.duties)
    for obligation in found.broken:
        yield obligation.id, "the gold rendered as a reply does not meet it"


def _calls(flight: Flight) -> Found:
    for where, phase in _phases(flight):
        for call in phase.calls:
            again = flight.work.bench.call(call.operation, call.arguments)
            if dict(again.answer) != dict(call.answer):
                yield where, f"{call.operation} answers otherwise now"


def _origins(flight: Flight) -> Found:
    for where, phase in _phases(flight):
        for name, origin in phase.origins.items():
            kind, _, which = origin.partition(":")
            if kind == "call" and name in phase.gold.fields:
                given = stated(fields_of(phase.calls[int(which)]))
                if given.get(name) != phase.gold.fields[name]:
                    yield where, f"{name} is not what its call gave"


def _policies(flight: Flight) -> Found:
    """Every ending again, from the phases before it."""
    stages = {
        "preference_decision": preference,
        "reporting_commitment": commitment,
        "rationale": rationale,
        "evidence": evidence,
    }
    phases = flight.script.phases
    for number, phase in enumerate(phases):
        stage = stages.get(phase.kind)
        if stage is not None:
            before = Script(flight.script.mode, None, phases[:number], "")
            again = stage(before, flight.work).phases[-1]
            if again.gold != phase.gold:
                yield _at(number, phase), "the policy gives another gold"


def _timestamps(flight: Flight) -> Found:
    """The instant that is asked about, looked up again; and by the policy that chose it."""
    fresh = unrecorded(flight.work)
    asked = [p.state.get("at") for p in fresh.phases if p.kind == "revise_timestamp"]
    said = [p.state.get("at") for p in flight.script.phases if p.kind == "revise_timestamp"]
    if asked != said:
        yield "revise_timestamp", "the policy chooses another instant"
    for where, phase in _phases(flight):
        if phase.kind == "revise_timestamp":
            state = phase.state
            again = looked_up(str(state["stream"]), cast(int, state["at"]), flight.work.bench)
            if [c.answer for c in again] != [c.answer for c in phase.calls]:
                yield where, "its look-ups are not those of the instant"


def _quality(flight: Flight) -> Found:
    clock = flight.work.bench.inventory.clock
    for where, phase in _phases(flight):
        if phase.kind != "quality_check":
            continue
        start, end = cast("list[int]", phase.state["week"])
        week = window_of(local_day(start, clock), "week", clock)
        if (week.start, week.end) != (start, end):
            yield where, "its window is no week of the calendar"
        if phase.calls[-1].answer["decision"] != phase.gold.fields["decision"]:
            yield where, "its decision is not that of the call"


def _evidence(flight: Flight) -> Found:
    row, bench = flight.work.row, flight.work.bench
    for read in row.evidence.reads:
        if read_of(bench, read.stream, read.start, read.end) != read:
            yield "evidence", f"{read.stream} reads otherwise now"
    every = {str(call.answer["handle"]) for phase in flight.script.phases for call in phase.calls}
    if not set(row.evidence.handles) <= every:
        yield "evidence", "a handle belongs to no canonical call"


def _wording(flight: Flight) -> Found:
    phases = flight.script.phases
    for number, phase in enumerate(phases):
        before = phases[number - 1].state if number else phase.state
        for reference in phase.references:
            if reference.phrase.lower() not in phase.text.lower():
                yield _at(number, phase), f"{reference.phrase!r} is not in the turn"
            bound = resolves(reference, {**before, "found": number})
            if bound is None:
                yield _at(number, phase), f"{reference.phrase!r} means nothing said before"
            elif not _names(phase, reference.binding, bound):
                yield _at(number, phase), f"{reference.phrase!r} is not what its calls name"
        for words in _times(phase, flight):
            if number and words not in phase.text:
                yield _at(number, phase), f"the turn does not say {words!r}"


def _names(phase: Phase, binding: str, bound: object) -> bool:
    """Whether calls of a phase are about what a reference means."""
    if binding not in ("stream", "winner", "streams") or not phase.calls:
        return True
    named = [
        str(call.arguments[name])
        for call in phase.calls
        for name in ("stream_id", "stream_a", "stream_b")
        if name in call.arguments
    ]
    if not named:
        return True
    wanted = [str(x) for x in bound] if isinstance(bound, list) else [str(bound)]
    return set(named) == set(wanted)


def _times(phase: Phase, flight: Flight) -> list[str]:
    clock = flight.work.bench.inventory.clock
    state = phase.state
    if phase.kind == "revise_timestamp":
        return [told(Told("instant", cast(int, state["at"])), clock)]
    if phase.kind == "quality_check":
        label = local_day(cast("list[int]", state["week"])[0], clock).isoformat()
        return [told(Told("week", label), clock)]
    if phase.kind == "revise_window":
        if "period" not in state:
            return [told(Told("trailing", cast("list[int]", state["window"])[1]), clock)]
        period = cast(Period, state["period"])
        day = date.fromisoformat(str(state["first_day"]))
        return [told(Told(period, window_of(day, period, clock).label), clock)]
    return []


def _leaks(flight: Flight) -> Found:
    withheld = flight.script.withheld
    if withheld is not None:
        for text in withheld.hidden:
            # A whole word: a site "A" is not told by a class "Air".
            if text and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", flight.script.phases[0].text):
                yield "0 initial_answer", f"the first turn tells {text!r}"


def _history(flight: Flight) -> Found:
    history = flight.script.history
    for before, after in pairwise(history):
        if before.after != after.before:
            yield after.name, "does not begin where the stage before it ended"
    if history and history[-1].after != flight.script.digest:
        yield history[-1].name, "the script was changed after its last stage"
    for stage in history:
        if (stage.before == stage.after) != (stage.status == "skipped"):
            yield stage.name, "its status is not what it did"


def _reach(flight: Flight) -> Found:
    """Nothing that the conversation reads lies in another split."""
    inventory, chosen = flight.work.bench.inventory, flight.work.chosen
    clock = inventory.store.zone
    for where, phase in _phases(flight):
        for call in phase.calls:
            for read in reads_of(call, flight.work.bench):
                window = Window(read.start, read.end)
                points = [inventory.points[read.stream]]
                part = part_of(chosen.kind.family, points, window, inventory.contract, clock)
                if part != chosen.candidate.part:
                    yield where, f"{read.stream} is read outside the split"


def _duties(flight: Flight) -> Found:
    ids = [o.id for o in flight.duties.obligations]
    place = {name: index for index, name in enumerate(ids)}
    if len(place) != len(ids):
        yield "obligations", "an id is doubled"
    for obligation in flight.duties.obligations:
        for need in obligation.needs:
            if place.get(need, len(ids)) >= place[obligation.id]:
                yield obligation.id, f"needs {need}, which does not come before it"


def _alternatives(flight: Flight) -> Found:
    row, bench = flight.work.row, flight.work.bench
    for alternative in row.alternatives:
        last = [bench.call(a.operation, a.arguments) for a in alternative.instead][-1]
        if last.refused != row.calls[alternative.call].refused:
            yield alternative.kind, "the alternative is refused, or the call is and it is not"


def _instants(flight: Flight) -> Found:
    zone = flight.work.bench.inventory.store.zone
    for where, phase in _phases(flight):
        for call in phase.calls:
            if "start" in call.arguments:
                ends = [instant(str(call.arguments[n]), zone) for n in ("start", "end")]
                if phase.kind == "revise_window" and ends != phase.state["window"]:
                    yield where, "the call's window is not that of the state"


CHECKS: Mapping[str, Callable[[Flight], Found]] = {
    "missing_field": _fields,
    "phase_order": _counts,
    "gold_not_accepted": _accepted,
    "call_not_repeated": _calls,
    "origin_wrong": _origins,
    "policy_not_repeated": _policies,
    "timestamp_not_repeated": _timestamps,
    "quality_not_repeated": _quality,
    "evidence_not_repeated": _evidence,
    "wording_not_aligned": _wording,
    "slot_leaked": _leaks,
    "history_broken": _history,
    "split_crossed": _reach,
    "duties_not_ordered": _duties,
    "alternative_refused": _alternatives,
    "window_not_aligned": _instants,
}
"""Every check by the code of its issues."""
