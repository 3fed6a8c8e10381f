"""Running test files in a process of their own, as oneself or as a uid that owns nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

from benchwright.isolation.agent_python import OVERRIDE
from benchwright.isolation.cache import private_parent

ROOT = Path(__file__).resolve().parent.parent
UID = 61_500
_PACKAGES = Path(sysconfig.get_path("purelib"))


def why_not() -> str | None:
    """Why another user cannot run the tests of this checkout, or None."""
    if os.geteuid() != 0:
        return "not root: the tests already run as an ordinary user"
    for path in (ROOT / "src", _PACKAGES / "pytest"):
        private = private_parent(path)
        if private is not None:
            return f"no other user can read {private}"
    return None


def run_tests(words: list[str], agent_python: Path, home: Path, *, other: bool) -> tuple[int, str]:
    """Exit code and output of pytest; with `other` as an unused uid.

    The interpreter of the other uid is the agent's Python, which every uid can read.
    """
    command = [sys.executable]
    if other:
        os.chown(home, UID, UID)
        ids = [f"--reuid={UID}", f"--regid={UID}", "--clear-groups"]
        command = ["setpriv", *ids, f"{agent_python}/bin/python3"]
    done = subprocess.run(
        [*command, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *words],
        cwd=ROOT,
        env=_environment(agent_python, home),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def counted(output: str, outcome: str) -> int:
    """How many tests ended so, by pytest's last line."""
    found = re.findall(rf"\b(\d+) {outcome}\b", output)
    return int(found[-1]) if found else 0


def _environment(agent_python: Path, home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": str(home),
        "TMPDIR": str(home),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(home / "hypothesis"),
        "PYTHONPATH": f"{_PACKAGES}:{ROOT / 'src'}",
        "PYTHONDONTWRITEBYTECODE": "1",
        OVERRIDE: str(agent_python),
    }
