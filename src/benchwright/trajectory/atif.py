"""Writing ATIF v1.8: plain steps in, one validated document out. The only user of `atif`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.canonical import plain, readable
from benchwright.errors import FormatError

SCHEMA = "ATIF-v1.8"


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call and, when it came back, what it returned."""

    id: str
    name: str
    arguments: dict[str, Any]
    result: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """One turn. Token counts are None where no model spoke or the count is unknown."""

    source: str
    message: str
    timestamp: str | None = None
    reasoning: str | None = None
    calls: tuple[Call, ...] = ()
    model_calls: int | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Actor:
    """Who the steps of an agent come from."""

    name: str
    version: str
    model: str | None


def write_atif(session: str, actor: Actor, steps: Sequence[Step]) -> dict[str, Any]:
    """A valid ATIF document as plain data; totals are sums of the steps or absent when unknown."""
    import atif
    from pydantic import ValidationError

    agent = {"name": actor.name, "version": actor.version, "model_name": actor.model}
    document = {
        "schema_version": SCHEMA,
        "session_id": session,
        "agent": {key: value for key, value in agent.items() if value is not None},
        "steps": [_step(number, step) for number, step in enumerate(steps, start=1)],
        "final_metrics": _totals(steps),
    }
    try:
        valid = atif.Trajectory.model_validate(readable(plain(document)))
    except ValidationError as error:
        raise FormatError(
            "trajectory is not valid ATIF",
            value=str(error.errors()[0]),
            where=session,
            hint="Report this with the run's log; the episode stays owed.",
        ) from error
    data: dict[str, Any] = valid.model_dump(mode="json", exclude_none=True)
    return data


def _step(number: int, step: Step) -> dict[str, Any]:
    data: dict[str, Any] = {"step_id": number, "source": step.source, "message": step.message}
    if step.timestamp:
        data["timestamp"] = step.timestamp
    if step.reasoning:
        data["reasoning_content"] = step.reasoning
    if step.source == "agent":
        data["llm_call_count"] = step.model_calls
    if step.calls:
        data["tool_calls"] = [
            {"tool_call_id": c.id, "function_name": c.name, "arguments": c.arguments}
            for c in step.calls
        ]
        answered = [c for c in step.calls if c.result is not None]
        results = [{"source_call_id": c.id, "content": c.result} for c in answered]
        data["observation"] = {"results": results}
    if step.prompt_tokens is not None or step.completion_tokens is not None:
        data["metrics"] = _known(
            prompt_tokens=step.prompt_tokens,
            cached_tokens=step.cached_tokens,
            completion_tokens=step.completion_tokens,
        )
    return data


def _totals(steps: Sequence[Step]) -> dict[str, Any]:
    spoken = [step for step in steps if step.source == "agent" and step.model_calls != 0]
    return _known(
        total_steps=len(steps),
        total_prompt_tokens=_sum([step.prompt_tokens for step in spoken]),
        total_cached_tokens=_sum([step.cached_tokens for step in spoken]),
        total_completion_tokens=_sum([step.completion_tokens for step in spoken]),
    )


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _known(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}
