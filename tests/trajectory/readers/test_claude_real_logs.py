"""Every real Claude log: what a plain search finds is there once, totals are those stated."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from benchwright.trajectory.events import Begin, Call, Event, Mark, Message, Result, Usage
from benchwright.trajectory.log import Log, open_log

FOLDERS = {
    "claude_stream": "claude-stream",
    "claude_session": "claude-session",
    "recorded/claude": None,
}
SUBAGENT_CALLS = {"entire_8f_1ff20e510f_0.jsonl": 37}

Read = tuple[Path, list[Any], list[Event], Log]


def values(path: Path) -> list[Any]:
    """What a plain reading of the lines gives."""
    found = []
    for line in path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        try:
            found.append(json.loads(line, parse_float=Decimal))
        except ValueError:
            continue
    return [value for value in found if isinstance(value, dict)]


@pytest.fixture(scope="module")
def logs(shared: Path) -> list[Read]:
    found = []
    for folder in FOLDERS:
        for path in sorted((shared / "logs" / folder).glob("*.jsonl")):
            log = open_log(path)
            found.append((path, values(path), list(log), log))
    assert len(found) > 50
    return found


def blocks(value: Any, kind: str) -> Iterator[dict[str, Any]]:
    """Objects of this type, wherever they stand."""
    if isinstance(value, dict):
        if value.get("type") == kind:
            yield value
        for inner in value.values():
            yield from blocks(inner, kind)
    elif isinstance(value, list):
        for inner in value:
            yield from blocks(inner, kind)


def named(records: list[Any], kind: str, key: str) -> set[tuple[Any, str]]:
    """Session and id of every block; a session file counts as one session."""
    return {
        (record.get("session_id") if "sessionId" not in record else None, str(block[key]))
        for record in records
        for block in blocks(record, kind)
        if key in block
    }


def of(kind: Any, events: list[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def test_the_dialect_is_found(logs: list[Read]) -> None:
    for path, records, _, log in logs:
        wanted = FOLDERS.get(path.parent.name)
        wanted = wanted or ("claude-session" if "sessionId" in records[0] else "claude-stream")
        assert log.dialect.name == wanted, path


def test_every_call_that_a_plain_search_finds_is_there_once(logs: list[Read]) -> None:
    found = 0
    for path, records, events, _ in logs:
        wanted = Counter(name for _, name in named(records, "tool_use", "id"))
        calls = of(Call, events)
        assert Counter(c.native_id for c in calls if c.native_id) == wanted, path
        assert len({c.call_id for c in calls}) == len(calls), path
        found += sum(wanted.values())
    assert found > 1100


def test_every_result_that_a_plain_search_finds_is_there_once(logs: list[Read]) -> None:
    for path, records, events, _ in logs:
        wanted = named(records, "tool_result", "tool_use_id")
        results = of(Result, events)
        nameless = {c.call_id for c in of(Call, events) if not c.native_id}
        by_id = [r for r in results if r.call_id not in nameless and "line " not in r.call_id]
        assert len(by_id) == len(wanted), path
        assert len({r.call_id for r in results}) == len(results), path


def test_calls_of_sub_agents_in_progress_records_are_found(logs: list[Read]) -> None:
    found = {
        path.name: sum(1 for call in of(Call, events) if call.thread)
        for path, _, events, _ in logs
        if path.parent.name == "claude_session" and "agsess" not in path.name
    }
    assert {name: number for name, number in found.items() if number} == SUBAGENT_CALLS


def test_results_say_what_the_log_says(logs: list[Read]) -> None:
    for path, records, events, _ in logs:
        failed = {
            str(block.get("tool_use_id"))
            for record in records
            for block in blocks(record, "tool_result")
            if block.get("is_error") is True and "tool_use_id" in block
        }
        natives = {c.call_id: c.native_id for c in of(Call, events)}
        for result in of(Result, events):
            name = natives.get(result.call_id, result.call_id)
            if name in failed:
                assert result.status in ("failed", "refused"), (path, name)
            elif name:
                assert result.status in ("ok", "refused"), (path, name)


def test_every_call_that_a_run_denied_was_refused(logs: list[Read]) -> None:
    denied = 0
    for path, records, events, _ in logs:
        listed = {
            str(one["tool_use_id"])
            for record in records
            if record.get("type") == "result"
            for one in record.get("permission_denials") or []
        }
        answered = {r.call_id: r.status for r in of(Result, events)}
        told = {name: answered[name] for name in listed if name in answered}
        assert set(told.values()) <= {"refused"}, path
        denied += len(told)
    assert denied == 37


def test_totals_are_those_of_the_result_record(logs: list[Read]) -> None:
    checked = 0
    for path, records, events, _ in logs:
        ends = {r.get("session_id"): r for r in records if r.get("type") == "result"}
        ends = {name: r for name, r in ends.items() if "total_cost_usd" in r}
        runs = [u for u in of(Usage, events) if u.scope == "run" and not u.partial]
        assert len(runs) == len(ends), path
        for run, end in zip(runs, ends.values(), strict=True):
            assert Decimal(run.cost_nano) == round(end["total_cost_usd"] * 10**9), path
            assert run.duration_ms == end.get("duration_ms"), path
            used = list((end.get("modelUsage") or {}).values())
            if used and all("inputTokens" in model for model in used):
                names = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
                assert run.prompt == sum(m.get(n, 0) for m in used for n in names), path
                assert run.completion == sum(m["outputTokens"] for m in used), path
                checked += 1
    assert checked >= 14


def test_answers_of_a_session_are_summed_once_and_not_by_line(logs: list[Read]) -> None:
    for path, records, events, _ in logs:
        last: dict[Any, int] = {}
        for record in records:
            inner = record.get("data", {}).get("message") if "data" in record else record
            message = inner.get("message") if isinstance(inner, dict) else None
            if "sessionId" in record and isinstance(message, dict) and "usage" in message:
                output = message["usage"]["output_tokens"]
                last[message.get("id"), inner.get("requestId")] = output
        steps = {(u.thread, u.key): u for u in of(Usage, events) if u.scope == "step"}
        if last and "agsess" not in path.name:
            assert sum(u.completion or 0 for u in steps.values()) == sum(last.values()), path


def test_anchors_hold_the_record_that_an_event_came_from(logs: list[Read]) -> None:
    for path, _, events, _ in logs:
        raw = path.read_bytes()
        lines = [0]
        lines += [at + 1 for at, byte in enumerate(raw) if byte == 10]
        for event in events:
            where = event.anchor
            start = lines[where.line - 1]
            assert where.start == (start or where.start), path
            if isinstance(event, Call):
                found: Any = json.loads(raw[where.start : where.end])
                for step in where.pointer.split("/")[1:]:
                    found = found[int(step)] if isinstance(found, list) else found[step]
                assert found.get("id", "") == event.native_id, path


def test_what_is_peculiar_to_single_logs(logs: list[Read]) -> None:
    by_name = {path.name: (events, log) for path, _, events, log in logs}
    begins = of(Begin, by_name["derived_two_runs.jsonl"][0])
    assert len(begins) == 2
    assert by_name["derived_two_runs.jsonl"][1].notes.counts == {"runs": 1}
    assert by_name["derived_crlf_bom.jsonl"][1].notes.counts == {"bom": 1, "crlf": 1}
    assert by_name["derived_cut_mid_utf8.jsonl"][1].notes.counts["cut"] == 1
    branch = [m for m in of(Mark, by_name["agentpile_edit_branch.jsonl"][0]) if m.label == "branch"]
    assert [m.extra for m in branch] == [{"left": 5}]
    compacted = by_name["entire_a6_e4c2a0fbd1_0.jsonl"][0]
    assert [m.kind for m in of(Mark, compacted) if m.kind == "compaction"] == ["compaction"]
    assert [m.synthetic for m in of(Message, compacted) if m.copied] == [True]
    retries = [m for m in of(Mark, by_name["trackgentic_mp9xlpc0.jsonl"][0]) if m.kind == "retry"]
    assert len(retries) == 23
