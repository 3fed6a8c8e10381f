"""Where things made once per machine stand, also for a user whom the machine does not know."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchwright.isolation.cache import user_cache

STRANGER = """
import os, sys
from benchwright.errors import BenchwrightError
from benchwright.isolation.cache import cache_root
from benchwright.running.run import _refuse_homeless
from benchwright.suites.tracebench.systems._jit import _bases
os.setgroups([])
os.setuid(54321)
for call in (cache_root, _refuse_homeless):
    try:
        print(call())
    except BenchwrightError as error:
        print(error)
print(*_bases())
"""


def as_stranger(**environment: str) -> list[str]:
    """What a uid without an entry in the machine's list of users is told, line by line."""
    if os.geteuid() != 0:
        pytest.skip("only root can become a user whom the machine does not know")
    done = subprocess.run(
        [sys.executable, "-c", STRANGER],
        env={"PATH": os.environ["PATH"], **environment}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()


def test_a_user_without_a_home_is_told_what_to_set(tmp_path: Path) -> None:
    cache, home, kernels = as_stranger()
    assert "54321 has no home folder' (XDG_CACHE_HOME, HOME). Set HOME" in cache
    assert "no home folder is known" in home
    assert not kernels.startswith("~") and "54321" in kernels


def test_a_home_that_was_set_is_taken(tmp_path: Path) -> None:
    cache, home, kernels = as_stranger(HOME=str(tmp_path))
    assert cache == f"{tmp_path}/.cache/benchwright"
    assert home == "None"
    assert kernels.startswith(f"{tmp_path}/.cache/benchwright/numba ")


def test_a_relative_cache_folder_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the base directory specification asks."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "somewhere")
    assert user_cache() == tmp_path / ".cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "named"))
    assert user_cache() == tmp_path / "named"
