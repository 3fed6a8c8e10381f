"""What an episode used: known, none and unknown are three things."""

from __future__ import annotations

from typing import Any

import pytest
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage

from benchwright.episodes.model import Usage
from benchwright.running.inspect_atif import usage_of
from benchwright.trajectory.prices import Price

PRICE = Price(5, 1, 30)


def sample(*usages: ModelUsage | None) -> EvalSample:
    """A finished sample with one call of a model per usage."""
    calls = [
        ModelEvent(
            model="m/x",
            input=[],
            tools=[],
            tool_choice="auto",
            config=GenerateConfig(),
            output=ModelOutput(model="m/x", usage=usage),
        )
        for usage in usages
    ]
    told = [usage for usage in usages if usage]
    total = {"m/x": sum(told, start=ModelUsage())} if told else {}
    return EvalSample(id="a", epoch=1, input="", target="", events=list(calls), model_usage=total)


def tokens(read: int | None = None, **more: Any) -> ModelUsage:
    return ModelUsage(
        input_tokens=100, output_tokens=10, total_tokens=110, input_tokens_cache_read=read, **more
    )


def spent(usage: Usage) -> tuple[int | None, ...]:
    return (usage.model_calls, usage.input_tokens, usage.cached_tokens, usage.output_tokens,
            usage.cost_nano_usd)  # fmt: skip


@pytest.mark.parametrize(
    ("usages", "seen", "expected"),
    [
        ((), True, (0, 0, 0, 0, 0)),
        ((), False, (None, None, None, None, None)),
        ((tokens(0), tokens(50)), True, (2, 250, 50, 20, 200 * 5 + 50 + 20 * 30)),
        ((tokens(0), tokens(50)), False, (2, 250, 50, 20, 200 * 5 + 50 + 20 * 30)),
        ((tokens(), tokens(50)), True, (2, 250, None, 20, 200 * 5 + 50 + 20 * 30)),
        ((tokens(),), True, (1, 100, None, 10, 100 * 5 + 10 * 30)),
        ((None,), True, (1, None, None, None, None)),
    ],
)
def test_unknown_is_not_zero(
    usages: tuple[ModelUsage | None, ...], seen: bool, expected: tuple[int | None, ...]
) -> None:
    assert spent(usage_of(sample(*usages), PRICE, seen=seen)) == expected


def test_without_a_price_the_tokens_are_known_and_the_cost_is_not() -> None:
    assert spent(usage_of(sample(tokens(0)), None)) == (1, 100, 0, 10, None)
