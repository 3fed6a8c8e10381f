"""One conversation at a desk: what is noted, what is refused, and where it ends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchwright.canonical import canonical_json
from benchwright.episodes.session import Bad, Ended, session_bytes
from benchwright.errors import TaskSetError
from benchwright.running.desk import LARGEST, Desk
from benchwright.running.desk_tools import desk_tools
from benchwright.tasks.session import BadArguments, Operation, Over, Session
from tests.running import talkers
from tests.running.talking import SLOTS, Answer, Keeper, Level, NoTank, Reading, level, new_session


def at_desk(**more: Any) -> Desk:
    desk = Desk(new_session("south", **more))
    desk.open()
    return desk


def noted(desk: Desk) -> list[dict[str, Any]]:
    lines = session_bytes(desk.exchanges()).decode().splitlines()
    assert json.loads(lines[0]) == {"format": "benchwright.session/1"}
    return [json.loads(line) for line in lines[1:]]


def test_a_whole_conversation_is_noted_line_by_line() -> None:
    desk = at_desk()
    talkers.knows(desk)
    lines = noted(desk)
    kinds = [line["kind"] for line in lines]
    assert kinds == ["open", "ask", "call", "reply", "call", "reply", "end"]
    assert [line["n"] for line in lines] == list(range(7))
    assert lines[1] == {
        "n": 1,
        "kind": "ask",
        "slot": "tank",
        "turn": {"text": "the south tank.", "reveals": ["tank"], "end": False},
    }
    assert lines[2]["operation"] == "level" and lines[2]["arguments"] == {"tank": "south"}
    assert lines[2]["answer"] == {"metres": 5, "handle": "level-south"}
    assert lines[3]["reply"] == {"metres": 5, "sources": {"handles": ["level-south"]}}
    assert lines[6] == {"n": 6, "kind": "end", "reason": "operator", "after": 0}


def test_what_the_operator_makes_of_odd_messages_is_its_own() -> None:
    desk = at_desk()
    assert desk.ask("tank").text == "the south tank."
    assert desk.ask("tank").text == "As I said: the south tank."
    assert desk.ask("colour").text == "I know nothing of that."
    assert desk.reply({}).text == "You said nothing."
    assert {line["kind"] for line in noted(desk)} == {"open", "ask", "reply", "end"}


def test_a_refusal_of_an_operation_is_an_answer() -> None:
    desk = at_desk()
    assert desk.call("level", {"tank": "east"}) == NoTank(error="unknown")
    assert noted(desk)[1]["answer"] == {"error": "unknown"}


LOOP: list[Any] = []
LOOP.append(LOOP)
DEEP: Any = 0
for _ in range(5000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "given",
    [
        None,
        7,
        "metres",
        ["metres", 3],
        {"metres": "three"},
        {"metres": -1},
        {"metres": 2.5},
        {"metres": True},
        {"meters": 3},
        {"metres": float("nan")},
        {"metres": 10**5000},
        {3: "metres"},
        {"sources": {"handles": ["half \ud83d"]}},
        {"sources": LOOP},
        {"sources": DEEP},
        {"sources": {1, 2}},
        {"sources": b"bytes"},
    ],
    ids=lambda given: type(given).__name__,
)
def test_arguments_that_cannot_be_used_are_told_and_noted(given: Any) -> None:
    desk = at_desk()
    turn = desk.reply(given)
    assert turn.text.startswith(("reply: ", "value cannot be used", "unknown key")), turn
    assert (turn.end, turn.reveals, desk.over) == (False, (), False)
    line = noted(desk)[1]
    assert (line["kind"], line["tool"], line["message"]) == ("bad", "reply", turn.text)
    assert isinstance(desk.call("level", given), BadArguments)
    assert noted(desk)[2]["tool"] == "level"
    talkers.knows(desk)
    assert desk.reason == "operator"


def test_a_message_may_have_64_kilobytes_and_no_more() -> None:
    desk = at_desk(text=True)
    empty = len(canonical_json({"text": ""}))
    assert desk.say("x" * (LARGEST - empty)).text == "I do not read letters."
    assert "too long" in desk.say("x" * (LARGEST - empty + 1)).text
    assert "too long" in desk.ask("x" * LARGEST).text
    assert "too long" in desk.reply({"sources": {"handles": ["x" * LARGEST]}}).text
    answer = desk.call("level", {"tank": "x" * LARGEST})
    assert isinstance(answer, BadArguments) and "too long" in answer.message
    bad = [e for e in desk.exchanges() if isinstance(e, Bad)]
    assert [(e.tool, e.arguments) for e in bad] == [
        ("say", None),
        ("ask_operator", None),
        ("reply", None),
        ("level", None),
    ]


def test_free_text_is_heard_only_where_the_session_says_so() -> None:
    desk = at_desk()
    assert "No such tool" in desk.say("hello").text
    assert [tool.name for tool in desk_tools(desk)] == ["level", "ask_operator", "reply"]
    assert [tool.name for tool in desk_tools(at_desk(text=True))][-1] == "say"


def test_the_25th_message_ends_the_conversation() -> None:
    desk = at_desk()
    for _ in range(23):
        assert not desk.ask("unit").end
    desk.reply("not usable")
    assert not desk.over
    assert desk.ask("tank").end and desk.reason == "turns"
    assert desk.call("level", {"tank": "south"}) == Over()
    assert desk.reply({}).text == "The conversation is over."
    assert desk.exchanges()[-1] == Ended(25, "turns", 3)


def test_the_41st_call_ends_the_conversation() -> None:
    desk = at_desk()
    for _ in range(40):
        assert isinstance(desk.call("level", {"tank": "south"}), Reading)
    assert not desk.over
    assert desk.call("level", {"tank": "south"}) == Over()
    assert desk.exchanges()[-1] == Ended(41, "calls", 1)
    assert desk.ask("tank").end


def test_a_call_that_cannot_be_used_counts_as_a_call_and_not_as_a_message() -> None:
    desk = at_desk()
    for _ in range(19):
        assert isinstance(desk.call("level", {"tnak": "south"}), BadArguments)
        assert isinstance(desk.call("levle", {"tank": "south"}), BadArguments)
    desk.refuse("level", {}, "broke the schema before it reached the tool")
    for _ in range(24):
        assert not desk.ask("unit").end
    assert isinstance(desk.call("level", {"tank": "south"}), Reading)
    assert isinstance(desk.call("level", {"tnak": "south"}), Over)
    assert desk.exchanges()[-1].reason == "calls"


def test_limits_are_those_of_the_session() -> None:
    desk = at_desk(turns=1, calls=0)
    desk.ask("tank")
    assert isinstance(desk.call("level", {"tank": "south"}), Over)
    assert desk.exchanges()[-1] == Ended(2, "calls", 1)


def test_who_stops_has_ended_it() -> None:
    desk = at_desk()
    talkers.stops_early(desk)
    assert not desk.over
    assert desk.exchanges()[-1] == Ended(2, "agent", 0)


def test_an_operator_that_breaks_is_to_blame_itself() -> None:
    desk = at_desk(patience=1)
    desk.ask("tank")
    assert desk.ask("unit").end
    assert desk.failure == ("operator", "LookupError: lost my notes")
    assert desk.exchanges()[-1] == Ended(3, "error", 0)


def test_an_operation_that_breaks_is_the_tasks_fault() -> None:
    desk = at_desk()
    assert desk.call("level", {"tank": "broken"}) == Over()
    assert desk.failure == ("task", "level: OSError: the gauge is on fire")
    assert desk.ask("tank").end
    assert desk.exchanges()[-1] == Ended(1, "error", 1)


def test_two_tools_of_one_name_are_refused() -> None:
    twice = Operation("reply", "", Level, Reading, level)
    with pytest.raises(TaskSetError, match="one name"):
        Desk(Session((twice,), Keeper("south"), SLOTS, Answer))
