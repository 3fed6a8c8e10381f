"""Planted faults are found at the link where they were planted, with evidence that leads there."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from benchwright.episodes.places import places_in
from benchwright.scoring.model import Check
from benchwright.suites.telemetry.diagnosed.failures import failure
from benchwright.suites.telemetry.diagnosed.invariants import INVARIANTS, invariants
from benchwright.suites.telemetry.diagnosed.links import LINKS, first_broken, link_of, links
from benchwright.suites.telemetry.diagnosed.told import Told
from benchwright.suites.telemetry.diagnosed.views import VIEWS, seen
from benchwright.suites.telemetry.evaluation.evaluate import downstream
from benchwright.suites.telemetry.obligations.model import TYPES
from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.resolve import resolve
from tests.telemetry.results.conftest import AGENTS, Ran

BREAKS = {
    "constant": {"call"},
    "keeps_old_winner": {"state"},
    "skips_evidence": {"words"},
    "stops_early": {"contract"},
    "local_as_utc": {"call"},
    "invents_value": {"words"},
    "false_handle": {"words"},
    "never_asks": {"contract"},
}


def first_link(told: Told) -> str:
    found = first_broken(links(told))
    assert found is not None
    return found.name


@pytest.mark.parametrize("agent", AGENTS)
def test_the_first_broken_link_is_where_the_fault_was_planted(ran: Ran, agent: str) -> None:
    failed = [told for told in ran.of(agent) if told.failed]
    assert {first_link(told) for told in failed} == BREAKS.get(agent, set())
    for told in ran.of(agent):
        if not told.failed:
            assert {check.outcome for check in links(told)} == {"pass"}


def test_every_link_comes_in_order_and_every_type_has_one(ran: Ran) -> None:
    assert {link_of(kind) for kind in TYPES} == set(LINKS) - {"source", "result"}
    for told in ran.told:
        names = [check.name for check in links(told)]
        assert names == [name for name in LINKS if name in names]
        assert {"contract", "call", "words"} <= set(names)


def test_whatever_is_broken_is_a_cause_or_lies_below_one(ran: Ran) -> None:
    for told in ran.told:
        below = set[str]().union(*(downstream(one.id, told.duties) for one in told.causes))
        assert {one.id for one in told.broken} <= below
        assert not {one.id for one in told.causes} & told.downstream
        assert bool(told.causes) == told.failed
        if told.failed:
            assert told.causes[0] == told.found.first


def test_evidence_of_every_check_leads_to_its_exchange(ran: Ran) -> None:
    followed = Counter[str]()
    for told in ran.told:
        places = places_in(told.episode.folder)
        for check in (*told.sheet.checks, *links(told), *invariants(told)):
            for evidence in check.evidence:
                text = resolve(evidence, places).text
                assert text is not None and json.loads(text)["n"] == int(evidence.at)
                followed[evidence.source] += 1
        for made in told.found.trace.calls:
            shown = resolve(Evidence(f"result:{made.handle}", ""), places).text
            assert shown is not None and json.loads(shown)["handle"] == made.handle
    assert followed["session"] > 1000


def outcomes(ran: Ran, agent: str) -> Counter[tuple[str, str]]:
    found: list[Check] = [check for told in ran.of(agent) for check in invariants(told)]
    return Counter((check.name, check.outcome) for check in found)


def test_invariants_hold_for_an_agent_without_a_fault(ran: Ran) -> None:
    held = outcomes(ran, "oracle")
    assert {name for name, _ in held} == set(INVARIANTS)
    assert {outcome for _, outcome in held} == {"pass"}


def test_each_invariant_is_broken_by_the_habit_that_breaks_it(ran: Ran) -> None:
    old = outcomes(ran, "keeps_old_winner")
    assert old["winner_to_quality", "fail"] > 0 and old["window_to_arguments", "fail"] == 0
    off = outcomes(ran, "local_as_utc")
    assert off["window_to_arguments", "fail"] > 0 and off["slot_to_use", "fail"] > 0
    assert outcomes(ran, "never_asks")["slot_to_use", "pass"] == 0


def test_an_invariant_without_its_occasion_is_left_out(ran: Ran) -> None:
    for told in ran.told:
        asked = {phase.kind for phase in told.script.phases}
        names = {check.name for check in invariants(told)}
        assert "revise_window" in asked or "window_to_arguments" not in names
        assert told.script.withheld is not None or "slot_to_use" not in names


def test_calls_show_every_fact_and_replies_only_some(ran: Ran) -> None:
    facts = [fact for told in ran.told for fact in seen(told)]
    hits = Counter(view for fact in facts for view in fact.views)
    assert hits["calls"] == len(facts) > hits["all replies"] > hits["last reply"] > 0
    windows = [fact for fact in facts if fact.fact == "window end"]
    assert windows and not any("last reply" in fact.views for fact in windows)
    assert all(fact.views <= set(VIEWS) for fact in facts)


def test_a_last_reply_is_one_of_all_replies(ran: Ran) -> None:
    for told in ran.told:
        for fact in seen(told):
            assert "last reply" not in fact.views or "all replies" in fact.views


@pytest.mark.parametrize(
    ("agent", "final", "explained"),
    [
        ("skips_evidence", "wrong", "there"),
        ("keeps_old_winner", "right", "in records only"),
        ("invents_value", "right", "in records only"),
        ("false_handle", "right", "in records only"),
        ("stops_early", "wrong", "partly"),
    ],
)
def test_what_a_reader_of_the_end_would_have_seen(
    ran: Ran, agent: str, final: str, explained: str
) -> None:
    rows = [row for told in ran.of(agent) if (row := failure(told, {}))]
    assert rows and {(row.final, row.explained) for row in rows} == {(final, explained)}
