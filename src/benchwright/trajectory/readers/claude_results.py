"""What a result in a Claude log says: how the call ended, and the facts of its structured twin.

The log has one flag for everything that went wrong. Whether a call ran and failed or was not
allowed to run follows, where nothing else says it, from the first line of what the model was told.
"""

from __future__ import annotations

import re
from typing import Any

from benchwright.trajectory.events import Status
from benchwright.trajectory.readers.parts import milliseconds, text

_EXIT = re.compile(r"Exit code (-?\d{1,9})\b")
_REFUSED = re.compile(
    r"doesn.t want to (?:proceed|take this action)"
    r"|requires? (?:explicit )?approval"
    r"|requested permissions? .{1,2000} haven.t granted"
    r"|was blocked\. For security"
    r"|can hide arguments from path validation"
    r"|[Pp]ermission .{0,300}(?:has been|was) denied"
    r"|[Pp]ermission denied by"
    r"|PreToolUse\S* .{0,40}(?:denied|blocked|error)"
    r"|hook .{0,80}denied this tool"
)
_RAN = ("Exit code ", "<tool_use_error>")
_CUT = re.compile(r"\[\d+ (?:lines|characters) truncated\]")
_STOPPED = ("failed", "error", "killed", "cancelled", "canceled")


def status_of(flag: Any, told: str, twin: Any, code: int | None) -> Status:
    """How a call ended.

    flag: `is_error`, which is absent where all went well. told: what the model saw. twin: the
    structured result, an object, a text or None. code: exit code, see `exit_code`.
    """
    fields = twin if isinstance(twin, dict) else {}
    if flag is True or fields.get("is_error") is True:
        refused = not told.startswith(_RAN) and _REFUSED.search(told.split("\n", 1)[0])
        return "refused" if refused else "failed"
    if fields.get("interrupted") is True or text(fields.get("status")) in _STOPPED:
        return "failed"
    return "failed" if code else "ok"


def exit_code(flag: Any, told: str, twin: Any) -> int | None:
    """The exit code of a command where the log states it; that it went well states none."""
    if isinstance(twin, dict):
        for name in ("exit_code", "exitCode"):
            code = twin.get(name)
            if isinstance(code, int) and not isinstance(code, bool):
                return code
    found = _EXIT.match(told) if flag is True else None
    return int(found.group(1)) if found else None


def duration_ms(twin: Any) -> int | None:
    """How long the tool took, where its twin states it."""
    if not isinstance(twin, dict):
        return None
    for name, scale in (("durationMs", 1), ("totalDurationMs", 1), ("durationSeconds", 1000)):
        if name in twin:
            return milliseconds(twin[name], scale)
    return None


def truncated(told: str, twin: Any) -> bool | None:
    """Whether the tool says that it cut what it gave back."""
    if isinstance(twin, dict):
        stated = twin.get("truncated")
        if isinstance(stated, bool):
            return stated
        if text(twin.get("persistedOutputPath")):
            return True
    if told.startswith("<persisted-output>") or _CUT.search(told, max(0, len(told) - 200)):
        return True
    return None


def child_of(twin: Any) -> str | None:
    """The id of the sub-agent that a call started."""
    return text(twin.get("agentId")) if isinstance(twin, dict) else None
