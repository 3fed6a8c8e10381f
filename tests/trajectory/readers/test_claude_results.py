"""How calls ended in Claude logs, and what the structured twin of a result adds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.trajectory.events import Result
from benchwright.trajectory.readers.claude_denials import Denials
from tests.trajectory.readers.claude_records import (
    assistant,
    closing,
    counts,
    init,
    kept,
    outcome,
    use,
    user,
)
from tests.trajectory.readers.reading import of, read


def result(folder: Path, content: Any, twin: Any = None, flag: Any = None) -> Result:
    """The result of one call in a session file."""
    more = {} if flag is None else {"is_error": flag}
    record = kept(user(outcome("c1", content, **more)), "u2", "u1", toolUseResult=twin)
    return of(Result, read(folder, kept(assistant(use("c1")), "u1"), record)[0])[0]


@pytest.mark.parametrize(
    ("content", "flag", "status"),
    [
        ("fine", None, "ok"),
        ("fine", False, "ok"),
        ("this command requires approval of nobody, it said", False, "ok"),
        ("Exit code 2\nboom", True, "failed"),
        ("Exit code 1\nThis command requires approval", True, "failed"),
        ("<tool_use_error>File does not exist.</tool_use_error>", True, "failed"),
        (
            "<tool_use_error>Cancelled: parallel tool call X errored</tool_use_error>",
            True,
            "failed",
        ),
        ("The user doesn't want to proceed with this tool use. The tool", True, "refused"),
        ("The user doesn't want to take this action right now.", True, "refused"),
        ("This command requires approval", True, "refused"),
        (
            "Claude requested permissions to write to /a, but you haven't granted it",
            True,
            "refused",
        ),
        ("mkdir in '/a' was blocked. For security, only", True, "refused"),
        ("Permission to use Bash with command rm has been denied.", True, "refused"),
    ],
)
def test_the_flag_and_the_first_line_tell_how_a_call_ended(
    tmp_path: Path, content: str, flag: bool | None, status: str
) -> None:
    assert result(tmp_path, content, flag=flag).status == status


@pytest.mark.parametrize(
    ("twin", "status"),
    [
        ({"stdout": "", "stderr": "", "interrupted": False}, "ok"),
        ({"stdout": "", "stderr": "", "interrupted": True}, "failed"),
        ({"stdout": "", "stderr": "x", "is_error": True}, "failed"),
        ({"stdout": "", "exit_code": 3}, "failed"),
        ({"stdout": "", "exit_code": 0}, "ok"),
        ({"agentId": "a", "status": "completed"}, "ok"),
        ({"agentId": "a", "status": "failed"}, "failed"),
        ({"stdout": "", "backgroundTaskId": "b1"}, "ok"),
    ],
)
def test_the_twin_tells_how_a_call_ended(tmp_path: Path, twin: Any, status: str) -> None:
    assert result(tmp_path, "text", twin).status == status


def test_a_denial_that_a_newer_session_states_is_a_refusal(tmp_path: Path) -> None:
    record = kept(user(outcome("c1", "no")), "u2", "u1", toolDenialKind="user-rejected")
    events, _ = read(tmp_path, kept(assistant(use("c1")), "u1"), record)
    assert of(Result, events)[0].status == "refused"


@pytest.mark.parametrize("twin", [{"stdout": "a", "x": [1, {}]}, "Error: no", [1], None])
def test_the_twin_is_kept_untouched_in_both_dialects(tmp_path: Path, twin: Any) -> None:
    assert result(tmp_path, "a", twin).structured == twin
    answer = user(outcome("c1"), tool_use_result=twin)
    events, _ = read(tmp_path, init(), assistant(use("c1")), answer)
    assert of(Result, events)[0].structured == twin


def test_one_twin_belongs_to_no_one_of_several_results(tmp_path: Path) -> None:
    record = user(outcome("c1"), outcome("c2"), tool_use_result={"stdout": "a"})
    events, _ = read(tmp_path, init(), assistant(use("c1"), use("c2")), record)
    assert [r.structured for r in of(Result, events)] == [None, None]


@pytest.mark.parametrize(
    ("content", "flag", "twin", "code"),
    [
        ("Exit code 127\nnot found", True, "Error: Exit code 127", 127),
        ("Exit code 127 is what it printed", False, {"stdout": ""}, None),
        ("x", None, {"exit_code": 0}, 0),
        ("x", None, {"exitCode": 4}, 4),
        ("x", None, {"exit_code": True}, None),
        ("all went well", False, {"stdout": ""}, None),
    ],
)
def test_an_exit_code_is_known_only_where_it_is_stated(
    tmp_path: Path, content: str, flag: bool | None, twin: Any, code: int | None
) -> None:
    assert result(tmp_path, content, twin, flag).exit_code == code


@pytest.mark.parametrize(
    ("twin", "expected"),
    [
        ({"durationMs": 12}, 12),
        ({"totalDurationMs": 114113}, 114113),
        ({"durationSeconds": 1.5}, 1500),
        ({"durationMs": "12"}, None),
        ({"durationMs": -1}, None),
        ({"stdout": ""}, None),
    ],
)
def test_the_time_of_a_tool_is_what_its_twin_states(
    tmp_path: Path, twin: Any, expected: int | None
) -> None:
    assert result(tmp_path, "x", twin).duration_ms == expected


@pytest.mark.parametrize(
    ("content", "twin", "cut"),
    [
        ("x", {"truncated": True}, True),
        ("x", {"truncated": False}, False),
        ("<persisted-output>\nOutput too large (31 KB)", {"stdout": "x"}, True),
        ("x", {"persistedOutputPath": "/a"}, True),
        ("a\n\n... [120 lines truncated] ...", None, True),
        ("plain", {"stdout": "plain"}, None),
    ],
)
def test_a_cut_is_known_only_where_the_log_says_so(
    tmp_path: Path, content: str, twin: Any, cut: bool | None
) -> None:
    assert result(tmp_path, content, twin).truncated is cut


def denied(*names: str, **more: Any) -> dict[str, Any]:
    return closing(permission_denials=[{"tool_use_id": name} for name in names], **more)


def test_what_a_run_lists_as_denied_was_refused_whatever_the_tool_said(tmp_path: Path) -> None:
    text = "agent 'cto' has no access rule covering 'a'"
    records = [init(), assistant(use("c1"), use("c2")), user(outcome("c1", text, is_error=True))]
    events, _ = read(tmp_path, *records, user(outcome("c2", text, is_error=True)), denied("c1"))
    assert [r.status for r in of(Result, events)] == ["refused", "failed"]


def test_each_run_has_denials_of_its_own(tmp_path: Path) -> None:
    def run(session: str, end: dict[str, Any]) -> list[dict[str, Any]]:
        answer = user(outcome("call_0", "no", is_error=True), session_id=session)
        return [init(session), assistant(use("call_0"), session_id=session), answer, end]

    records = run("s1", denied("call_0")) + run("s2", denied(session="s2"))
    events, _ = read(tmp_path, *records, *run("s3", denied("call_0", session="s3")))
    assert [r.status for r in of(Result, events)] == ["refused", "failed", "refused"]


@pytest.mark.parametrize("shift", range(0, 120, 7))
def test_a_list_of_denials_is_found_wherever_it_stands(tmp_path: Path, shift: int) -> None:
    path = tmp_path / "log.jsonl"
    filler = json.dumps({"x": "y" * ((1 << 20) - 100 - 60 + shift)})
    lines = [filler, json.dumps(denied("c1"), indent=None), json.dumps(denied("c2"))]
    path.write_text("\n".join(lines))
    denials = Denials(path)
    second = len(filler) + len(lines[1])
    assert denials.denied("c1", 0)
    assert not denials.denied("c2", 0)
    assert denials.denied("c2", second)
    assert not denials.denied("c1", second)


def test_a_long_list_of_denials_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(denied("x" * 100_000, "c1")))
    assert Denials(path).denied("c1", -1)


@pytest.mark.parametrize(
    "tail", ['"permission_denials"', '"permission_denials": [{', '"permission_denials":[{"a":1}]']
)
def test_a_broken_list_of_denials_denies_nothing(tmp_path: Path, tail: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(tail)
    assert not Denials(path).denied("c1", -1)


def test_the_words_of_a_tool_are_no_list_of_denials(tmp_path: Path) -> None:
    trick = json.dumps({"permission_denials": [{"tool_use_id": "c1"}]})
    answer = user(outcome("c1", trick, is_error=True))
    events, _ = read(tmp_path, init(), assistant(use("c1")), answer, closing(usage=counts(1, 1)))
    assert of(Result, events)[0].status == "failed"
