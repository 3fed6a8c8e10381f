"""The same attempts once more, by a user without any right: root can hide what nobody else gets."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.safety.boxes import agent_python
from tests.safety.host import CHECKOUT

UID = 61_777
MODULES = ("test_escapes", "test_collecting", "test_resources", "test_rules", "test_rule_state")
AS_ASKED = ("/bin/sh", "-c", 'exec "$0" "$@"')
"""Started by a shell: setpriv itself starts programs with rights that it is about to drop."""
LEFT_OUT = ("test", "tests", "site-packages", "idlelib", "tkinter", "__pycache__", "config-*")


@pytest.fixture(scope="module")
def stranger() -> Iterator[Path]:
    """A home folder of a uid that owns nothing else, with a copy of this project in it."""
    if os.geteuid() != 0:
        pytest.skip("already run by an ordinary user")
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed here")
    home = Path(tempfile.mkdtemp(prefix="safety-stranger-"))
    try:
        for name in ("src", "tests", "benchmarks", "tools"):
            shutil.copytree(CHECKOUT / name, home / name, ignore=shutil.ignore_patterns("__py*"))
        for name in ("pyproject.toml", "run.py", "README.md"):
            shutil.copy(CHECKOUT / name, home / name)
        for path in (home, *home.rglob("*")):
            os.chown(path, UID, UID, follow_symlinks=False)
        yield home
    finally:
        shutil.rmtree(home)


@pytest.fixture(scope="module")
def python(stranger: Path) -> Path:
    return readable_python(stranger)


def readable_python(home: Path) -> Path:
    """This interpreter if the uid may start it, else a copy of it and of its standard library."""
    if as_stranger([sys.executable, "-c", "pass"], home, {}).returncode == 0:
        return Path(sys.executable)
    base = Path(sys.base_prefix)
    library = f"lib/python{sys.version_info.major}.{sys.version_info.minor}"
    shutil.copytree(
        base / library, home / "python" / library, ignore=shutil.ignore_patterns(*LEFT_OUT)
    )
    (home / "python" / "bin").mkdir()
    shutil.copy(Path(sys.executable).resolve(), home / "python" / "bin" / "python3")
    for shared in (base / "lib").glob("libpython*.so*"):
        shutil.copy(shared, home / "python" / "lib")
    return home / "python" / "bin" / "python3"


def as_stranger(
    argv: list[str], home: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    plain = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", **environment}
    return subprocess.run(
        ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", *AS_ASKED, *argv],
        cwd=home, env=plain, capture_output=True, text=True, timeout=900,
    )  # fmt: skip


def packages() -> list[str]:
    return [path for path in sys.path if path.endswith("site-packages")]


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_every_attempt_fails_for_an_ordinary_user_too(
    stranger: Path, python: Path, module: str
) -> None:
    environment = {
        "PYTHONPATH": os.pathsep.join([str(stranger), str(stranger / "src"), *packages()]),
        "LD_LIBRARY_PATH": str(stranger / "python" / "lib"),
        "BENCHWRIGHT_AGENT_PYTHON": agent_python(),
        "TMPDIR": str(stranger),
    }
    done = as_stranger(
        [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider",
         f"tests/safety/{module}.py"], stranger, environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
