"""Kernels compile and run wherever the package is installed, and give the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchwright.suites.tracebench.systems import _jit

# Loads and calls one kernel; prints a digest of the exact result and where it was cached.
PROGRAM = """
import hashlib
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.simulate import simulate
from benchwright.suites.tracebench.systems import _jit
print(hashlib.sha256(simulate(published("MassSlide")).samples.tobytes()).hexdigest())
print(_jit.cache_folder())
"""


def run(**setting: str) -> list[str]:
    kept = {"PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        env=kept | setting,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_cache_lies_in_the_users_cache_folder_and_is_found_again(tmp_path: Path) -> None:
    first = run(HOME=str(tmp_path))
    folder = Path(first[1])
    assert folder.is_relative_to(tmp_path / ".cache" / "benchwright")
    compiled = {path: path.stat().st_mtime_ns for path in folder.rglob("*.nbc")}
    assert compiled
    assert run(HOME=str(tmp_path)) == first
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.nbc")} == compiled


def test_without_any_writable_folder_kernels_still_run(tmp_path: Path) -> None:
    # Files where folders would have to be made: root may write anywhere else.
    blocked = tmp_path / "file"
    blocked.touch()
    result = run(HOME=str(blocked), XDG_CACHE_HOME=str(blocked), NUMBA_CACHE_DIR=str(blocked))
    assert result[1] == "None"
    assert result[0] == run(HOME=str(tmp_path))[0]


def test_a_folder_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    assert run(NUMBA_CACHE_DIR=str(shared))[1] == "None"


@pytest.mark.slow
def test_a_plain_processor_gives_the_same_bits(tmp_path: Path) -> None:
    here = run(HOME=str(tmp_path))[0]
    assert run(HOME=str(tmp_path), NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")[0] == here


def test_the_setting_of_other_users_of_numba_is_left_alone() -> None:
    import numba

    before = numba.config.CACHE_DIR
    _jit.kernel(lambda x: x)
    assert before == numba.config.CACHE_DIR
