"""What a Codex tool gave back: the forms that rollout files hold it in. facts: log_formats 4."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.trajectory.events import Status
from benchwright.trajectory.readers.parts import joined, mapping, milliseconds, shown

_HEADER = re.compile(
    r"(?:Chunk ID: .*\n)?(?:Exit code: (?P<exit>-?\d+)\n)?"
    r"Wall time: (?P<time>[\d.]+) seconds?\n"
    r"(?:Process (?:exited with code (?P<code>-?\d+)|running with session ID \d+)\n)?"
    r"(?:Original token count: \d+\n)?(?:Total output lines: \d+\n)?Output:\n"
)
_FAILED = re.compile(
    r"failed in sandbox \S+ with execution error: (?:[^,\n]*, exit code: (?P<exit>-?\d+))?|"
    r"execution error: |exec_command failed|failed to parse function arguments|unsupported call: "
)
"""How the agent itself says that a call failed, in place of an output."""
_CUT = re.compile(r"…\d+ (?:tokens|chars) truncated…")


@dataclass(frozen=True, slots=True)
class Output:
    """The text without the wrapper's words, how it ended, how long it took."""

    text: str | None
    exit_code: int | None = None
    duration_ms: int | None = None
    status: Status = "unknown"
    images: int = 0
    truncated: bool | None = None
    wrapper: int = 0
    """Characters of the wrapper's words."""


def read_output(value: Any) -> Output:
    """The `output` of a function call or of a custom tool call."""
    if isinstance(value, list):
        words, images = joined(value)
        return Output(words, images=images)
    if isinstance(value, Mapping):
        return _object(value)
    if not isinstance(value, str):
        return Output(None if value is None else shown(value))
    if value.startswith('{"'):
        try:
            inner = json.loads(value)
        except ValueError:
            inner = None
        if isinstance(inner, Mapping) and isinstance(inner.get("output"), str):
            return _object(inner)
    return _plain(value)


def _is_cut(text: str) -> bool:
    """Whether the text says that the tool cut it. Plain searches first: outputs are long."""
    if "[... omitted" in text or "[... removed" in text or text.startswith("Total output lines:"):
        return True
    return "truncated…" in text and _CUT.search(text) is not None


def _object(value: Mapping[str, Any]) -> Output:
    meta = mapping(value.get("metadata"))
    code = meta.get("exit_code", value.get("exit_code"))
    content = value.get("output", value.get("content"))
    words = content if isinstance(content, str) else shown(content)
    success = value.get("success")
    status: Status = "unknown"
    if isinstance(code, int):
        status = "ok" if code == 0 else "failed"
    elif isinstance(success, bool):
        status = "ok" if success else "failed"
    return Output(
        words,
        code if isinstance(code, int) else None,
        milliseconds(meta.get("duration_seconds"), 1000),
        status,
        truncated=True if _is_cut(words) else None,
    )


def _plain(value: str) -> Output:
    found = _HEADER.match(value)
    if not found:
        refused = re.match(r"(?:exec command|patch) rejected|rejected by user", value)
        failed = _FAILED.match(value)
        code = failed.group("exit") if failed else None
        status: Status = "refused" if refused else "failed" if failed else "unknown"
        return Output(value, int(code) if code else None, status=status)
    code = found.group("exit") or found.group("code")
    return Output(
        value[found.end() :],
        int(code) if code else None,
        milliseconds(float(found.group("time")), 1000),
        "unknown" if code is None else "ok" if int(code) == 0 else "failed",
        truncated=True if _is_cut(value) else None,
        wrapper=found.end(),
    )
