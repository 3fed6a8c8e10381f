"""`build`: from a spec to a task set."""

from __future__ import annotations

from pathlib import Path

from benchwright.cli.output import emit_json, say
from benchwright.suites.specs import build_set


def build(spec: str, out: Path, executor: str, as_json: bool) -> int:
    """Build and print what was made."""
    tasks = build_set(spec, out, executor)
    if as_json:
        emit_json(
            "build", {"out": out, "digest": tasks.digest, "tasks": sorted(tasks.task_digests)}
        )
    else:
        say(f"{len(tasks.task_digests)} tasks in {out}, set {tasks.digest[:12]}")
        say(f"next: benchwright check {out}")
    return 0
