"""Records as Claude Code writes them, with only the members that a test is about."""

from __future__ import annotations

from typing import Any

Record = dict[str, Any]


def init(session: str = "s1", **more: Any) -> Record:
    """The first record of a run in a stream."""
    return {
        "type": "system",
        "subtype": "init",
        "session_id": session,
        "model": "claude-x",
        "claude_code_version": "2.1.143",
        "cwd": "/w",
        "tools": ["Bash"],
        "permissionMode": "default",
        **more,
    }


def words(text: str) -> Record:
    """A block of text."""
    return {"type": "text", "text": text}


def use(call: str, name: str = "Bash", **arguments: Any) -> Record:
    """A block that asks for a tool."""
    return {"type": "tool_use", "id": call, "name": name, "input": arguments}


def outcome(call: str, content: Any = "done", **more: Any) -> Record:
    """A block that answers a call."""
    return {"type": "tool_result", "tool_use_id": call, "content": content, **more}


def assistant(*blocks: Any, id: str | None = "m1", usage: Any = None, **more: Any) -> Record:
    """A record of the model in a stream."""
    message: Record = {"role": "assistant", "model": "claude-x", "content": list(blocks)}
    message |= {} if id is None else {"id": id}
    message |= {} if usage is None else {"usage": usage}
    message["stop_reason"] = more.pop("stop_reason", None)
    record = {"type": "assistant", "message": message, "parent_tool_use_id": None}
    return {**record, "session_id": "s1", **more}


def user(*blocks: Any, **more: Any) -> Record:
    """A record of the other side in a stream: one text, or blocks."""
    content = blocks[0] if len(blocks) == 1 and isinstance(blocks[0], str) else list(blocks)
    message = {"role": "user", "content": content}
    return {"type": "user", "message": message, "session_id": "s1", **more}


def closing(session: str = "s1", **more: Any) -> Record:
    """The last record of a run in a stream."""
    return {
        "type": "result",
        "subtype": "success",
        "session_id": session,
        "is_error": False,
        "num_turns": 1,
        "result": "finished",
        "total_cost_usd": 0.5,
        "usage": counts(10, 5),
        "permission_denials": [],
        **more,
    }


def counts(fresh: int, output: int, read: int = 0, written: int = 0) -> Record:
    """A `usage` object."""
    return {
        "input_tokens": fresh,
        "output_tokens": output,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
    }


def models(fresh: int, output: int, read: int = 0, written: int = 0, name: str = "claude-x") -> Any:
    """A `modelUsage` object of one model."""
    return {
        name: {
            "inputTokens": fresh,
            "outputTokens": output,
            "cacheReadInputTokens": read,
            "cacheCreationInputTokens": written,
        }
    }


def kept(record: Record, uuid: str, parent: str | None = None, **more: Any) -> Record:
    """The same record as a session file has it."""
    left_out = ("session_id", "parent_tool_use_id")
    inner = {name: value for name, value in record.items() if name not in left_out}
    envelope = {
        "parentUuid": parent,
        "isSidechain": False,
        "sessionId": "s1",
        "uuid": uuid,
        "version": "2.1.96",
        "cwd": "/w",
        "gitBranch": "main",
        "timestamp": "2026-01-01T00:00:00.000Z",
    }
    return {**envelope, **inner, **more}
