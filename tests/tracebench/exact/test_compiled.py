"""The compiled loops give the same bits whatever the processor offers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Prints a digest of channels and events of every system.
PROGRAM = """
import hashlib
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.sampler import steps
from benchwright.suites.tracebench.solve import solve
for name in ("BallDrop", "BounceBall", "MassSlide"):
    runs = [solve(steps(one, 1, "compiled")[0]) for one in published(name)]
    parts = b"".join(run.channels.tobytes() + run.events.tobytes() for run in runs)
    print(hashlib.sha256(parts).hexdigest())
"""


def digests(home: Path, **setting: str) -> list[str]:
    kept = {"PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=kept | {"HOME": str(home)} | setting,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.slow
def test_a_processor_without_wide_instructions_gives_the_same_bits(tmp_path: Path) -> None:
    here = digests(tmp_path / "here")
    assert len(here) == 3
    plain = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    assert digests(tmp_path / "plain", **plain) == here
