"""A proof that accepts everything would prove nothing: faults that are planted are seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchwright.suites.telemetry.proof.case import Case
from benchwright.suites.telemetry.proof.row import proved


def test_one_conversation_of_every_family_is_proved(cases: dict[str, Case]) -> None:
    assert len(cases) == 9
    for family, case in cases.items():
        assert proved(family, case).faults == []


def test_a_scorer_that_takes_every_number_is_seen(cases: dict[str, Case]) -> None:
    case = cases["window_mean"]
    blind = replace(case, duties=replace(case.duties, tolerance=1e9))
    faults = proved("t", blind).faults
    assert any("value_changed of 0.initial_value: is accepted" in fault for fault in faults)


def test_a_graph_without_edges_is_seen(cases: dict[str, Case]) -> None:
    case = cases["window_mean"]
    loose = tuple(replace(o, needs=()) for o in case.duties.obligations)
    faults = proved("t", replace(case, duties=replace(case.duties, obligations=loose))).faults
    assert any("breaks" in fault and "as well" in fault for fault in faults)


def test_an_order_that_names_effects_first_is_seen(cases: dict[str, Case]) -> None:
    case = cases["window_mean"]
    turned = tuple(reversed(case.duties.obligations))
    faults = proved("t", replace(case, duties=replace(case.duties, obligations=turned))).faults
    assert any("is called" in fault for fault in faults)


@pytest.mark.parametrize("kind", ["window_period", "evidence_handle"])
def test_an_obligation_that_is_not_judged_is_seen(cases: dict[str, Case], kind: str) -> None:
    """Equivalent calls named by handle only: the handle of a wrong call is made to count."""
    case = cases["window_mean"]
    every = tuple(h for one in case.duties.needed for h in one.handles)
    needed = tuple(replace(one, handles=every) for one in case.duties.needed)
    tally = proved("t", replace(case, duties=replace(case.duties, needed=needed)))
    assert tally.ours[kind] < tally.instances[kind] or tally.faults
