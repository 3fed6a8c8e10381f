"""Fixtures of the escape attempts: a host with secrets, and a check that nothing is left."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.safety.host import Host, children, open_host


@pytest.fixture(scope="session")
def host() -> Iterator[Host]:
    with open_host() as opened:
        yield opened


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A temp folder of the test's own, empty afterwards; no child process, no trace on the host."""
    tmp_path_factory.getbasetemp()  # made now, it is not made in the folder of this test
    outer = tempfile.gettempdir()
    own = Path(tempfile.mkdtemp(prefix="safety-temp-"))
    own.chmod(0o755)
    before = set(children())
    tempfile.tempdir = str(own)
    try:
        yield own
        left = [str(path.relative_to(own)) for path in own.rglob("*")]
        assert left == [], "left in the temp folder"
    finally:
        tempfile.tempdir = outer
        os.system(f"rm -rf {own}")
    assert eventually_none(before) == [], "processes left"


def eventually_none(before: set[int]) -> list[int]:
    """Children that are still there after a moment."""
    for _ in range(50):
        left = [pid for pid in children() if pid not in before]
        if not left:
            return []
        time.sleep(0.02)
    return left
