"""Trajectories of several producers read as stories; what is no trajectory is refused."""

from __future__ import annotations

import json

import pytest

from benchwright.canonical import Json
from benchwright.episodes.model import End, Usage
from benchwright.errors import FormatError
from benchwright.report.story import read_story, stretches, tell
from benchwright.report.words import answer_words, check_words, end_words, usage_words
from benchwright.scoring.model import Check


def trajectory(*steps: dict) -> dict:
    return {"schema_version": "ATIF-v1.8", "agent": {"name": "a", "version": "1"}, "steps": steps}


def test_a_call_stands_beside_its_own_result_in_any_order():
    calls = [{"tool_call_id": i, "function_name": "sh", "arguments": {"cmd": i}} for i in "ab"]
    results = [{"source_call_id": i, "content": f"out {i}"} for i in ("b", "a", None)]
    step = {"source": "agent", "message": "", "tool_calls": calls}
    (told,) = tell(trajectory({**step, "observation": {"results": results}}), "x")
    assert [(c.action, c.output) for c in told.calls] == [("a", "out a"), ("b", "out b")]
    assert told.remarks == ("out None",)


def test_a_call_without_a_result_is_not_one_with_an_empty_result():
    call = {"tool_call_id": "1", "function_name": "f", "arguments": {"x": 1}}
    (told,) = tell(trajectory({"source": "agent", "message": "", "tool_calls": [call]}), "x")
    assert told.calls[0].output is None
    assert json.loads(told.calls[0].action) == {"x": 1}


def test_parts_of_a_message_become_text_and_named_attachments():
    image = {"type": "image", "source": {"media_type": "image/png", "path": "fig.png"}}
    message = [{"type": "text", "text": "see"}, image]
    (told,) = tell(trajectory({"source": "user", "message": message}), "x")
    assert told.message == "see\n[image: fig.png]"


def test_equal_neighbours_are_one_stretch_and_others_are_not():
    words = ["a", "a", "b", "a", "a", "a"]
    told = tell(trajectory(*({"source": "agent", "message": word} for word in words)), "x")
    found = [(s.step.message, s.step.number, s.last) for s in stretches(told)]
    assert found == [("a", 1, 2), ("b", 3, 3), ("a", 4, 6)]


def test_recorded_trajectories_of_other_tools_are_read_whole(shared):
    files = sorted((shared / "logs" / "atif").glob("*.json"))
    found = [(file, json.loads(file.read_text())) for file in files]
    atif = [(file, data) for file, data in found if "schema_version" in data]
    assert len(atif) >= 5
    for file, data in atif:
        steps = data["steps"]
        told = read_story(file)
        assert len(told) == len(steps)
        assert sum(len(s.calls) for s in told) == sum(len(s.get("tool_calls") or ()) for s in steps)


@pytest.mark.parametrize("value", [{}, [], "text", {"schema_version": "ATIF-v2.0", "steps": []}])
def test_what_is_no_atif_is_refused_with_its_version(value):
    with pytest.raises(FormatError, match="ATIF"):
        tell(value, "some/file.json")


def test_an_episode_without_a_trajectory_has_an_empty_story(tmp_path):
    assert read_story(tmp_path / "trajectory.json") == ()


def test_ends_say_why_and_whose_fault_it_was():
    words = end_words(End("killed", "init died at call 1"), "sandbox")
    assert words == (
        "The episode was killed: init died at call 1. The sandbox is at fault, not the agent."
    )
    assert end_words(End("returned"), None) == "The agent stopped by itself."


def check(outcome: str, got: Json, reason: str | None = None) -> Check:
    return Check("s", outcome, "mass", got, reason)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "part"),
    [
        (check("pass", ["mass"]), "full marks"),
        (check("pass", ["mass", "drag"]), "shortlist 1/2"),
        (check("fail", ["drag", "mass", "x"]), "number 2 of 3"),
        (check("fail", ["drag"]), "not among"),
        (check("fail", None, "IndexError: boom"), "IndexError: boom."),
        (check("blocked", ["mass"], "no record"), "neither way"),
    ],
)
def test_a_sample_says_why_it_scored_so(found, part):
    assert part in check_words(found)


def test_answers_read_in_order():
    assert answer_words(["a", "b"]) == "a, then b"
    assert answer_words(None) == answer_words([]) == "no usable answer"


def test_unknown_usage_is_unknown_and_nothing_is_zero():
    nothing = Usage(None, None, None, None, None, None, None, None)
    assert {text for _, text in usage_words(nothing)} == {"unknown"}
    free = Usage(0, 0, 0, 0, 0, 0, 0, 0)
    assert dict(usage_words(free))["cost"] == "0 USD"
