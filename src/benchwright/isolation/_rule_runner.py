"""Runs inside a box: imports a rule once, then forks a child for every sample.

Not imported by benchwright: its text is passed to the agent's Python, so it uses the standard
library, numpy and pandas only. It reads requests from stdin (a JSON line, then the raw numbers) and
answers each with one JSON line. The rule itself never has stdin, stdout or stderr.
"""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np
import pandas as pd

RULE = "/app/rule.py"
LONGEST_ERROR = 300
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
Predict = Callable[[pd.DataFrame], object]


def main() -> None:
    """Serve until stdin ends."""
    limits = json.loads(sys.argv[1])
    requests, answers = _take_over_streams()
    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    warm_up()
    try:
        predict = load_rule()
    except BaseException as error:
        _send(answers, {"failed": described(error)})
        return
    gc.collect()
    gc.freeze()
    _send(answers, {"ready": True})
    while header := requests.readline():
        request = json.loads(header)
        data = requests.read(request["bytes"])
        streams = (requests.fileno(), answers)
        _send(answers, ask(lambda: answer(predict, request, data, limits), limits, streams))  # noqa: B023


def warm_up() -> None:
    """Let pandas do once what it does lazily, so that no child pays for it."""
    frame = pd.DataFrame(np.arange(12.0, dtype=np.float32).reshape(4, 3), columns=list("abc"))
    frame["a"].to_numpy().mean()
    frame.diff().abs().rolling(2).mean().describe()
    frame.loc[frame["b"] > 1, "c"].std()
    frame["c"].median()
    np.median(np.diff(frame.to_numpy(), axis=0))


def load_rule() -> Predict:
    """Import the rule and find its function."""
    spec = importlib.util.spec_from_file_location("rule", RULE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["rule"] = module
    spec.loader.exec_module(module)
    predict = getattr(module, "predict", None)
    if not callable(predict):
        raise AttributeError("rule.py defines no function predict(df)")
    return predict  # type: ignore[no-any-return]


def answer(predict: Predict, request: dict[str, Any], data: bytes, limits: dict[str, Any]) -> Any:
    """One call of the rule, in a child of its own."""
    resource.setrlimit(resource.RLIMIT_CPU, (limits["cpu_s"], limits["cpu_s"] + 1))
    values = np.frombuffer(data, dtype=request["dtype"]).reshape(request["shape"]).copy()
    try:
        labels = accepted(predict(pd.DataFrame(values, columns=request["columns"])))
        text = json.dumps(labels)
        if len(text) > limits["answer_bytes"]:
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
    return [str(label) for label in value]


def described(error: BaseException) -> str:
    """`Type: message`, short, whatever the error's own text does."""
    try:
        message = str(error)
    except BaseException:
        message = "its message cannot be shown"
    return f"{type(error).__name__}: {message}".encode("utf-8", "replace").decode()[:LONGEST_ERROR]


def ask(work: Callable[[], Any], limits: dict[str, Any], streams: tuple[int, int]) -> Any:
    """Do `work` in a forked child and take its answer; afterwards no other process is left."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            for fd in (*streams, receive):
                os.close(fd)
            os.write(send, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(send)
    try:
        data, status = _await_child(child, receive, limits)
    finally:
        os.close(receive)
        _clear()
    try:
        return json.loads(data)
    except ValueError:
        return {"error": _fate(status, limits)}


def _await_child(child: int, receive: int, limits: dict[str, Any]) -> tuple[bytes, int | None]:
    handle = os.pidfd_open(child)
    deadline = time.monotonic() + limits["sample_s"]
    most = limits["answer_bytes"] + 4096
    data = b""
    sources = [handle, receive]
    try:
        while handle in sources:
            ready = select.select(sources, [], [], max(0.0, deadline - time.monotonic()))[0]
            if not ready or len(data) > most:
                return b"", None
            if receive in ready:
                part = os.read(receive, most)
                data += part
                if not part:
                    sources.remove(receive)
            elif handle in ready:
                sources.remove(handle)
        return data, os.waitpid(child, 0)[1]
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


def _fate(status: int | None, limits: dict[str, Any]) -> str:
    if status is None:
        return f"TimeoutError: no answer within {limits['sample_s']} s"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return f"TimeoutError: more than {limits['cpu_s']} s of processor time"
        return f"ChildProcessError: predict was ended by {signal.Signals(number).name}"
    code = os.waitstatus_to_exitcode(status)
    return f"ChildProcessError: predict ended its own process with exit code {code}"


def _take_over_streams() -> tuple[BinaryIO, int]:
    requests, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)
    return requests, answers


def _send(answers: int, value: object) -> None:
    data = json.dumps(value).encode() + b"\n"
    while data:
        data = data[os.write(answers, data) :]


if __name__ == "__main__":
    main()
