"""Inspect's own sandbox checks against the provider `bwrap`, as whoever runs this file."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from inspect_ai.util import SandboxEnvironment
from inspect_ai.util._sandbox.self_check import *  # noqa: F403

from benchwright.isolation.bwrap import bwrap_works
from benchwright.isolation.config import BoxConfig
from benchwright.running.inspect_sandbox import BwrapConfig, BwrapSandbox

pytestmark = pytest.mark.skipif(bwrap_works() is not None, reason=str(bwrap_works()))

ADDS_A_SYSTEM_USER = "test_exec_as_user"


@pytest.fixture
async def sandbox_env(request: pytest.FixtureRequest) -> AsyncIterator[SandboxEnvironment]:
    if request.node.originalname == ADDS_A_SYSTEM_USER:
        request.applymarker(pytest.mark.xfail(reason="a box has one user", strict=True))
    config = BwrapConfig(limits=BoxConfig(tmp_mb=128, work_mb=256))
    made = await BwrapSandbox.sample_init("check", config, {})
    yield made["default"]
    await BwrapSandbox.sample_cleanup("check", config, made, False)
