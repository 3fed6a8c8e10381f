"""What a Gemini CLI tool gave back, as the stream and the chat files hold it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from benchwright.trajectory.events import Status
from benchwright.trajectory.tools import kind_of

_REPORT = re.compile(
    r"(?:Command: .*?\nDirectory: .*?\n)?(?:Output|Stdout): (?P<out>.*?)\n(?:Stderr: .*?\n)?"
    r"Error: .*?\nExit Code: (?P<code>-?\d+|\(none\))\n",
    re.DOTALL,
)
_STATUS: dict[str, Status] = {"success": "ok", "error": "failed", "cancelled": "refused"}
_REFUSED = re.compile(r"declined|denied|rejected|not allowed|cancelled", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Output:
    """The text, how it ended."""

    text: str | None
    status: Status
    exit_code: int | None
    wrapper: int = 0
    """Characters around the text that the model saw too."""


def read_output(name: str, words: str | None, said: Any, problem: str | None) -> Output:
    """`said` is the status of the log, `problem` the type of its error."""
    status = _STATUS.get(str(said), "unknown")
    if status == "failed" and _REFUSED.search(f"{problem or ''} {(words or '')[:200]}"):
        status = "refused"
    if kind_of(name) != "shell" or words is None:
        return Output(words, status, None)
    found = _REPORT.search(words)
    if found is None:
        return Output(words, status, None)
    code = None if found.group("code") == "(none)" else int(found.group("code"))
    failed = code not in (None, 0) and status == "ok"
    out = found.group("out")
    return Output(out, "failed" if failed else status, code, len(words) - len(out))
