"""What Claude Code says of itself: system records, hooks, tasks, retries, as marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchwright.trajectory.events import Anchor, Mark, MarkKind
from benchwright.trajectory.readers.parts import text

_KINDS: dict[str, MarkKind] = {
    "compact_boundary": "compaction", "microcompact_boundary": "compaction",
    "api_retry": "retry", "api_error": "retry",
    "task_started": "task", "task_progress": "task", "task_updated": "task",
    "task_notification": "task",
    "error": "error", "api_refusal": "error",
    "init": "mode", "status": "mode", "model_refusal_fallback": "mode",
    "hook_started": "notice", "hook_progress": "notice", "hook_response": "notice",
    "stop_hook_summary": "notice", "notification": "notice", "turn_duration": "notice",
    "local_command": "notice", "informational": "notice", "away_summary": "notice",
    "bridge_status": "notice", "session_start": "notice", "session_state_changed": "notice",
    "files_persisted": "notice", "local_command_output": "notice", "scheduled_task_fire": "notice",
    "memory_saved": "notice", "agents_killed": "task", "elicitation_complete": "notice",
    "plugin_install": "notice", "permission_retry": "notice",
}  # fmt: skip
_WORDS = ("content", "text", "message", "summary", "description", "error", "stderr", "output")
_ENVELOPE = frozenset(
    {
        "type", "subtype", "uuid", "parentUuid", "logicalParentUuid", "session_id", "sessionId",
        "timestamp", "cwd", "version", "gitBranch", "userType", "isSidechain", "isMeta", "slug",
        "entrypoint", "agentId", "tools", "slash_commands", "mcp_servers", "agents", "skills",
        "plugins",
    }
)  # fmt: skip


def kind_of_record(value: Mapping[str, Any]) -> MarkKind | None:
    """The kind of mark that a system record is; None for a subtype that is not known."""
    return _KINDS.get(text(value.get("subtype")) or "")


def mark_of(value: Mapping[str, Any], anchor: Anchor, *, kind: MarkKind, thread: str = "") -> Mark:
    """A record as a mark: its first words, and what else it says, untouched."""
    label = text(value.get("subtype")) or text(value.get("type")) or ""
    return Mark(
        anchor, kind, label, words_of(value), text(value.get("timestamp")), thread,
        {name: part for name, part in value.items() if name not in _ENVELOPE},
    )  # fmt: skip


def words_of(value: Mapping[str, Any]) -> str:
    """The first text among the members that can hold one."""
    for name in _WORDS:
        part = value.get(name)
        if isinstance(part, str) and part:
            return part
        if isinstance(part, dict) and text(part.get("message")):
            return str(part["message"])
    return ""
