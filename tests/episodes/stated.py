"""What run.toml states of a run whose task set does not matter."""

from __future__ import annotations

STATED = {"taskset": {"path": "tasks", "digest": "0" * 64}, "scorer": "tracebench/1"}
