"""`RuleBox`: a box in which one rule has been imported, seen from the host.

Takes the text of a rule and one request at a time; gives labels or an error text. Everything that
comes back is treated as hostile: bounded in size and time, parsed as JSON, checked by type.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from contextlib import suppress
from importlib import resources
from typing import Any

import numpy as np

from benchwright.errors import IsolationError
from benchwright.isolation.bwrap import clean_env
from benchwright.isolation.cell import Cell
from benchwright.isolation.config import BoxConfig, places
from benchwright.isolation.files import checked
from benchwright.isolation.rule_model import Frame, RuleLimits

_GRACE_S = 5.0
_SLACK = 8192
_LONGEST_ERROR = 300
_LATE = "TimeoutError: rule.py was not imported within {} s"
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_ENV = (
    *((name, "1") for name in _ONE_THREAD),
    ("PYTHONHASHSEED", "0"),
    ("JE_ARROW_MALLOC_CONF", "background_thread:false"),
)


class RuleBroken(Exception):
    """The import failed: every sample has this reason."""


class RuleLost(Exception):
    """The importing process is gone or talks nonsense: this sample has this reason."""


class RuleBox:
    """One box, one importing process. Made by `start`, ended by `close`."""

    def __init__(self, cell: Cell, child: subprocess.Popen[bytes], limits: RuleLimits) -> None:
        self._cell, self._child, self._limits = cell, child, limits
        self.clean = False
        """Whether nothing but memory of its own has come out of the import."""

    @classmethod
    def start(cls, source: bytes, limits: RuleLimits, python: str, left: float) -> RuleBox:
        """Import the rule in a new box; RuleBroken with the reason if it does not import."""
        cell = Cell.start(_config(limits, python))
        try:
            checked(cell.write("/app/rule.py", source), "rule.py")
            box = cls(cell, _spawn(cell, limits), limits)
        except BaseException:
            cell.close()
            raise
        try:
            box._await_import(left)
        except BaseException:
            box.close()
            raise
        return box

    def close(self) -> None:
        """End the box and collect the process that led into it."""
        self._cell.close()
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def ask(self, frame: Frame, left: float) -> tuple[tuple[str, ...] | None, str | None]:
        """Labels, or the error that the sample cost; RuleLost if the box is of no more use."""
        values = np.ascontiguousarray(frame.values)
        header = {
            "columns": list(frame.columns),
            "dtype": values.dtype.str,
            "shape": list(values.shape),
            "bytes": values.nbytes,
        }
        limit = min(left, self._limits.sample_s + _GRACE_S)
        reply = self._exchange(json.dumps(header).encode() + b"\n" + values.tobytes(), limit)
        labels, error = reply.get("labels"), reply.get("error")
        if isinstance(error, str):
            return None, error[:_LONGEST_ERROR]
        if isinstance(labels, list) and labels and all(isinstance(x, str) for x in labels):
            return tuple(labels), None
        raise RuleLost("ValueError: the answer is not a list of labels")

    def _await_import(self, left: float) -> None:
        limit = self._limits.import_s
        try:
            reply = self._exchange(b"", min(left, limit))
        except RuleLost as lost:
            late = str(lost).startswith("TimeoutError")
            raise RuleBroken(_LATE.format(limit) if late else f"{lost} (at import)") from lost
        failed = reply.get("failed")
        if failed is not None or reply.get("ready") is not True:
            raise RuleBroken(str(failed)[:_LONGEST_ERROR])
        self.clean = _seal(self._cell) and _left_nothing(self._cell, self._child.pid)

    def _exchange(self, data: bytes, limit: float) -> dict[str, Any]:
        deadline = time.monotonic() + limit
        line = _talk(self._child, data, deadline, self._limits.answer_bytes * 2 + _SLACK)
        try:
            reply = json.loads(line or b"")
        except (ValueError, RecursionError):
            reply = None
        if isinstance(reply, dict):
            return reply
        raise RuleLost(self._reason(time.monotonic() >= deadline))

    def _reason(self, late: bool) -> str:
        if self._cell.memory_kills:
            return f"MemoryError: more than {self._limits.memory_mb} MB in all processes"
        if late:
            return f"TimeoutError: no answer within {self._limits.sample_s} s"
        return "ChildProcessError: the rule ended the process that runs it"


def _config(limits: RuleLimits, python: str) -> BoxConfig:
    return BoxConfig(
        work_mb=16,
        home_mb=16,
        tmp_mb=64,
        shm_mb=16,
        run_mb=4,
        files=4096,
        memory_mb=limits.memory_mb,
        data_mb=limits.data_mb,
        file_mb=64,
        processes=limits.processes,
        agent_python=python,
        env=_ENV,
    )


def _spawn(cell: Cell, limits: RuleLimits) -> subprocess.Popen[bytes]:
    text = resources.files("benchwright.isolation").joinpath("_rule_runner.py").read_text()
    given = {
        "sample_s": limits.sample_s,
        "cpu_s": limits.cpu_s,
        "answer_bytes": limits.answer_bytes,
    }
    argv = ["/opt/agent/bin/python3", "-s", "-P", "-B", "-c", text, json.dumps(given)]
    child = subprocess.Popen(
        cell.command(argv),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=clean_env(),
        start_new_session=True,
    )
    for pipe in (child.stdin, child.stdout):
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
    return child


def _talk(child: subprocess.Popen[bytes], data: bytes, deadline: float, most: int) -> bytes | None:
    """Send all of `data`, receive one line; None if the other side fails in either."""
    assert child.stdin is not None and child.stdout is not None
    into, out = child.stdin.fileno(), child.stdout.fileno()
    rest, line = memoryview(data), b""
    while not line.endswith(b"\n"):
        left = deadline - time.monotonic()
        ready = select.select([out], [into] if rest else [], [], max(0.0, left))
        if left <= 0 or len(line) > most:
            return None
        try:
            if ready[1]:
                rest = rest[os.write(into, rest[:65536]) :]
            if ready[0]:
                part = os.read(out, 65536)
                line += part
                if not part:
                    return None
        except BlockingIOError:
            continue
        except OSError:
            return None
    return None if rest or line.count(b"\n") != 1 else line


def _seal(cell: Cell) -> bool:
    """Make every writable place read-only; False if the rule holds a file open for writing."""
    script = "\n".join(
        f"mount -i -o remount,bind,ro {p.path} || exit 9" for p in places(cell.config)
    )
    try:
        cell.administer(script)
    except IsolationError:
        return False
    return True


def _left_nothing(cell: Cell, entered: int) -> bool:
    """Whether the import left one process with one thread, no shared memory, no open file."""
    everyone = cell.people.members()
    runner = next((who.pid for who in everyone if who.parent == entered), None)
    if runner is None or sorted(who.parent for who in everyone) != sorted([entered, cell.init]):
        return False
    try:
        threads = os.listdir(f"/proc/{runner}/task")
        files = {os.readlink(f"/proc/{runner}/fd/{fd}") for fd in os.listdir(f"/proc/{runner}/fd")}
        with open(f"/proc/{runner}/maps", "rb") as maps:
            shared = any(line.split()[1].endswith(b"s") for line in maps if b" rw" in line)
    except OSError:
        return False
    own_pipes = {name for name in files if name.startswith("pipe:")}
    return (
        len(threads) == 1
        and not shared
        and files - own_pipes == {"/dev/null"}
        and len(own_pipes) == 2
    )
