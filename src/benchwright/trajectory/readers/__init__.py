"""One reader for each log format; detection goes through `DIALECTS` in this order.

Takes records; gives events. Knows nothing of what is done with them.
"""

from __future__ import annotations

from benchwright.trajectory.dialect import Dialect
from benchwright.trajectory.readers import (
    atif_document,
    claude_session,
    claude_stream,
    codex_exec,
    codex_rollout,
    gemini_chat,
    gemini_stream,
    inspect_eval,
    managed,
    opencode,
    whowhen,
)

DIALECTS: tuple[Dialect, ...] = (
    claude_session.DIALECT,
    claude_stream.DIALECT,
    codex_exec.DIALECT,
    codex_rollout.DIALECT,
    gemini_stream.DIALECT,
    gemini_chat.DIALECT,
    gemini_chat.LINES,
    opencode.EXPORT,
    opencode.RUN,
    managed.DIALECT,
    inspect_eval.DOCUMENT,
    inspect_eval.ARCHIVE,
    atif_document.DIALECT,
    atif_document.LINES,
    whowhen.DIALECT,
)
