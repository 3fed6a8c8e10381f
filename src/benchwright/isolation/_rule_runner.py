"""Runs inside a box: loads libraries once, then forks a child for every sample.

Nothing on the host imports it; its text is passed to the agent's Python. This process never runs a
word of the rule: it reads which libraries the rule names, loads those, and each child imports the
rule for itself. Neither the values of a sample nor its answer ever pass through this process.
Requests come on stdin (a header of fixed size, then the raw numbers, which the child reads).
"""

from __future__ import annotations

import ast
import ctypes
import fcntl
import gc
import importlib
import json
import math
import os
import resource
import select
import signal
import struct
import sys
import termios
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

RULE = "/app/rule.py"
HEADER = 4096
LONGEST_ERROR = 300
PIPE_SIZE, SET_PIPE_SIZE = 1 << 18, 1031
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
Predict = Callable[[pd.DataFrame], object]
prctl = ctypes.CDLL(None).prctl


def main() -> None:
    """Serve until stdin ends."""
    limits = json.loads(sys.argv[1])
    requests, answers = _take_over_streams()
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    try:
        with open(RULE, "rb") as file:
            tree = ast.parse(file.read(), RULE)
        code = compile(tree, RULE, "exec", dont_inherit=True)
    except BaseException as error:
        _send(answers, {"failed": described(error)})
        return
    preload(tree)
    warm_up()
    del tree
    gc.collect()
    gc.freeze()
    _send(answers, {"ready": True})
    while header := _exactly(requests, HEADER):
        serve(code, json.loads(header), limits, (requests, answers))


def preload(tree: ast.AST) -> None:
    """Import what the rule says it imports; what fails here will fail in every child too."""
    for name in dict.fromkeys(_named(tree)):
        try:
            importlib.import_module(name)
        except BaseException:
            continue
    if "numba" in sys.modules:
        dispatcher: Any = importlib.import_module("numba.core.dispatcher").Dispatcher
        dispatcher.enable_caching = lambda self: None  # there is no folder to cache in


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def warm_up() -> None:
    """Let pandas do once what it does lazily, so that no child pays for it."""
    frame = pd.DataFrame(np.arange(12.0, dtype=np.float32).reshape(4, 3), columns=list("abc"))
    frame["a"].to_numpy().mean()
    frame.diff().abs().rolling(2).mean().describe()
    frame.loc[frame["b"] > 1, "c"].std()
    frame["c"].median()
    np.median(np.diff(frame.to_numpy(), axis=0))


def serve(
    code: types.CodeType, request: dict[str, Any], limits: dict[str, Any], streams: tuple[int, int]
) -> None:
    """One sample in a child of its own; afterwards no other process is left."""
    receive, send = os.pipe()
    imported, mark = os.pipe()
    fcntl.fcntl(send, SET_PIPE_SIZE, PIPE_SIZE)
    child = os.fork()
    if child == 0:
        try:
            _alone((receive, imported))
            _sample(code, request, limits, streams, (send, mark))
        finally:
            os._exit(0)
    os.close(send)
    os.close(mark)
    try:
        began, status = _await_child(child, imported, limits)
        _clear()
        waiting = struct.unpack("i", fcntl.ioctl(receive, termios.FIONREAD, bytes(4)))[0]
        fate = None if waiting else _fate(status, began, limits)
        _send(streams[1], {"bytes": waiting, "imported": began, "fate": fate})
        while waiting:
            waiting -= os.splice(receive, streams[1], waiting)
    finally:
        os.close(receive)
        os.close(imported)


def _alone(unused: tuple[int, ...]) -> None:
    """Share nothing with the parent that could be changed: group, descriptors, settings."""
    os.setsid()
    _null_streams()
    for fd in unused:
        os.close(fd)
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)


def _sample(
    code: types.CodeType,
    request: dict[str, Any],
    limits: dict[str, Any],
    streams: tuple[int, int],
    out: tuple[int, int],
) -> None:
    data = _exactly(streams[0], request["bytes"])
    for fd in streams:
        os.close(fd)
    gc.collect()  # the same count of objects for every sample
    hard = limits["import_s"] + limits["cpu_s"] + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limits["import_s"], hard))
    try:
        predict = load_rule(code)
    except BaseException as error:
        answer: dict[str, object] = {"error": described(error)}
    else:
        soft = math.ceil(time.process_time()) + limits["cpu_s"]
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
        os.write(out[1], b"i")
        answer = asked(predict, request, data, limits)
    os.write(out[0], json.dumps(answer).encode())


def load_rule(code: types.CodeType) -> Predict:
    """Run the rule's text as the module `rule` and find its function."""
    module = types.ModuleType("rule")
    module.__file__ = RULE
    sys.modules["rule"] = module
    exec(code, module.__dict__)
    predict = getattr(module, "predict", None)
    if not callable(predict):
        raise AttributeError("rule.py defines no function predict(df)")
    return predict  # type: ignore[no-any-return]


def asked(
    predict: Predict, request: dict[str, Any], data: bytes, limits: dict[str, Any]
) -> dict[str, object]:
    """One call of the rule: its labels or its error."""
    try:
        values = np.frombuffer(data, dtype=request["dtype"]).reshape(request["shape"]).copy()
        labels = accepted(predict(pd.DataFrame(values, columns=request["columns"])))
        if len(json.dumps(labels)) > limits["answer_bytes"]:
            raise ValueError(f"answer is longer than {limits['answer_bytes']} bytes")
    except BaseException as error:
        return {"error": described(error)}
    return {"labels": labels}


def accepted(value: object) -> list[str]:
    """Text, a list of texts, or a mapping with `final_answer`; ValueError for anything else."""
    if isinstance(value, dict):
        if "final_answer" not in value:
            raise ValueError("predict returned a dict without final_answer")
        return accepted(value["final_answer"])
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        raise ValueError(f"predict returned {type(value).__name__}, not a list of labels")
    if not value or not all(isinstance(label, str) and label.strip() for label in value):
        raise ValueError("predict returned an empty answer or one with entries that are no labels")
    labels = [str(label) for label in value]
    if any(label.encode("utf-8", "replace").decode() != label for label in labels):
        raise ValueError("predict returned a label that is no valid text")
    return labels


def described(error: BaseException) -> str:
    """`Type: message`, short, whatever the error's own text does."""
    try:
        message = str(error)
    except BaseException:
        message = "its message cannot be shown"
    return f"{type(error).__name__}: {message}".encode("utf-8", "replace").decode()[:LONGEST_ERROR]


def _await_child(child: int, imported: int, limits: dict[str, Any]) -> tuple[bool, int | None]:
    """Whether the rule was imported, and how the child ended; None if it did not end in time."""
    handle = os.pidfd_open(child)
    deadline = time.monotonic() + limits["import_s"]
    began = False
    try:
        while True:
            sources = [handle] if began else [handle, imported]
            ready = select.select(sources, [], [], max(0.0, deadline - time.monotonic()))[0]
            if imported in ready and os.read(imported, 1):
                began, deadline = True, time.monotonic() + limits["sample_s"]
            elif handle in ready:
                return began, os.waitpid(child, 0)[1]
            elif imported not in ready or time.monotonic() >= deadline:
                return began, None
            else:
                time.sleep(0.001)
    finally:
        os.close(handle)


def _clear() -> None:
    """End and collect every other process; orphans have become children of this one."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        while True:
            os.kill(-1, signal.SIGKILL)
            os.waitpid(-1, 0)
    except (ChildProcessError, ProcessLookupError):
        return


def _fate(status: int | None, began: bool, limits: dict[str, Any]) -> str:
    what = "predict" if began else "rule.py"
    if status is None and began:
        return f"TimeoutError: no answer within {limits['sample_s']} s"
    if status is None:
        return f"TimeoutError: rule.py was not imported within {limits['import_s']} s"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            spent = limits["cpu_s" if began else "import_s"]
            return f"TimeoutError: {what} took more than {spent} s of processor time"
        return f"ChildProcessError: {what} was ended by {signal.Signals(number).name}"
    code = os.waitstatus_to_exitcode(status)
    return f"ChildProcessError: {what} ended its own process with exit code {code}"


def _take_over_streams() -> tuple[int, int]:
    streams = os.dup(0), os.dup(1)
    _null_streams()
    return streams


def _null_streams() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)


def _exactly(source: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(source, count)
        if not part:
            return b""
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _send(answers: int, value: object) -> None:
    data = json.dumps(value).encode() + b"\n"
    while data:
        data = data[os.write(answers, data) :]


if __name__ == "__main__":
    main()
