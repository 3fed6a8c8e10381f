"""Tokens, cost and time of Claude logs."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from benchwright.trajectory.events import Usage
from tests.trajectory.readers.claude_records import (
    assistant,
    closing,
    counts,
    init,
    kept,
    models,
    words,
)
from tests.trajectory.readers.reading import of, read


def usages(folder: Path, *records: Any, scope: str) -> list[Usage]:
    return [u for u in of(Usage, read(folder, *records)[0]) if u.scope == scope]


def last_of_each(found: list[Usage]) -> dict[tuple[str, str | None], Usage]:
    return {(u.thread, u.key): u for u in found}


def test_the_prompt_contains_what_came_from_and_went_into_the_cache(tmp_path: Path) -> None:
    (step,) = usages(
        tmp_path,
        init(),
        assistant(words("a"), usage=counts(3, 7, read=100, written=20)),
        scope="step",
    )
    assert (step.prompt, step.cached, step.cache_written, step.completion) == (123, 100, 20, 7)
    assert (step.key, step.model, step.partial) == ("m1", "claude-x", True)


def test_counts_that_every_record_repeats_are_one_answer_with_the_last_of_them(
    tmp_path: Path,
) -> None:
    records = [
        assistant(words("a"), usage=counts(3, 1)),
        assistant(words("b"), usage=counts(3, 1)),
        assistant(words("c"), usage=counts(3, 90), stop_reason="end_turn"),
        assistant(words("d"), id="m2", usage=counts(5, 2)),
    ]
    steps = last_of_each(usages(tmp_path, init(), *records, scope="step"))
    assert [(u.prompt, u.completion, u.partial) for u in steps.values()] == [
        (3, 90, False),
        (5, 2, True),
    ]


def test_a_replayed_early_record_does_not_bring_its_smaller_counts_back(tmp_path: Path) -> None:
    early = assistant(words("a"), usage=counts(3, 1))
    late = assistant(words("b"), usage=counts(3, 90), stop_reason="end_turn")
    steps = usages(tmp_path, init(), early, late, early, scope="step")
    assert [u.completion for u in steps] == [1, 90]


def test_zeros_of_an_answer_that_was_not_complete_are_unknown(tmp_path: Path) -> None:
    (step,) = usages(tmp_path, init(), assistant(words("a"), usage=counts(0, 0)), scope="step")
    assert (step.prompt, step.cached, step.completion) == (None, None, None)


def test_an_answer_without_counts_has_no_usage(tmp_path: Path) -> None:
    assert usages(tmp_path, init(), assistant(words("a")), scope="step") == []


@pytest.mark.parametrize("bad", [None, "7", -1, 2.5, True, {}])
def test_a_count_that_counts_nothing_is_unknown(tmp_path: Path, bad: Any) -> None:
    usage = {"input_tokens": bad, "output_tokens": 5, "cache_read_input_tokens": 9}
    (step,) = usages(tmp_path, init(), assistant(words("a"), usage=usage), scope="step")
    assert (step.prompt, step.completion) == (None, 5)


def test_the_total_of_a_run_is_that_of_its_models_which_the_cost_follows_from(
    tmp_path: Path,
) -> None:
    both = models(30, 9, read=400) | models(1, 2, name="claude-y")
    end = closing(
        modelUsage=both, usage=counts(10, 5), total_cost_usd=0.25, duration_ms=7, duration_api_ms=6
    )
    (run,) = usages(tmp_path, init(), end, scope="run")
    assert (run.prompt, run.cached, run.completion) == (431, 400, 11)
    assert (run.cost_nano, run.duration_ms, run.api_duration_ms) == (250_000_000, 7, 6)
    assert run.model is None


def test_without_models_the_total_is_the_usage_and_without_both_it_is_unknown(
    tmp_path: Path,
) -> None:
    (run,) = usages(tmp_path, init(), closing(usage=counts(10, 5, read=1)), scope="run")
    assert (run.prompt, run.cached, run.completion) == (11, 1, 5)
    (run,) = usages(tmp_path, init(), closing(usage=None), scope="run")
    assert (run.prompt, run.completion, run.cost_nano) == (None, None, 500_000_000)


@pytest.mark.parametrize("cost", ["0.042621", "0.20075700000000002", "2.109595", "0", "1e-9"])
def test_cost_is_the_stated_decimal_in_whole_nano_usd(tmp_path: Path, cost: str) -> None:
    (run,) = usages(tmp_path, init(), closing(total_cost_usd=float(cost)), scope="run")
    assert run.cost_nano == int((Decimal(cost) * 10**9).to_integral_value())


@pytest.mark.parametrize("cost", [None, -1, "much", True, [], 1e300])
def test_a_cost_that_is_none_is_unknown(tmp_path: Path, cost: Any) -> None:
    (run,) = usages(tmp_path, init(), closing(total_cost_usd=cost), scope="run")
    assert run.cost_nano is None


def turn(total: int, used: int, cost: float, **more: Any) -> dict[str, Any]:
    return closing(
        modelUsage=models(total, total), usage=counts(used, used), total_cost_usd=cost, **more
    )


def test_turns_of_one_program_restate_the_total_and_add_up_their_times(tmp_path: Path) -> None:
    first, second = turn(10, 10, 0.1, duration_ms=4), turn(25, 15, 0.3, duration_ms=5)
    runs = last_of_each(usages(tmp_path, init(), first, init(), second, scope="run"))
    assert [(u.prompt, u.cost_nano, u.duration_ms) for u in runs.values()] == [(25, 300_000_000, 9)]


@pytest.mark.parametrize(("total", "used", "cost"), [(8, 8, 0.2), (25, 25, 0.3), (25, 15, 0.05)])
def test_a_program_that_resumes_the_session_has_a_total_of_its_own(
    tmp_path: Path, total: int, used: int, cost: float
) -> None:
    records = [init(), turn(10, 10, 0.1, duration_ms=4), init(), turn(total, used, cost)]
    runs = last_of_each(usages(tmp_path, *records, scope="run"))
    assert [u.key for u in runs.values()] == ["s1", "s1#2"]
    assert sum(u.prompt or 0 for u in runs.values()) == 10 + total


def test_a_session_file_has_answers_and_no_total(tmp_path: Path) -> None:
    records = [
        kept(assistant(words("a"), usage=counts(3, 1)), "u1", requestId="r1"),
        kept(assistant(words("b"), usage=counts(3, 8)), "u2", requestId="r1"),
        kept(assistant(words("c"), usage=counts(4, 9)), "u3", requestId="r2"),
    ]
    events, _ = read(tmp_path, *records)
    steps = last_of_each(of(Usage, events))
    assert {key: u.completion for (_, key), u in steps.items()} == {"m1 r1": 8, "m1 r2": 9}
    assert {u.scope for u in steps.values()} == {"step"}


def test_words_that_no_model_said_used_no_tokens(tmp_path: Path) -> None:
    made = kept(assistant(words("No response requested."), usage=counts(0, 0)), "u1")
    made["message"]["model"] = "<synthetic>"
    events, _ = read(tmp_path, made)
    assert of(Usage, events) == []
