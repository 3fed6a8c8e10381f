"""Counts stand with the answer that they are of, under the key of its words and calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchwright.trajectory.events import Call, Message, Result, Usage
from benchwright.trajectory.log import open_log


def events_of(folder: Path, records: list[Any] | dict[str, Any]) -> list[Any]:
    path = folder / "log"
    lines = records if isinstance(records, list) else [records]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return list(open_log(path))


def opencode(kind: str, number: int, **part: Any) -> dict[str, Any]:
    names = {"step-start": "step_start", "step-finish": "step_finish", "tool": "tool_use"}
    body = {"id": f"p{number}", "messageID": "m1", "type": kind, **part}
    return {"type": names[kind], "timestamp": number, "sessionID": "s", "part": body}


def test_each_step_of_an_opencode_message_is_an_answer_of_its_own(tmp_path: Path) -> None:
    tokens = {"input": 5, "output": 1, "cache": {"read": 0, "write": 0}}
    state = {"status": "completed", "input": {"command": "ls"}, "output": "a"}
    events = events_of(
        tmp_path,
        [
            opencode("step-start", 1),
            opencode("tool", 2, tool="bash", callID="c1", state=state),
            opencode("step-finish", 3, tokens=tokens),
            opencode("step-start", 4),
            opencode("step-finish", 5, tokens=tokens),
        ],
    )
    assert [e.key for e in events if isinstance(e, Call)] == ["m1"]
    assert [e.key for e in events if isinstance(e, Usage)] == ["m1", "m1#2"]


def inspect_sample() -> dict[str, Any]:
    usage = {"input_tokens": 7, "output_tokens": 2, "total_tokens": 9}
    answer = {"id": "a1", "role": "assistant", "content": "look"}
    call = {"id": "c1", "function": "bash", "arguments": {"cmd": "ls"}}
    return {
        "id": 1,
        "epoch": 1,
        "working_time": 2.5,
        "messages": [
            {"id": "u1", "role": "user", "content": "go"},
            {**answer, "tool_calls": [call]},
            {"id": "t1", "role": "tool", "tool_call_id": "c1", "content": "a"},
        ],
        "events": [
            {
                "event": "model",
                "timestamp": "2026-01-01T00:00:00Z",
                "completed": "2026-01-01T00:00:01Z",
                "output": {"choices": [{"message": answer}], "usage": usage},
            },
            {
                "event": "tool",
                "id": "c1",
                "timestamp": "2026-01-01T00:00:01Z",
                "completed": "2026-01-01T00:00:02Z",
                "working_time": 0.5,
            },
            {"event": "model", "timestamp": "2026-01-01T00:00:03Z", "output": {"usage": usage}},
        ],
    }


def test_what_an_inspect_message_cost_stands_with_it_and_other_calls_follow(tmp_path: Path) -> None:
    log = {"version": 2, "status": "success", "eval": {}, "samples": [inspect_sample()]}
    events = events_of(tmp_path, log)
    said = next(e for e in events if isinstance(e, Message) and e.source == "agent")
    steps = [e for e in events if isinstance(e, Usage) and e.scope == "step"]
    assert [u.key == said.key for u in steps] == [True, False]
    assert events.index(steps[0]) < events.index(next(e for e in events if isinstance(e, Result)))


def test_an_inspect_result_has_the_time_of_its_tool_event(tmp_path: Path) -> None:
    log = {"version": 2, "status": "success", "eval": {}, "samples": [inspect_sample()]}
    events = events_of(tmp_path, log)
    result = next(e for e in events if isinstance(e, Result))
    assert (result.time, result.duration_ms) == ("2026-01-01T00:00:02Z", 500)
    run = next(e for e in events if isinstance(e, Usage) and e.scope == "run")
    assert (run.duration_ms, run.prompt) == (2500, None)


def test_a_managed_request_is_of_the_answer_that_it_started(tmp_path: Path) -> None:
    usage = {"input_tokens": 3, "output_tokens": 1}
    events = events_of(
        tmp_path,
        [
            {"type": "span.model_request_start", "id": "sevt_1"},
            {"type": "agent.tool_use", "id": "sevt_2", "name": "bash", "input": {"command": "ls"}},
            {
                "type": "span.model_request_end",
                "id": "sevt_3",
                "model_request_start_id": "sevt_1",
                "model_usage": usage,
            },
        ],
    )
    call, spent = (next(e for e in events if isinstance(e, k)) for k in (Call, Usage))
    assert call.key == spent.key == "answer 1"


def test_totals_of_atif_documents_in_one_file_do_not_replace_each_other(tmp_path: Path) -> None:
    step = {"step_id": 1, "source": "agent", "message": "x"}
    head = {"schema_version": "ATIF-v1.8", "agent": {"name": "a", "version": "1"}, "steps": [step]}
    totals = {"total_prompt_tokens": 5, "total_completion_tokens": 1}
    events = events_of(tmp_path, [{**head, "final_metrics": totals}] * 2)
    keys = [e.key for e in events if isinstance(e, Usage) and e.scope == "run"]
    assert keys == ["run 1", "run 2"]


def test_a_result_knows_how_much_the_tool_wrote_around_its_text(tmp_path: Path) -> None:
    raw = "Exit code: 0\nWall time: 0.1 seconds\nOutput:\n42"
    call = {"type": "function_call", "name": "exec_command", "arguments": "{}", "call_id": "c"}
    output = {"type": "function_call_output", "call_id": "c", "output": raw}
    events = events_of(
        tmp_path, [{"type": "response_item", "payload": item} for item in (call, output)]
    )
    result = next(e for e in events if isinstance(e, Result))
    assert result.text == "42"
    assert result.wrapper + len(result.text) == len(raw)
