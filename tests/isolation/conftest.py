"""Boxes for tests; skipped with the reason where none can start."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from benchwright.isolation.agent_python import ensure_agent_python
from benchwright.isolation.box import Box
from benchwright.isolation.bwrap import bwrap_works
from benchwright.isolation.config import BoxConfig
from benchwright.isolation.workspace import Completed

Shell = Callable[[str], Awaitable[Completed]]
PLAIN = BoxConfig(processes=60, memory_mb=512, work_mb=64, tmp_mb=32, shm_mb=16)


@pytest.fixture(scope="session")
def can_start() -> None:
    reason = bwrap_works()
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture(scope="session")
def agent_python(can_start: None) -> Path:
    return ensure_agent_python().root


@pytest.fixture
async def box(can_start: None) -> AsyncIterator[Box]:
    async with Box.open(PLAIN) as started:
        yield started


@pytest.fixture
def shell(box: Box) -> Shell:
    async def run(script: str) -> Completed:
        return await box.exec(["/bin/bash", "-c", script], timeout_s=10)

    return run
