"""From a finished Inspect sample to plain steps and usage; unknown stays None."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import replace

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


def steps_of(
    messages: Sequence[ChatMessage], events: Sequence[Event] = (), *, seen: bool = True
) -> list[Step]:
    """One step per message that is not a tool result; results stand with their calls.

    Times and tokens come from the events of the model's calls. `seen`: every call of a model is
    among them, so that what has no event was made without a model; else that is unknown.
    """
    silent = 0 if seen else None
    results: Results = defaultdict(deque)
    for message in messages:
        if isinstance(message, ChatMessageTool):
            results[message.tool_call_id].append(message)
    spoken = _model_events(events)
    return [
        _agent_step(message, results, spoken.get(message.id or ""), silent)
        if isinstance(message, ChatMessageAssistant)
        else Step(message.role, message.text)
        for message in messages
        if not isinstance(message, ChatMessageTool)
    ]


def usage_of(sample: EvalSample, price: Price | None, *, seen: bool = True) -> Usage:
    """Sums over the sample's model calls.

    `seen`: a model is only called through Inspect, so that no such call means no tokens and no
    money. Code of somebody's own can have a client of its own: with no call seen, its calls,
    tokens and money are unknown. Where a provider does not say what came from its cache, the
    cached tokens are unknown, and the cost counts every token at the full price, as it reports
    them.
    """
    usages = [event.output.usage for event in sample.events if isinstance(event, ModelEvent)]
    total = sum(sample.model_usage.values(), start=ModelUsage())
    if not usages:
        spent = Usage(0, 0, 0, 0, 0, None, None, None) if seen else Usage(*[None] * 8)
    elif not sample.model_usage:
        spent = replace(Usage(*[None] * 8), model_calls=len(usages))
    else:
        told = all(u.input_tokens_cache_read is not None for u in usages if u)
        spent = replace(_spent(total, price), model_calls=len(usages))
        spent = spent if told else replace(spent, cached_tokens=None)
    return replace(
        spent,
        tool_calls=sum(len(getattr(m, "tool_calls", None) or ()) for m in sample.messages),
        wall_ms=_ms(sample.total_time),
        active_ms=_ms(sample.working_time),
    )


def _spent(total: ModelUsage, price: Price | None) -> Usage:
    """Tokens and money of all calls together."""
    prompt, cached = _prompt(total), total.input_tokens_cache_read or 0
    money = cost(price, prompt=prompt, cached=cached, completion=total.output_tokens)
    return Usage(prompt, cached, total.output_tokens, money, None, None, None, None)


def _agent_step(
    message: ChatMessageAssistant,
    results: Results,
    event: ModelEvent | None,
    silent: int | None,
) -> Step:
    usage = event.output.usage if event else None
    stamp = event.timestamp.isoformat() if event else (message.metadata or {}).get("timestamp")
    return Step(
        source="agent",
        message=message.text,
        timestamp=stamp,
        reasoning=_reasoning(message),
        calls=_calls(message, results),
        model_calls=1 if event else silent,
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
