"""Boxes for attempts, and one attempt in one of them."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

from benchwright.isolation.box import Box
from benchwright.isolation.config import BoxConfig
from tests.safety.host import Host, source_of


@cache
def agent_python() -> str:
    """Host folder of the agent's Python, made if it is not there yet."""
    from benchwright.isolation.agent_python import ensure_agent_python

    return str(ensure_agent_python().root)


def config(**changes: Any) -> BoxConfig:
    """A small box with the agent's Python in it."""
    small = BoxConfig(
        work_mb=64, home_mb=16, tmp_mb=32, shm_mb=16, run_mb=4, agent_python=agent_python()
    )
    return replace(small, **changes)


def attempt_argv(name: str, target: dict[str, str]) -> list[str]:
    """The command that makes one attempt, once the attempts are in the box."""
    return ["python3", "/tmp/attempts/attempt.py", name, json.dumps(target)]


async def attempt_in_box(box: Box, module: str, name: str, host: Host) -> dict[str, Any]:
    """What an attempt came to when the agent's Python ran it."""
    await box.write("/tmp/attempts/attempt.py", source_of(module).encode())
    done = await box.exec(attempt_argv(name, host.target()), timeout_s=60)
    assert done.stdout, (done.returncode, done.stderr[-2000:])
    outcome: dict[str, Any] = json.loads(done.stdout)
    return outcome
