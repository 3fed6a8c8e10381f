"""One reader for each log format; detection goes through `DIALECTS` in this order.

Takes records; gives events. Knows nothing of what is done with them.
"""

from __future__ import annotations

from benchwright.trajectory.dialect import Dialect
from benchwright.trajectory.readers import (
    codex_exec,
    codex_rollout,
    gemini_chat,
    gemini_stream,
    opencode,
)

DIALECTS: tuple[Dialect, ...] = (
    codex_exec.DIALECT,
    codex_rollout.DIALECT,
    gemini_stream.DIALECT,
    gemini_chat.DIALECT,
    gemini_chat.LINES,
    opencode.EXPORT,
    opencode.RUN,
)
