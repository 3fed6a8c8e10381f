"""Code that a team of agents ran: a message with code, answered by the terminal of the team.

Takes events of a log that keeps turns without calls (facts log_formats 10); gives the same events,
with a call and a result where a turn holds code and the next one is what came of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from benchwright.trajectory.events import Call, Event, Message, Result

_TERMINAL = re.compile(r"terminal|executor", re.IGNORECASE)
_CODE = re.compile(r"^```(python|py|sh|bash|shell)?[ \t]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\s*exitcode: (-?\d+)[^\n]*\n?(?:Code output: ?)?")


def with_calls(events: Iterable[Event]) -> Iterator[Event]:
    """The events; a turn of the terminal becomes the result of the code before it."""
    code: Call | None = None
    for event in events:
        if not isinstance(event, Message):
            yield event
            continue
        exit_code = _EXIT.match(event.text)
        if code is not None and exit_code and _TERMINAL.search(event.thread):
            yield code
            yield _result(code, event, exit_code)
            code = None
            continue
        code = _call(event) or code
        yield event


def _call(message: Message) -> Call | None:
    """The code of a turn as one call; of several blocks all, in the language of the first."""
    blocks = list(_CODE.finditer(message.text)) if message.source == "agent" else []
    if not blocks:
        return None
    kind = "shell" if (blocks[0].group(1) or "python") in ("sh", "bash", "shell") else "python"
    text = "\n".join(block.group(2) for block in blocks)
    call_id = f"code at {message.anchor.text()}"
    return Call(message.anchor, call_id, kind, kind, {"command": text}, key=None, thread="")


def _result(call: Call, message: Message, found: re.Match[str]) -> Result:
    code = int(found.group(1))
    text = message.text[found.end() :]
    return Result(message.anchor, call.call_id, "failed" if code else "ok", text, exit_code=code)
