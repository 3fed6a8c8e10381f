"""Fixtures that more than one folder of tests needs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# Same input, same result: examples are derived from the test itself, and no clock fails a test.
settings.register_profile("house", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("house")


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real data that is never part of the project; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("BENCHWRIGHT_SHARED", ROOT.parent / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip("no real data here: name its folder in BENCHWRIGHT_SHARED")
    return folder
