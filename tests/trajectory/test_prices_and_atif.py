"""Prices as whole nano-USD, and ATIF documents that the public validator accepts."""

from __future__ import annotations

import atif
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import FormatError
from benchwright.trajectory.atif import Actor, Call, Step, write_atif
from benchwright.trajectory.prices import Price, cost, price_of

ACTOR = Actor("react", "benchwright 0", "scripted/x")


def test_the_published_example_costs_297_500_nano_usd() -> None:
    assert cost(Price(2500, 625, 8500), prompt=100, cached=20, completion=10) == 297_500


def test_an_unknown_model_costs_an_unknown_amount() -> None:
    assert price_of("nobody/knows") is None
    assert cost(None, prompt=1, cached=0, completion=1) is None


def test_the_four_published_models_are_priced_with_or_without_provider() -> None:
    assert price_of("openai/gpt-5.5") == price_of("gpt-5.5") == Price(5000, 500, 30000)
    assert price_of("minimax-m2.7") == Price(300, 59, 1200)


def test_a_model_is_known_with_a_date_and_with_hyphens_in_its_version() -> None:
    price = price_of("claude-opus-4.6")
    assert price is not None
    assert price_of("claude-opus-4-6") == price_of("anthropic/claude-opus-4-6-20260205") == price
    assert price_of("gpt-5.5-2026-04-23") == price_of("gpt-5.5")
    assert price_of("claude-opus-4-5") is None
    assert price_of("gpt-5-5-mini") is None


def test_more_cached_than_input_tokens_is_refused() -> None:
    with pytest.raises(FormatError, match="more cached"):
        cost(Price(1, 1, 1), prompt=1, cached=2, completion=0)


@given(st.integers(0, 10**7), st.integers(0, 10**7), st.integers(0, 10**7))
def test_costs_add_up_over_calls(fresh: int, cached: int, out: int) -> None:
    price = Price(5000, 500, 30000)
    parts = (
        cost(price, prompt=fresh, cached=0, completion=0),
        cost(price, prompt=cached, cached=cached, completion=0),
        cost(price, prompt=0, cached=0, completion=out),
    )
    assert cost(price, prompt=fresh + cached, cached=cached, completion=out) == sum(
        p for p in parts if p is not None
    )


def test_a_written_document_is_valid_and_sums_its_steps() -> None:
    steps = [
        Step("user", "do it"),
        Step(
            "agent",
            "",
            calls=(Call("1", "bash", {"cmd": "ls"}, "a"),),
            model_calls=1,
            prompt_tokens=10,
            cached_tokens=4,
            completion_tokens=2,
        ),
        Step(
            "agent", "done", model_calls=1, prompt_tokens=20, cached_tokens=0, completion_tokens=3
        ),
    ]
    document = write_atif("s", ACTOR, steps)
    valid = atif.Trajectory.model_validate(document)
    assert valid.final_metrics is not None
    assert valid.final_metrics.total_prompt_tokens == 30
    assert valid.final_metrics.total_cached_tokens == 4


def test_one_unknown_count_makes_the_total_unknown() -> None:
    steps = [Step("agent", "a", model_calls=1), Step("agent", "b", model_calls=1, prompt_tokens=5)]
    assert "total_prompt_tokens" not in write_atif("s", ACTOR, steps)["final_metrics"]


def test_a_call_without_result_has_no_invented_observation() -> None:
    steps = [Step("agent", "", calls=(Call("1", "bash", {}, None),), model_calls=1)]
    assert write_atif("s", ACTOR, steps)["steps"][0]["observation"] == {"results": []}


def test_an_impossible_step_is_a_format_error() -> None:
    with pytest.raises(FormatError, match="not valid ATIF"):
        write_atif("s", ACTOR, [Step("nobody", "x")])


def test_half_a_character_is_written_out_and_loses_nothing_else() -> None:
    steps = [Step("agent", "a\udc80b", calls=(Call("1", "bash", {"c": ["\ud800"]}, "x\udc80"),))]
    (step,) = write_atif("s", ACTOR, steps)["steps"]
    assert step["message"] == "a\\udc80b"
    assert step["tool_calls"][0]["arguments"] == {"c": ["\\ud800"]}
