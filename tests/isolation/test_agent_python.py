"""The agent's Python: exactly the pinned packages, startable by anyone, without benchwright."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from benchwright.errors import IsolationError
from benchwright.isolation.agent_python import OVERRIDE, ensure_agent_python, pins
from benchwright.isolation.box import Box
from benchwright.isolation.config import BoxConfig

FACTS = {
    "numpy": "2.3.5", "pandas": "3.0.0", "scipy": "1.17.0", "scikit-learn": "1.8.0",
    "matplotlib": "3.10.8", "pyarrow": "23.0.0", "numba": "0.63.1", "tslearn": "0.7.0",
    "ruptures": "1.1.10", "joblib": "1.5.3", "pillow": "12.1.0", "pytest": "8.4.1",
    "contourpy": "1.3.3", "cycler": "0.12.1", "fonttools": "4.61.1", "iniconfig": "2.3.0",
    "kiwisolver": "1.4.9", "llvmlite": "0.46.0", "packaging": "26.0", "pluggy": "1.6.0",
    "pygments": "2.19.2", "pyparsing": "3.3.2", "python-dateutil": "2.9.0.post0",
    "six": "1.17.0", "threadpoolctl": "3.6.0",
}  # fmt: skip
IMPORT_ALL = """
import sys, os, matplotlib, numpy, pandas, scipy.signal, sklearn.ensemble, pyarrow, numba, tslearn
import ruptures, joblib, PIL, pytest, contourpy, cycler, fontTools, iniconfig, kiwisolver
import packaging, pluggy, pygments, pyparsing, dateutil, six, threadpoolctl, llvmlite
import ssl, sqlite3, ctypes, lzma, bz2, zlib, hashlib, decimal, readline, multiprocessing
print(sys.prefix, os.getuid(), sys.version.split()[0])
"""
LIST = """
import importlib.metadata
print(*(f"{d.name}=={d.version}" for d in importlib.metadata.distributions()))
"""


@pytest.fixture
async def python_box(agent_python: Path) -> AsyncIterator[Box]:
    async with Box.open(BoxConfig(agent_python=str(agent_python))) as box:
        yield box


def test_the_pins_are_those_of_the_paper() -> None:
    found = {name.lower(): version for name, version in (pin.split("==") for pin in pins())}
    assert found == FACTS


async def test_every_package_imports_in_a_box(python_box: Box, agent_python: Path) -> None:
    done = await python_box.exec(["python3", "-c", IMPORT_ALL], timeout_s=120)
    assert done.returncode == 0, done.stderr.decode()
    prefix, uid, version = done.stdout.split()
    assert (prefix, uid) == (b"/opt/agent", b"0")
    assert version.decode() == ensure_agent_python().version


async def test_nothing_but_the_pinned_packages_is_installed(python_box: Box) -> None:
    done = await python_box.exec(["python3", "-c", LIST], timeout_s=30)
    pairs = (item.split("==") for item in done.stdout.decode().split())
    assert {re.sub("[-_.]+", "-", n).lower(): v for n, v in pairs} == FACTS


async def test_benchwright_cannot_be_imported(python_box: Box) -> None:
    done = await python_box.exec(["python3", "-c", "import benchwright"], timeout_s=30)
    assert b"ModuleNotFoundError: No module named 'benchwright'" in done.stderr
    found = await python_box.exec(
        ["sh", "-c", "find / -path /proc -prune -o -iname '*benchwright*' -print"], timeout_s=60
    )
    assert found.stdout == b""


async def test_it_is_compiled_and_cannot_be_changed(python_box: Box, agent_python: Path) -> None:
    compiled = next(agent_python.glob("lib*/python3.*/**/pandas/__pycache__/__init__.*.pyc"))
    assert str(agent_python).encode() not in compiled.read_bytes()
    done = await python_box.exec(["touch", "/opt/agent/bin/python3"], timeout_s=10)
    assert done.returncode != 0


async def test_pytest_runs_as_a_program(python_box: Box) -> None:
    done = await python_box.exec(["pytest", "--version"], timeout_s=60)
    assert b"pytest 8.4.1" in done.stdout + done.stderr


def test_it_is_made_once(agent_python: Path) -> None:
    said: list[str] = []
    assert ensure_agent_python(said.append).root == agent_python
    assert said == []


def test_a_named_folder_without_a_python_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OVERRIDE, str(tmp_path))
    with pytest.raises(IsolationError, match="agent Python cannot be used"):
        ensure_agent_python()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives boxes another uid")
def test_root_refuses_a_private_folder(
    agent_python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    (private / "own" / "bin").mkdir(parents=True)
    (private / "own" / "bin" / "python3").symlink_to(agent_python / "bin" / "python3")
    monkeypatch.setenv(OVERRIDE, str(private / "own"))
    with pytest.raises(IsolationError, match="private"):
        ensure_agent_python()
