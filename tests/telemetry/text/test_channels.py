"""Sentences and fields are judged alike, and what sentences leave open is said in the sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import pytest

from benchwright.running.desk import Desk as Table
from benchwright.scoring.model import Check
from benchwright.suites.telemetry.contract.model import Contract
from benchwright.suites.telemetry.dialogue.canonical import Line, recorded
from benchwright.suites.telemetry.dialogue.model import SLOTS
from benchwright.suites.telemetry.dialogue.operator import EMPTY, UNKNOWN
from benchwright.suites.telemetry.dialogue.reply import Reply
from benchwright.suites.telemetry.episode import instruction_of
from benchwright.suites.telemetry.evaluation.evaluate import evaluated
from benchwright.suites.telemetry.operations import operations
from benchwright.suites.telemetry.proof.case import Case
from benchwright.suites.telemetry.proof.channels import compared, spoken
from benchwright.suites.telemetry.proof.steps import settled
from benchwright.suites.telemetry.score import scores_of
from benchwright.suites.telemetry.text.operator import TextOperator
from benchwright.suites.telemetry.worker import Habits, work
from benchwright.suites.telemetry.zoo import HABITS
from benchwright.tasks.session import AgentMessage, Session


def talk(case: Case, habits: Habits, *, words: bool) -> list[Line]:
    """What a worker does at a desk of one channel."""
    session = Session(
        operations(case.answers.store), TextOperator(case.script), SLOTS, Reply, only_text=words
    )
    table = Table(session)
    table.open()
    work(case.script, table, habits)
    return [asdict(exchange) for exchange in table.exchanges()]


def outcomes(lines: list[Line], case: Case) -> dict[str, str]:
    """Obligations with what became of them."""
    found = evaluated(lines, case.script, case.duties)
    assert found.trace.strayed is None
    return {o.id: "?" if j.unverified else "x" if j.reason else "." for o, j in found.outcomes}


def test_both_channels_agree_on_every_record_of_every_family(cases: Mapping[str, Case]) -> None:
    for family, case in cases.items():
        found = compared(family, case)
        assert found.apart == []
        assert found.reasons == {}
        assert found.outcomes["pass", "pass"] > 1000
        assert found.outcomes["fail", "fail"] > 50


def test_oracle_and_zoo_come_to_the_same_in_words(cases: Mapping[str, Case]) -> None:
    for case in cases.values():
        for make in (Habits, *(kept.make for kept in HABITS.values())):
            fields = outcomes(talk(case, make(), words=False), case)
            lines = talk(case, make(), words=True)
            assert {line["kind"] for line in lines} <= {"open", "say", "call", "end"}
            assert outcomes(lines, case) == fields
        assert set(outcomes(talk(case, Habits(), words=True), case).values()) == {"."}


def rewritten(case: Case, place: str, other: str) -> list[Line]:
    """The canonical record in words, with one sentence of the first reply said otherwise."""
    moves = spoken(settled(case.steps), "fixed")
    at = next(i for i, m in enumerate(moves) if m.kind == "say" and place in str(m.said["text"]))
    text = str(moves[at].said["text"])
    assert place in text
    moves[at] = replace(moves[at], said={"text": text.replace(place, other)})
    return list(recorded(case.script, moves))


def test_what_cannot_be_read_is_unverified_with_its_sentence(cases: Mapping[str, Case]) -> None:
    case = cases["window_mean"]
    lines = rewritten(case, "The coverage is ", "The coverage is about ")
    found = evaluated(lines, case.script, case.duties)
    assert found.broken == ()
    (one,) = found.unverified
    assert one.type == "quality_stated"
    reason = dict((o.id, j.reason) for o, j in found.outcomes)[one.id]
    assert reason is not None
    assert "coverage cannot be read: The coverage is about " in reason


def sheet(outcome_of: Mapping[str, Any]) -> list[tuple[float | None, str, str | None]]:
    checks = (
        Check("contract", "pass", None, None),
        *(Check(f"0.{name}", one, None, None, "why") for name, one in outcome_of.items()),
    )
    return [(s.value, s.status, s.reason) for s in scores_of(checks)]


def test_a_sheet_has_no_score_where_nothing_failed_and_something_is_open() -> None:
    open_ = "unverified: 0.quality_stated: why"
    one = {"window_period": "pass", "quality_stated": "unverified"}
    nothing = (None, "unscorable", open_)
    assert sheet(one) == [nothing, nothing, (0.5, "scored", None)]
    failed = {"window_period": "fail", "quality_stated": "unverified", "asks_site": "pass"}
    assert sheet(failed)[:2] == [(0.0, "scored", None), nothing]
    wrong = {"initial_value": "fail", "quality_stated": "unverified"}
    assert sheet(wrong)[:2] == [(0.0, "scored", None)] * 2


def test_the_operator_hears_questions_answers_and_empty_talk(cases: Mapping[str, Case]) -> None:
    case = cases["window_mean"]
    operator = TextOperator(case.script)
    operator.step(None)
    said = lambda text: operator.step(AgentMessage(text=text))  # noqa: E731
    assert said("Let me see.").text == EMPTY
    assert said("").text == EMPTY
    assert said("I cite `r0123456789ab`.").text == EMPTY
    assert said("What colour has it?").text == UNKNOWN
    assert said("Which unit?").text == "Whatever unit the data have."
    assert "cannot know yet" in said("I answer. The value is 3.").text
    told = said("I answer. The value is 3. At which time, and on which site?")
    assert told.reveals == ("time",)
    assert operator.answered == 0
    assert said("Which time?").reveals == ()
    assert said("The coverage is nearly complete.").text == case.script.phases[1].text


def test_the_channel_is_a_rule_of_the_contract_and_announced() -> None:
    usual, words = Contract(), Contract(channel="text")
    assert "channel" not in usual.document()
    assert words.document() == {**usual.document(), "channel": "text"}
    assert usual.digest != words.digest


@pytest.mark.parametrize("channel", ["reply", "text"])
def test_the_instruction_names_the_tools_there_are(channel: Any, cases: Mapping[str, Case]) -> None:
    case = cases["ranking"]
    text = instruction_of(case.script, Contract(channel=channel))
    assert ("say(text)" in text) == (channel == "text")
    assert ("ask_operator" in text) == (channel == "reply")
    assert case.script.phases[0].text in text
    assert "{" not in text
