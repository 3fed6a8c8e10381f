"""Where independent jobs run: in this process, or in freshly spawned ones (design 5.13).

An executor is a `concurrent.futures.Executor`; results are the same for each, because jobs carry
their own seeds. Processes are always spawned: forking after numba or Arrow have threads hangs.
"""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any

from benchwright.errors import SpecError


class SerialExecutor(Executor):
    """Runs each job at once in the calling thread; errors surface in the future as elsewhere."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run `fn` now and return its finished future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0))


def open_executor(name: str = "processes") -> Executor:
    """`serial`, `processes` (one per core) or `processes:N`; use it as a context manager."""
    kind, _, detail = name.partition(":")
    if kind == "serial" and not detail:
        return SerialExecutor()
    if kind == "processes" and (not detail or (detail.isdecimal() and int(detail) > 0)):
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(int(detail or cores()), mp_context=context)
    raise SpecError(
        "unknown executor",
        value=name,
        where="--executor",
        hint="Use serial, processes or processes:N.",
    )
