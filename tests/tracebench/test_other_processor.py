"""A set is made again where numpy, numba and libm have fewer processor features than here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from numpy._core import _multiarray_umath as numpy_core

from benchwright.executors import SerialExecutor
from benchwright.suites.tracebench.build import PUBLIC, build
from benchwright.suites.tracebench.spec import load_spec

pytestmark = pytest.mark.slow

USED = [name for name in numpy_core.__cpu_dispatch__ if numpy_core.__cpu_features__[name]]
"""What numpy chooses its loops by on this processor."""
FEATURES = """
from numba import config
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
print(config.CPU_NAME, [name for name in __cpu_dispatch__ if __cpu_features__[name]])
"""
CHECK = "from benchwright.cli import main; main()"


def elsewhere(caches: Path) -> Mapping[str, str]:
    """The environment of a process that uses none of what this processor has beyond the least."""
    masked = ",".join(f"-{name}" for name in ("AVX", "AVX2", "AVX512F", "FMA", "FMA4"))
    return {
        **os.environ,
        "NPY_DISABLE_CPU_FEATURES": " ".join(USED),
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(caches),
        "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={masked}",
    }


def python(text: str, *arguments: object, env: Mapping[str, str]) -> str:
    command = [sys.executable, "-c", text, *map(str, arguments)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_other_process_has_fewer_features(tmp_path: Path) -> None:
    if not USED:
        pytest.skip("numpy uses no feature of this processor beyond its least")
    assert python(FEATURES, env=elsewhere(tmp_path)).split("\n")[0] == "generic []"


def test_a_set_drawn_by_policies_is_made_again_with_other_processor_features(
    tmp_path: Path,
) -> None:
    spec = replace(load_spec("paper"), seeds=(0, 1), heldout=3, secret=False)
    built = build(spec, tmp_path / "set", SerialExecutor(), fixed=PUBLIC)
    said = python(CHECK, "check", built.path, "--only", "rebuild", env=elsewhere(tmp_path / "jit"))
    assert list((tmp_path / "jit").rglob("*.nbi")), "nothing was compiled for the other processor"
    exact = r"54 of 54 tasks and golds are made again, to the byte"
    rounded = (
        r"54 of 54 tasks and golds are made again; rounded differently: .* one step of float32"
    )
    assert re.search(f"ok +rebuild: ({exact}|{rounded})", said), said
