"""An ATIF trajectory as steps to read. Takes the JSON of `trajectory.json`, gives plain records.

Reads what it needs and passes over the rest, so that a later minor version of the format still
shows. Text is given whole; whoever shows it decides how much.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchwright.errors import FormatError
from benchwright.storage import read_json

_SPOKEN = ("command", "cmd", "code", "script", "input", "argv")
"""Arguments that are the action itself and are shown as text instead of JSON."""


@dataclass(frozen=True, slots=True)
class StoryCall:
    """One tool call and what came back; `output` is None where nothing was recorded."""

    tool: str
    action: str
    output: str | None


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One turn. `source` is system, user or agent."""

    number: int
    source: str
    message: str
    reasoning: str
    calls: tuple[StoryCall, ...]
    remarks: tuple[str, ...]
    """Observations that belong to no call."""
    at: str
    """Time stamp as recorded, or empty."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """One step, and the number of the last of those right after it that are the same again."""

    step: StoryStep
    last: int


def stretches(steps: Sequence[StoryStep]) -> tuple[Stretch, ...]:
    """Steps in order, each row of equal ones as one: same words, same calls, same results."""
    found: list[Stretch] = []
    for step in steps:
        if found and _same(found[-1].step, step):
            found[-1] = Stretch(found[-1].step, step.number)
        else:
            found.append(Stretch(step, step.number))
    return tuple(found)


def read_story(file: Path) -> tuple[StoryStep, ...]:
    """Steps of a trajectory file; empty when there is none, `FormatError` when it is no ATIF."""
    return tell(read_json(file), file) if file.is_file() else ()


def tell(trajectory: Any, where: object) -> tuple[StoryStep, ...]:
    """Steps of a loaded trajectory."""
    version = trajectory.get("schema_version") if isinstance(trajectory, dict) else None
    if not str(version).startswith("ATIF-v1."):
        raise FormatError(
            "not an ATIF 1.x trajectory",
            value=version,
            where=where,
            hint="Collect the episode again, or convert the log with: benchwright log atif LOG",
        )
    steps = trajectory.get("steps") or []
    return tuple(_step(step, number) for number, step in enumerate(steps, start=1))


def _same(a: StoryStep, b: StoryStep) -> bool:
    return replace(a, number=0, at="") == replace(b, number=0, at="")


def _step(step: Mapping[str, Any], number: int) -> StoryStep:
    results = (step.get("observation") or {}).get("results") or []
    calls = step.get("tool_calls") or []
    known = {call.get("tool_call_id") for call in calls}
    loose = [result for result in results if result.get("source_call_id") not in known]
    return StoryStep(
        number=int(step.get("step_id", number)),
        source=str(step.get("source", "agent")),
        message=_text(step.get("message")),
        reasoning=_text(step.get("reasoning_content")),
        calls=tuple(_call(call, results) for call in calls),
        remarks=tuple(_text(result.get("content")) for result in loose),
        at=str(step.get("timestamp") or ""),
    )


def _call(call: Mapping[str, Any], results: list[Mapping[str, Any]]) -> StoryCall:
    own = call.get("tool_call_id")
    found = [_text(r.get("content")) for r in results if r.get("source_call_id") == own]
    return StoryCall(
        tool=str(call.get("function_name", "")),
        action=_action(call.get("arguments") or {}),
        output="\n".join(found) if found else None,
    )


def _action(arguments: Mapping[str, Any]) -> str:
    if set(arguments) == {"path", "content"}:
        return f"{arguments['path']}\n{arguments['content']}"
    spoken = [name for name in _SPOKEN if name in arguments]
    if len(spoken) != 1:
        return json.dumps(arguments, indent=1, ensure_ascii=False, default=str)
    value = arguments[spoken[0]]
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    rest = {key: item for key, item in arguments.items() if key != spoken[0]}
    return f"{text}\n{json.dumps(rest, ensure_ascii=False, default=str)}" if rest else text


def _text(content: Any) -> str:
    if content is None:
        return ""
    if isinstance(content, list):
        return "\n".join(_part(part) for part in content)
    return str(content)


def _part(part: Any) -> str:
    if not isinstance(part, dict):
        return str(part)
    if part.get("type") == "text":
        return str(part.get("text", ""))
    source = part.get("source") or {}
    return f"[{part.get('type', 'attachment')}: {source.get('path', 'no path')}]"
