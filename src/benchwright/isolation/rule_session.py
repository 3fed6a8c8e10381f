"""`RuleBox`: a box in which one rule is asked for samples, seen from the host.

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

from benchwright.isolation.bwrap import clean_env
from benchwright.isolation.cell import Cell
from benchwright.isolation.config import BoxConfig, places
from benchwright.isolation.files import checked
from benchwright.isolation.rule_model import Frame, RuleLimits

_GRACE_S = 5.0
_LOOK_S = 0.5
_HEADER = 4096
_LONGEST_ERROR = 300
_PIPE = 1 << 18
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_ENV = (
    *((name, "1") for name in _ONE_THREAD),
    ("PYTHONHASHSEED", "0"),
    ("JE_ARROW_MALLOC_CONF", "background_thread:false"),
)
_SEAL = "for place in {}; do mount -i -o remount,bind,ro $place || exit 9; done"
Reply = tuple[tuple[str, ...] | None, str | None]


class RuleBroken(Exception):
    """The rule cannot be imported: every sample has this reason."""


class RuleLost(Exception):
    """The serving process is gone or talks nonsense: this sample has this reason."""


class RuleBox:
    """One box, one serving process. Made by `start`, ended by `close`."""

    def __init__(self, cell: Cell, child: subprocess.Popen[bytes], limits: RuleLimits) -> None:
        self._cell, self._child, self._limits = cell, child, limits

    @classmethod
    def start(cls, source: bytes, limits: RuleLimits, python: str, left: float) -> RuleBox:
        """Load the rule's libraries in a new box; RuleBroken if its text is no program."""
        cell = Cell.start(_config(limits, python))
        try:
            checked(cell.write("/app/rule.py", source), "rule.py")
            box = cls(cell, _spawn(cell, limits), limits)
        except BaseException:
            cell.close()
            raise
        try:
            box._await_ready(left)
            cell.administer(
                _SEAL.format(" ".join(["/proc", *(place.path for place in places(cell.config))]))
            )
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

    def ask(self, frame: Frame, left: float) -> tuple[bool, Reply]:
        """Whether the rule was imported, and the labels or the error; RuleLost if neither comes."""
        limit = min(left, self._limits.import_s + self._limits.sample_s + _GRACE_S)
        deadline = time.monotonic() + limit
        head, body = self._exchange(_request(frame), deadline)
        imported = head.get("imported") is True
        return imported, _reply(body) if body else (None, _text(head.get("fate")))

    def _await_ready(self, left: float) -> None:
        limit = min(left, self._limits.import_s + _GRACE_S)
        try:
            head, _ = self._exchange(b"", time.monotonic() + limit)
        except RuleLost as lost:
            raise RuleBroken(f"{lost} (before the first sample)") from lost
        if head.get("ready") is not True:
            raise RuleBroken(_text(head.get("failed")))

    def _exchange(self, data: bytes, deadline: float) -> tuple[dict[str, Any], bytes]:
        got = _talk(self._child, data, deadline)
        if got is None:
            raise RuleLost(self._reason(time.monotonic() >= deadline))
        line, _, body = got.partition(b"\n")
        return _parsed(line), body

    def _reason(self, late: bool) -> str:
        if self._cell.memory_kills:
            return f"MemoryError: more than {self._limits.memory_mb} MB in all processes"
        if late:
            return f"TimeoutError: no answer within {self._limits.sample_s} s"
        return "ChildProcessError: the rule ended or halted the process that serves it"


def _request(frame: Frame) -> bytes:
    values = np.ascontiguousarray(frame.values)
    header = {
        "columns": list(frame.columns),
        "dtype": values.dtype.str,
        "shape": list(values.shape),
        "bytes": values.nbytes,
    }
    return json.dumps(header).encode().ljust(_HEADER) + values.tobytes()


def _reply(body: bytes) -> Reply:
    """What a child said; it can have been anyone among its children."""
    try:
        said = _parsed(body)
    except RuleLost as lost:
        return None, str(lost)
    labels, error = said.get("labels"), said.get("error")
    if isinstance(labels, list) and labels and all(_is_label(label) for label in labels):
        return tuple(labels), None
    return None, _text(error if isinstance(error, str) else "ValueError: no list of labels")


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    raise RuleLost("ValueError: the answer is no JSON")


def _text(value: object) -> str:
    text = value if isinstance(value, str) and value else "ChildProcessError: no answer"
    return text.encode("utf-8", "replace").decode()[:_LONGEST_ERROR]


def _is_label(value: object) -> bool:
    return isinstance(value, str) and value.encode("utf-8", "replace").decode() == value


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
        alone=True,
        env=_ENV,
    )


def _spawn(cell: Cell, limits: RuleLimits) -> subprocess.Popen[bytes]:
    text = resources.files("benchwright.isolation").joinpath("_rule_runner.py").read_text("utf-8")
    given = {
        "sample_s": limits.sample_s,
        "cpu_s": limits.cpu_s,
        "import_s": limits.import_s,
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


def _talk(child: subprocess.Popen[bytes], data: bytes, deadline: float) -> bytes | None:
    """Send all of `data`; receive one line and what it announces. None if either fails."""
    assert child.stdin is not None and child.stdout is not None
    into, out = child.stdin.fileno(), child.stdout.fileno()
    rest, got = memoryview(data), b""
    while (missing := _missing(got)) > 0:
        left = deadline - time.monotonic()
        if left <= 0 or _is_stopped(child.pid):
            return None
        ready = select.select([out], [into] if rest else [], [], min(left, _LOOK_S))
        try:
            if ready[1]:
                rest = rest[os.write(into, rest[:65536]) :]
            if ready[0]:
                part = os.read(out, min(missing, 65536))
                got += part
                if not part:
                    return None
        except OSError:
            return None
    return None if rest or missing < 0 else got


def _is_stopped(pid: int) -> bool:
    """Whether a signal halted the process that leads into the box, as it halts with its child."""
    with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b") ")[2][:1] in b"Tt"
    return False


def _missing(got: bytes) -> int:
    """How many bytes may be read now; 0 when complete, below 0 when it cannot be an answer."""
    line, newline, body = got.partition(b"\n")
    if not newline:
        return _HEADER - len(line) or -1
    try:
        announced = json.loads(line).get("bytes", 0)
    except (ValueError, AttributeError, RecursionError):
        return -1
    if type(announced) is not int or not 0 <= announced <= _PIPE:
        return -1
    return announced - len(body)
