"""A confined reader computes, reads and writes, and can do nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchwright.isolation.confined import Reader, ReaderLimits, ReaderLost, confined

PROBE = """
import ctypes, errno, json, mmap, os, signal, socket, subprocess, sys, threading, time

def tell(value):
    os.write(1, json.dumps(value).encode() + b"\\n")

def tries(settings):
    path = settings["path"]
    return {
        "open": lambda: open("/etc/hostname"),
        "make a file": lambda: open(path, "w"),
        "make by number": lambda: os.open(path, os.O_CREAT | os.O_WRONLY),
        "list": lambda: os.listdir("/"),
        "remove": lambda: os.unlink(settings["there"]),
        "rename": lambda: os.rename(settings["there"], path),
        "look": lambda: os.stat("/etc"),
        "socket": lambda: socket.socket(),
        "unix socket": lambda: socket.socket(socket.AF_UNIX),
        "pair": lambda: socket.socketpair(),
        "fork": lambda: os.fork(),
        "run": lambda: subprocess.run(["/bin/true"]),
        "become": lambda: os.execv("/bin/true", ["true"]),
        "thread": lambda: threading.Thread(target=print).start(),
        "signal": lambda: os.kill(os.getppid(), 0),
        "pipe": lambda: os.pipe(),
        "memory file": lambda: os.memfd_create("a"),
        "code": lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC),
        "protect": lambda: protect(),
        "change folder": lambda: os.chdir("/"),
        "become another": lambda: os.setuid(1),
        "raise limits": lambda: __import__("resource").setrlimit(9, (2**40, 2**40)),
        "trace": lambda: system_call(101),
        "io_uring": lambda: system_call(425),
        "keyring": lambda: system_call(250),
    }

LIBC = ctypes.CDLL(None, use_errno=True)
import resource

def failed():
    raise OSError(ctypes.get_errno(), "refused")

def protect():
    area = mmap.mmap(-1, 4096)
    at = ctypes.addressof(ctypes.c_char.from_buffer(area))
    if LIBC.mprotect(ctypes.c_void_p(at), 4096, 5) != 0:
        failed()

def system_call(number):
    if LIBC.syscall(number, 0, 0, 0, 0, 0, 0) == -1:
        failed()

def outcome(act):
    try:
        act()
    except (OSError, RuntimeError, ValueError) as error:
        return getattr(error, "errno", None) or str(error)
    return "done"

def main(settings):
    what = settings["do"]
    if what == "tries":
        tell({name: outcome(act) for name, act in tries(settings).items()})
    elif what == "read":
        tell(os.pread(0, 100, 0).decode())
        os.write(1, b"\\0\\n\\xff" * 100000)
    elif what == "memory":
        try:
            tell(len(b"x" * settings["bytes"]))
        except MemoryError:
            tell("MemoryError")
    elif what == "spin":
        while True:
            pass
    elif what == "fail":
        raise ValueError("a reason")
    elif what == "long":
        os.write(1, b"a" * 5000)
        time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "probe.py").write_text(PROBE)
    (tmp_path / "source").write_text("what it may read")
    return tmp_path


@contextmanager
def probe(folder: Path, limits: ReaderLimits | None = None, **settings: Any) -> Iterator[Reader]:
    given = {"path": str(folder / "made"), "there": str(folder / "source"), **settings}
    with (
        (folder / "source").open("rb") as source,
        confined(folder, "probe", given, source, limits or ReaderLimits()) as reader,
    ):
        yield reader


def asked(folder: Path, limits: ReaderLimits | None = None, **settings: Any) -> Any:
    with probe(folder, limits, **settings) as reader:
        return json.loads(reader.line(10_000))


def lost(folder: Path, limits: ReaderLimits, **settings: Any) -> str:
    with pytest.raises(ReaderLost) as caught:
        asked(folder, limits, **settings)
    return str(caught.value)


def test_everything_but_reading_and_computing_is_refused(folder: Path) -> None:
    found = asked(folder, do="tries")
    assert "can't start new thread" in found.pop("thread")
    assert "not allowed" in found.pop("raise limits")
    assert {name: code for name, code in found.items() if code != 1} == {}
    assert sorted(p.name for p in folder.iterdir()) == ["probe.py", "source"]


def test_the_probe_can_do_these_things_where_it_is_not_confined(folder: Path) -> None:
    """Or the test before would show nothing."""
    names = ("open", "list", "look", "unix socket", "code", "protect", "memory file", "run")
    code = (
        f"import json, sys; sys.path.append({str(folder)!r}); import probe; acts = probe.tries("
        f"{{'path': 'made'}}); probe.tell([probe.outcome(acts[name]) for name in {names!r}])"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True)
    assert json.loads(done.stdout) == ["done"] * len(names)


def test_it_reads_its_source_and_any_bytes_come_back(folder: Path) -> None:
    with probe(folder, do="read") as reader:
        assert json.loads(reader.line(100)) == "what it may read"
        assert bytes(reader.block(300_000)) == b"\0\n\xff" * 100_000
        with pytest.raises(ReaderLost, match="ended with code 0"):
            reader.line(10)


def test_memory_is_bounded(folder: Path) -> None:
    assert asked(folder, do="memory", bytes=10**8) == 10**8
    small = ReaderLimits(memory_mb=100)
    assert asked(folder, small, do="memory", bytes=10**8) == "MemoryError"


def test_time_is_bounded(folder: Path) -> None:
    begun = time.monotonic()
    assert "no answer in time" in lost(folder, ReaderLimits(answer_s=2.0), do="spin")
    assert "ended by signal" in lost(folder, ReaderLimits(cpu_s=1), do="spin")
    assert time.monotonic() - begun < 60


def test_how_it_ended_is_told(folder: Path) -> None:
    assert "ended with code 1: ValueError: a reason" in lost(folder, ReaderLimits(), do="fail")
    with probe(folder, do="long") as reader, pytest.raises(ReaderLost, match="more than 4000"):
        reader.line(4000)


def test_nothing_is_left_when_the_caller_fails(folder: Path) -> None:
    left: list[Reader] = []
    with pytest.raises(KeyError), probe(folder, do="spin") as reader:
        left.append(reader)
        raise KeyError
    assert left[0]._child.poll() is not None
