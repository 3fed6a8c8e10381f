"""Logs that break off or hold a part twice: no figure grows without saying that it is a bound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright.trajectory.log import Log, open_log
from benchwright.trajectory.metrics.fold import measure
from benchwright.trajectory.metrics.summary import Figures, Metrics
from benchwright.trajectory.to_atif.convert import write_atif
from tests.trajectory.readers.claude_records import assistant, counts, init, words
from tests.trajectory.readers.reading import read

ANSWER = assistant(words("a"), usage=counts(100, 7), stop_reason="end_turn")
META = {"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta",
        "payload": {"id": "s", "cwd": "/w"}}  # fmt: skip


def measured(folder: Path, *records: Any) -> Metrics:
    return measure(read(folder, *records)[1])


def result(prompt: int, **parts: Any) -> dict[str, Any]:
    usage = {"input_tokens": prompt, "output_tokens": 5}
    return {"type": "result", "subtype": "success", "session_id": "s1", "num_turns": 1,
            "usage": usage, "total_cost_usd": 0.5, "duration_ms": 10, **parts}  # fmt: skip


def test_without_its_total_the_counts_of_a_run_are_a_lower_bound(tmp_path: Path) -> None:
    whole = measured(tmp_path, init(), ANSWER, result(60)).together.tokens
    assert (whole.prompt, whole.prompt_at_least, whole.completion_at_least) == (60, False, False)
    cut = measured(tmp_path, init(), ANSWER).together.tokens
    assert (cut.prompt, cut.prompt_at_least, cut.completion_at_least) == (100, True, True)


def test_a_turn_behind_the_last_total_makes_a_lower_bound_too(tmp_path: Path) -> None:
    later = assistant(words("b"), id="m2", usage=counts(40, 1), stop_reason="end_turn")
    tokens = measured(tmp_path, init(), ANSWER, result(60), later).together.tokens
    assert (tokens.prompt, tokens.prompt_at_least) == (100, True)


def test_a_repeated_result_without_an_id_counts_once(tmp_path: Path) -> None:
    end = result(60, duration_api_ms=6)
    time = measured(tmp_path, init(), ANSWER, end, end).together.time
    assert (time.active_ms, time.model_ms) == (10, 6)


def test_a_program_that_waited_less_for_the_model_is_another_one(tmp_path: Path) -> None:
    first, second = result(60, duration_api_ms=6), result(60, duration_api_ms=1, duration_ms=3)
    found = measured(tmp_path, init(), ANSWER, first, init(), second).together
    assert (found.time.active_ms, found.time.model_ms) == (13, 7)
    assert (found.tokens.prompt, found.cost.nano_usd) == (120, 1_000_000_000)


def codex(second: int, kind: str, **payload: Any) -> dict[str, Any]:
    time = f"2026-01-01T00:00:{second:02}Z"
    return {"timestamp": time, "type": kind, "payload": payload}


def counted(second: int, total: int) -> dict[str, Any]:
    usage = {"input_tokens": total, "output_tokens": 1}
    info = {"total_token_usage": usage, "last_token_usage": usage}
    return codex(second, "event_msg", type="token_count", info=info)


def spoken(second: int) -> dict[str, Any]:
    text = [{"type": "output_text", "text": f"at {second}"}]
    return codex(second, "response_item", type="message", role="assistant", content=text)


def test_a_replayed_codex_session_adds_nothing(tmp_path: Path) -> None:
    once = [META, spoken(1), counted(2, 100), spoken(3), counted(4, 150)]
    alone, twice = measured(tmp_path, *once), measured(tmp_path, *once, *once)
    assert (twice.together.tokens, twice.runs) == (alone.together.tokens, 1)
    assert twice.together.iterations == alone.together.iterations == 2
    assert alone.together.tokens.prompt == 250


def test_a_codex_session_that_goes_on_adds_what_is_new(tmp_path: Path) -> None:
    records = [META, spoken(1), counted(2, 100), META, spoken(5), counted(6, 100), counted(7, 150)]
    assert measured(tmp_path, *records).together.tokens.prompt == 250


def test_a_thread_that_is_announced_twice_is_one_run(tmp_path: Path) -> None:
    started = {"type": "thread.started", "thread_id": "t"}
    assert measured(tmp_path, started, started).runs == 1
    assert measured(tmp_path, started, {**started, "thread_id": "u"}).runs == 2


def test_answers_without_counts_stay_answers_in_atif(tmp_path: Path) -> None:
    bare = [assistant(words("a"), id=f"x{n}", uuid=f"u{n}", usage=None) for n in range(3)]
    before = measured(tmp_path, init(), ANSWER, *bare).together
    after = converted(tmp_path, read(tmp_path, init(), ANSWER, *bare)[1])
    assert after.iterations == 4
    assert (after.tokens.prompt, after.tokens.prompt_at_least) == (before.tokens.prompt, True)


def converted(folder: Path, log: Log) -> Figures:
    """The figures of a log that became ATIF."""
    path = folder / "atif.json"
    with path.open("w", encoding="utf-8") as file:
        write_atif(log, file)
    return measure(open_log(path)).together
