"""From a finished Inspect sample to plain steps and usage; unknown stays None."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Sequence

from inspect_ai.event import Event, ModelEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ContentReasoning,
    ModelUsage,
)

from benchwright.episodes.model import Usage
from benchwright.trajectory.atif import Call, Step
from benchwright.trajectory.prices import Price, cost

Results = defaultdict[str | None, deque[ChatMessageTool]]
"""Tool results by call id, in order: some servers number their calls anew in every turn."""


def steps_of(messages: Sequence[ChatMessage], events: Sequence[Event] = ()) -> list[Step]:
    """One step per message that is not a tool result; results stand with their calls.

    Times and tokens come from the events of the model's calls.
    """
    results: Results = defaultdict(deque)
    for message in messages:
        if isinstance(message, ChatMessageTool):
            results[message.tool_call_id].append(message)
    spoken = _model_events(events)
    return [
        _agent_step(message, results, spoken.get(message.id or ""))
        if isinstance(message, ChatMessageAssistant)
        else Step(message.role, message.text)
        for message in messages
        if not isinstance(message, ChatMessageTool)
    ]


def usage_of(sample: EvalSample, price: Price | None) -> Usage:
    """Sums over the sample's model calls; a sample without a model used no tokens."""
    calls = sum(isinstance(event, ModelEvent) for event in sample.events)
    total = sum(sample.model_usage.values(), start=ModelUsage())
    prompt, cached = _prompt(total), total.input_tokens_cache_read or 0
    known = bool(sample.model_usage) or calls == 0
    spent = cost(price, prompt=prompt, cached=cached, completion=total.output_tokens)
    return Usage(
        input_tokens=prompt if known else None,
        cached_tokens=cached if known else None,
        output_tokens=total.output_tokens if known else None,
        cost_nano_usd=0 if calls == 0 else (spent if known else None),
        model_calls=calls,
        tool_calls=sum(len(getattr(m, "tool_calls", None) or ()) for m in sample.messages),
        wall_ms=_ms(sample.total_time),
        active_ms=_ms(sample.working_time),
    )


def _agent_step(
    message: ChatMessageAssistant,
    results: Results,
    event: ModelEvent | None,
) -> Step:
    usage = event.output.usage if event else None
    stamp = event.timestamp.isoformat() if event else (message.metadata or {}).get("timestamp")
    return Step(
        source="agent",
        message=message.text,
        timestamp=stamp,
        reasoning=_reasoning(message),
        calls=_calls(message, results),
        model_calls=1 if event else 0,
        prompt_tokens=_prompt(usage) if usage else None,
        cached_tokens=usage.input_tokens_cache_read if usage else None,
        completion_tokens=usage.output_tokens if usage else None,
    )


def _calls(message: ChatMessageAssistant, results: Results) -> tuple[Call, ...]:
    made = []
    for call in message.tool_calls or ():
        waiting = results[call.id]
        text = _result_text(waiting.popleft()) if waiting else None
        made.append(Call(call.id, call.function, _arguments(call.arguments), text))
    return tuple(made)


def _result_text(answer: ChatMessageTool) -> str:
    if answer.error is None:
        return answer.text
    return f"{answer.error.type}: {answer.error.message}"


def _arguments(arguments: dict[str, object]) -> dict[str, object]:
    plain: dict[str, object] = json.loads(json.dumps(arguments, default=str))
    return plain


def _model_events(events: Sequence[Event]) -> dict[str, ModelEvent]:
    found: dict[str, ModelEvent] = {}
    for event in events:
        if isinstance(event, ModelEvent) and event.output.choices:
            found[event.output.choices[0].message.id or ""] = event
    return found


def _reasoning(message: ChatMessage) -> str | None:
    content: Sequence[object] = message.content if isinstance(message.content, list) else ()
    texts = [part.reasoning for part in content if isinstance(part, ContentReasoning)]
    return "\n".join(texts) or None


def _prompt(usage: ModelUsage) -> int:
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return usage.input_tokens + cached


def _ms(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)
