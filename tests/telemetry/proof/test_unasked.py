"""What nobody asked for: false fields, guesses that are refused, handles in any reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from benchwright.suites.telemetry.dialogue.canonical import Move
from benchwright.suites.telemetry.evaluation.asides import facts_of
from benchwright.suites.telemetry.proof.case import Case
from benchwright.suites.telemetry.proof.row import judged
from benchwright.suites.telemetry.proof.steps import Step, Steps, ask_at, before, reply_at, saying
from benchwright.suites.telemetry.score import ANSWERED

FALSE: Mapping[str, Any] = {
    **{"flag": "sentinel", "offset_s": 99999.0, "error": "bad_argument", "candidates": ["x", "y"]},
    **{"winner": "nobody", "margin": -1.0, "coverage": 0.0, "gap_ratio": 1e6},
    **{"decision": "none of these", "quality_reason": "frozen", "deciding_check": "frozen"},
    **{"difference": 7.0, "higher": "nobody", "mean_a": 1.0, "ranked": ["z"]},
    **{"observed": "1999-01-01T00:00:00Z", "stream": "wrong.stream", "value": -999.0},
    "streams": ["wrong.stream"],
}


def broken(case: Case, steps: Steps) -> list[tuple[str, str]]:
    """Type and reason of everything that a record breaks."""
    _, found = judged(case, steps)
    return [(o.type, str(dict((x.id, j) for x, j in found.outcomes)[o.id].reason))
            for o in found.broken]  # fmt: skip


def test_every_false_field_in_every_turn_makes_the_answer_incorrect(
    cases: Mapping[str, Case],
) -> None:
    for case in cases.values():
        for number, phase in enumerate(case.script.phases):
            for name, value in FALSE.items():
                if name not in phase.gold.fields:
                    ((kind, reason),) = broken(case, saying(case.steps, number, {name: value}))
                    assert kind in ANSWERED
                    assert reason == f"turn {number + 1} states what is not so: {name}"


def test_a_field_that_says_nothing_is_no_statement(cases: Mapping[str, Case]) -> None:
    for case in cases.values():
        for number, phase in enumerate(case.script.phases):
            more = {"flag": "none", "error": "", "winner": "none", "candidates": []}
            said = {name: value for name, value in more.items() if name not in phase.gold.fields}
            known = {
                name for call in phase.calls for _, fact in facts_of(call.answer) for name in fact
            }
            said = {name: value for name, value in said.items() if name not in known}
            if phase.kind == "initial_answer":
                assert broken(case, saying(case.steps, number, said)) == []


def extra(case: Case, arguments: Mapping[str, Any]) -> Step:
    return Step(case.answers.call("inspect_quality_window", arguments), 0)


def test_a_result_that_was_looked_up_unasked_may_be_stated_and_no_other(
    cases: Mapping[str, Case],
) -> None:
    case = cases["window_mean"]
    said = case.script.phases[0].calls[-1].arguments
    step = extra(case, said)
    steps = before(case.steps, reply_at(case.steps, 0), step)
    answer = step.move.answer or {}
    names = ("coverage", "gap_ratio", "decision")
    assert broken(case, saying(steps, 0, {name: answer[name] for name in names})) == []
    other = {"gap_ratio": answer["gap_ratio"] + 1}
    assert [k for k, _ in broken(case, saying(steps, 0, other))] == ["initial_value"]
    away = next(s for s in case.answers.others(said["stream_id"]))
    far = extra(case, {**said, "stream_id": away})
    steps = before(case.steps, reply_at(case.steps, 0), far)
    answer = far.move.answer or {}
    if "decision" in answer:
        told = {"gap_ratio": answer["gap_ratio"]}
        assert [k for k, _ in broken(case, saying(steps, 0, told))] == ["initial_value"]


def test_a_mean_and_its_stream_are_those_of_one_result(cases: Mapping[str, Case]) -> None:
    case = cases["pairwise_comparison"]
    gold = case.script.phases[0].calls[-1].answer
    for side, other in ("ab", "ba"):
        own = {"stream": gold[f"stream_{side}"], "value": gold[f"mean_{side}"]}
        assert broken(case, saying(case.steps, 0, own)) == []
        crossed = {**own, "value": gold[f"mean_{other}"]}
        assert [k for k, _ in broken(case, saying(case.steps, 0, crossed))] == ["initial_value"]


@pytest.mark.parametrize("family", ["window_mean", "point_disambiguation", "exact_value"])
def test_a_guess_is_seen_though_it_was_refused(cases: Mapping[str, Case], family: str) -> None:
    case = cases[family]
    stream = next(s for one in case.duties.needed for s in one.streams)
    at = ask_at(case.steps)
    assert at is not None
    far = {"stream_id": stream, "start": "2090-01-01T00:00:00Z", "end": "2090-01-02T00:00:00Z"}
    guess = case.answers.call("window_mean", far)
    assert "error" in (guess.answer or {})
    ((kind, reason),) = broken(case, before(case.steps, at, Step(guess, 0)))
    assert kind == "no_early_call"
    assert reason.endswith("was known, and was refused")
    assert broken(case, before(case.steps, at + 1, Step(guess, 0))) == []


def test_a_refused_call_without_a_value_of_the_slot_is_no_guess(cases: Mapping[str, Case]) -> None:
    for case in cases.values():
        at = ask_at(case.steps)
        if at is not None:
            none = case.answers.call("preview", {"stream_id": "no such stream"})
            assert broken(case, before(case.steps, at, Step(none, 0))) == []
    said = {"stream_id": "no such stream", "timestamp": "not a time"}
    case = cases["exact_value"]
    none = case.answers.call("lookup_observation", said)
    assert broken(case, before(case.steps, ask_at(case.steps) or 0, Step(none, 0))) == []


def test_every_message_cites_only_what_was_given_before(cases: Mapping[str, Case]) -> None:
    invented = ("evidence_handle", "a handle was never given")
    for case in cases.values():
        for number in range(len(case.script.phases)):
            handles = {"handles": [*_cited(case, number), "r0123456789ab"]}
            steps = saying(case.steps, number, handles, cites=False)
            assert broken(case, steps) == [invented]
        early = Move("reply", "", {"handles": ["r0123456789ab"]})
        assert broken(case, before(case.steps, 0, Step(early, 0))) == [invented]
        given = {h for s in case.steps[: reply_at(case.steps, 0)] if (h := _handle(s))}
        assert broken(case, saying(case.steps, 0, {"handles": sorted(given)})) == []


def _handle(step: Step) -> str | None:
    return (step.move.answer or {}).get("handle")


def _cited(case: Case, number: int) -> list[str]:
    at = reply_at(case.steps, number)
    return [h for s in case.steps[:at] if (h := _handle(s))]
