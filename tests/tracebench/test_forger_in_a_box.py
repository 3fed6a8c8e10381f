"""The forger where it belongs: confined, it writes wherever it can and outlives its own return."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import IsolationError
from benchwright.isolation.agent_python import ensure_agent_python
from benchwright.isolation.box import Box
from benchwright.isolation.config import HOME, WORK, BoxConfig
from benchwright.suites.tracebench.forger import Forger
from benchwright.tasks.model import Submission, Task, TaskLimits


def task(mode: Any, file: str) -> Task:
    contract = Submission(mode, file, ("a", "b"), ("x.parquet",))
    return Task("t", "d", "tracebench", "c", {}, "", Path(), contract, TaskLimits())


@pytest.fixture
async def box() -> AsyncIterator[Box]:
    python = str(ensure_agent_python().root)
    small = BoxConfig(work_mb=32, home_mb=16, tmp_mb=16, shm_mb=16, agent_python=python)
    try:
        started = await Box.start(small)
    except IsolationError as error:
        pytest.skip(f"no box here: {error}")
    yield started
    await started.close()


async def lines(box: Box, script: str) -> list[str]:
    done = await box.exec(("sh", "-c", script), timeout_s=30)
    return done.stdout.decode().splitlines()


async def comes_back(box: Box, path: str, seconds: float) -> bool:
    await lines(box, f"rm -f {path}")
    for _ in range(int(seconds / 0.1)):
        await asyncio.sleep(0.1)
        if await lines(box, f"ls {path} 2>/dev/null"):
            return True
    return False


async def test_it_fills_every_writable_place_and_outlives_its_return(box: Box) -> None:
    await Forger().act(task("direct", "results.json"), box, None)
    found = set(await lines(box, "find / -name reward.txt 2>/dev/null"))
    places = (WORK, HOME, "/tmp", "/var/tmp", "/run", "/dev/shm")
    assert {f"{place}/reward.txt" for place in places} <= found
    assert await comes_back(box, "/app/results.json", 5)


async def test_nothing_of_it_writes_once_the_box_has_been_killed(box: Box) -> None:
    await Forger().act(task("programmatic", "rule.py"), box, None)
    assert (await box.read("rule.py", limit=10**6)).startswith(b'"""Runs in the box')
    await box.kill_all()
    assert not await comes_back(box, "/app/results.json", 1)
