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
    steps = _tables(trajectory, "steps", where)
    return tuple(
        _step(step, number, f"{where}: steps[{number - 1}]")
        for number, step in enumerate(steps, start=1)
    )


def _tables(record: Mapping[str, Any], key: str, where: object) -> list[dict[str, Any]]:
    """The list of objects under a key, empty where there is none."""
    found = record.get(key)
    if found is None:
        return []
    if isinstance(found, list | tuple) and all(isinstance(item, dict) for item in found):
        return list(found)
    raise _misshapen("a list of objects", found, f"{where}: {key}")


def _table(record: Mapping[str, Any], key: str, where: object) -> dict[str, Any]:
    """The object under a key, empty where there is none."""
    found = record.get(key)
    if found is None or isinstance(found, dict):
        return found or {}
    raise _misshapen("an object", found, f"{where}: {key}")


def _misshapen(wanted: str, found: object, where: str) -> FormatError:
    return FormatError(
        f"expected {wanted}",
        value=found,
        where=where,
        hint="Restore the file from where it came; trajectories are not edited by hand.",
    )


def _same(a: StoryStep, b: StoryStep) -> bool:
    return replace(a, number=0, at="") == replace(b, number=0, at="")


def _step(step: Mapping[str, Any], number: int, where: str) -> StoryStep:
    results = _tables(_table(step, "observation", where), "results", where)
    calls = _tables(step, "tool_calls", where)
    known = [call.get("tool_call_id") for call in calls]
    loose = [result for result in results if result.get("source_call_id") not in known]
    stated = step.get("step_id", number)
    if not isinstance(stated, int):
        raise _misshapen("a number", stated, f"{where}: step_id")
    return StoryStep(
        number=stated,
        source=str(step.get("source", "agent")),
        message=_text(step.get("message")),
        reasoning=_text(step.get("reasoning_content")),
        calls=tuple(_call(call, results, where) for call in calls),
        remarks=tuple(_text(result.get("content")) for result in loose),
        at=str(step.get("timestamp") or ""),
    )


def _call(call: Mapping[str, Any], results: list[dict[str, Any]], where: str) -> StoryCall:
    own = call.get("tool_call_id")
    found = [_text(r.get("content")) for r in results if r.get("source_call_id") == own]
    return StoryCall(
        tool=str(call.get("function_name", "")),
        action=_action(_table(call, "arguments", where)),
        output="\n".join(found) if found else None,
    )


def _action(arguments: Mapping[str, Any]) -> str:
    try:
        return _spoken(arguments)
    except RecursionError:
        return "[arguments that are nested too deeply to be shown]"


def _spoken(arguments: Mapping[str, Any]) -> str:
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
    try:
        if isinstance(content, list):
            return "\n".join(_part(part) for part in content)
        return str(content)
    except RecursionError:
        return "[content that is nested too deeply to be shown]"


def _part(part: Any) -> str:
    if not isinstance(part, dict):
        return str(part)
    if part.get("type") == "text":
        return str(part.get("text", ""))
    source = part.get("source")
    path = source.get("path") if isinstance(source, dict) else None
    return f"[{part.get('type', 'attachment')}: {path or 'no path'}]"
