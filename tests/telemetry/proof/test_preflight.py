"""One planted fault for every check of preflight: it is caught, by its code and no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from benchwright.suites.telemetry.dialogue.lift import lifted
from benchwright.suites.telemetry.dialogue.model import Phase, Script
from benchwright.suites.telemetry.dialogue.stages import Lifting
from benchwright.suites.telemetry.families.enumerate import enumerated
from benchwright.suites.telemetry.families.selected import selected
from benchwright.suites.telemetry.obligations.extract import extracted
from benchwright.suites.telemetry.operations.times import shown
from benchwright.suites.telemetry.preflight import CHECKS, Flight, preflight
from benchwright.suites.telemetry.rows.model import Alternative, Asked
from benchwright.suites.telemetry.rows.row import bench_of, row_of
from benchwright.suites.telemetry.rows.times import Told, told
from tests.telemetry.sets import Built

FAMILY = "daily_aggregate"
"""Its conversations have every kind of phase that preflight looks at."""
Plant = Callable[[Flight], Flight]


@pytest.fixture(scope="module")
def flight(demo_set: Built) -> Flight:
    """A conversation that may be released."""
    store = demo_set.store
    chosen = next(
        c
        for c in selected(enumerated(store), store.contract.dev_every).chosen
        if c.kind.family.name == FAMILY and c.split == "train"
    )
    bench = bench_of(store)
    row = row_of(chosen, bench)
    script = lifted(row, chosen, bench)
    duties = extracted(script, store.contract, store.zone)
    return Flight(Lifting(row, chosen, bench), script, duties)


def codes(flight: Flight) -> set[str]:
    return {issue.code for issue in preflight(flight)}


def test_a_sound_conversation_has_no_issue(flight: Flight) -> None:
    assert preflight(flight) == []


def place(flight: Flight, kind: str) -> int:
    return next(i for i, phase in enumerate(flight.script.phases) if phase.kind == kind)


def phased(flight: Flight, kind: str, **changed: Any) -> Flight:
    """One phase changed."""
    at = place(flight, kind)
    phases = list(flight.script.phases)
    phases[at] = replace(phases[at], **changed)
    return scripted(flight, replace(flight.script, phases=tuple(phases)))


def scripted(flight: Flight, script: Script) -> Flight:
    """Another script, its history and its duties made to follow: only the fault itself is left."""
    *before, last = script.history
    sealed = replace(script, history=(*before, replace(last, after=script.digest)))
    store = flight.work.bench.inventory.store
    return Flight(flight.work, sealed, extracted(sealed, store.contract, store.zone))


def phase_of(flight: Flight, kind: str) -> Phase:
    return flight.script.phases[place(flight, kind)]


def rowed(flight: Flight, **changed: Any) -> Flight:
    """A row changed."""
    row = replace(flight.work.row, **changed)
    return replace(flight, work=replace(flight.work, row=row))


def stated(flight: Flight, kind: str, state: Mapping[str, Any], text: str | None = None) -> Flight:
    phase = phase_of(flight, kind)
    said = {**phase.state, **state}
    return phased(flight, kind, state=said, text=phase.text if text is None else text)


def no_difficulty(flight: Flight) -> Flight:
    return rowed(flight, difficulty={})


def two_commitments(flight: Flight) -> Flight:
    """The commitment is asked for twice, in the same words."""
    at = place(flight, "reporting_commitment")
    phases = flight.script.phases
    doubled = (*phases[: at + 1], phases[at], *phases[at + 1 :])
    return scripted(flight, replace(flight.script, phases=doubled))


def another_figure_is_asked_for(flight: Flight) -> Flight:
    duties = flight.duties
    changed = tuple(
        replace(o, expects={"fields": {"coverage": 0.123}}) if o.type == "quality_stated" else o
        for o in duties.obligations
    )
    return replace(flight, duties=replace(duties, obligations=changed))


def another_unit_was_answered(flight: Flight) -> Flight:
    phase = phase_of(flight, "revise_window")
    (one,) = phase.required
    call = replace(one.call, answer={**one.call.answer, "unit": "furlong"})
    return phased(flight, "revise_window", required=(replace(one, call=call),))


def another_value_is_gold(flight: Flight) -> Flight:
    gold = phase_of(flight, "revise_window").gold
    fields = {**gold.fields, "value": gold.fields["value"] + 1}
    return phased(flight, "revise_window", gold=replace(gold, fields=fields))


def another_reason_is_gold(flight: Flight) -> Flight:
    gold = phase_of(flight, "reporting_commitment").gold
    return phased(flight, "reporting_commitment", gold=replace(gold, reason="because"))


def another_instant(flight: Flight) -> Flight:
    """A second later, in state and words; look-ups stay where they were."""
    phase = phase_of(flight, "revise_timestamp")
    clock, at = flight.work.bench.inventory.clock, int(phase.state["at"])
    before, after = (told(Told("instant", t), clock) for t in (at, at + 1000))
    text = phase.text.replace(before, after)
    return stated(flight, "revise_timestamp", {"at": at + 1000}, text)


def no_week(flight: Flight) -> Flight:
    start, end = phase_of(flight, "quality_check").state["week"]
    return stated(flight, "quality_check", {"week": [start, end - 1]})


def other_readings(flight: Flight) -> Flight:
    evidence = flight.work.row.evidence
    reads = tuple(replace(read, content="0" * 64) for read in evidence.reads)
    return rowed(flight, evidence=replace(evidence, reads=reads))


def other_words(flight: Flight) -> Flight:
    text = phase_of(flight, "quality_check").text.replace("the same stream", "it")
    return phased(flight, "quality_check", text=text)


def told_too_much(flight: Flight) -> Flight:
    assert flight.script.withheld is not None
    words = " ".join(flight.script.withheld.hidden)
    text = f"{flight.script.phases[0].text} I mean {words}."
    return phased(flight, "initial_answer", text=text)


def other_history(flight: Flight) -> Flight:
    first, *rest = flight.script.history
    history = (replace(first, after="0" * 64), *rest)
    return replace(flight, script=replace(flight.script, history=history))


def other_split(flight: Flight) -> Flight:
    chosen = flight.work.chosen
    moved = replace(chosen, candidate=replace(chosen.candidate, part="test"))
    return replace(flight, work=replace(flight.work, chosen=moved))


def needs_turned_round(flight: Flight) -> Flight:
    first, *rest = flight.duties.obligations
    obligations = (replace(first, needs=(rest[0].id,)), *rest)
    return replace(flight, duties=replace(flight.duties, obligations=obligations))


def alternative_that_is_none(flight: Flight) -> Flight:
    nobody = Asked(
        "window_mean", {"stream_id": "nobody", "start": "2024-01-01", "end": "2024-01-02"}
    )
    return rowed(flight, alternatives=(Alternative("period_form", 1, (nobody,)),))


def window_moved(flight: Flight) -> Flight:
    """The call, and all that follows from it, is about a window that is not that of the state."""
    phase = phase_of(flight, "revise_window")
    start, end = phase.state["window"]
    (one,) = phase.required
    said = {"stream_id": one.call.arguments["stream_id"]}
    bench = flight.work.bench
    call = bench.call("window_mean", {**said, "start": shown(start + 1), "end": shown(end)})
    fields = {**phase.gold.fields}
    for name in ("mean", "change"):
        if call.answer.get(name) is not None:
            fields["value"] = call.answer[name]
    required = (replace(one, call=call, handles=(call.answer["handle"],)),)
    return phased(
        flight, "revise_window", required=required, gold=replace(phase.gold, fields=fields)
    )


PLANTED: Mapping[str, Plant] = {
    "missing_field": no_difficulty,
    "phase_order": two_commitments,
    "gold_not_accepted": another_figure_is_asked_for,
    "call_not_repeated": another_unit_was_answered,
    "origin_wrong": another_value_is_gold,
    "policy_not_repeated": another_reason_is_gold,
    "timestamp_not_repeated": another_instant,
    "quality_not_repeated": no_week,
    "evidence_not_repeated": other_readings,
    "wording_not_aligned": other_words,
    "slot_leaked": told_too_much,
    "history_broken": other_history,
    "split_crossed": other_split,
    "duties_not_ordered": needs_turned_round,
    "alternative_refused": alternative_that_is_none,
    "window_not_aligned": window_moved,
}
"""For every check a fault that breaks it and no other."""


def test_every_check_has_a_fault() -> None:
    assert list(PLANTED) == list(CHECKS)


@pytest.mark.parametrize("code", PLANTED)
def test_a_planted_fault_is_caught_by_its_code(code: str, flight: Flight) -> None:
    assert codes(PLANTED[code](flight)) == {code}
