"""A sound task set, built once, that every test of this folder copies before it plants a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchwright.suites.specs import build_set

SPEC = """
suite = "tracebench"
systems = ["BallDrop"]
noise = ["low"]
modes = ["direct"]
secret = false
"""


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quality")
    (folder / "spec.toml").write_text(SPEC)
    return build_set(str(folder / "spec.toml"), folder / "set", "serial").path
