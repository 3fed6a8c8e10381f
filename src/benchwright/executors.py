"""Where independent jobs run: here, in freshly spawned processes, or on a cluster (design 5.13).

An executor is a `concurrent.futures.Executor`; results are the same for each, because jobs carry
their own seeds. Processes are always spawned: forking after numba or Arrow have threads hangs.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import Any

from benchwright.errors import MissingExtraError, SpecError, installing

_CONNECT_S = 10


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


def open_executor(name: str = "processes") -> AbstractContextManager[Executor]:
    """`serial`, `processes` (one per core), `processes:N` or `dask:ADDRESS` (of its scheduler).

    Raises:
        SpecError: another name, or no scheduler answers at the address.
        MissingExtraError: `dask:` without the extra of that name.
    """
    kind, _, detail = name.partition(":")
    if kind == "serial" and not detail:
        return SerialExecutor()
    if kind == "processes" and (not detail or (detail.isdecimal() and int(detail) > 0)):
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(int(detail or cores()), mp_context=context)
    if kind == "dask" and detail:
        return _dask(detail)
    raise SpecError(
        "unknown executor",
        value=name,
        where="--executor",
        hint="Use serial, processes, processes:N or dask:ADDRESS.",
    )


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    """The cluster behind a scheduler; its workers need benchwright in the same version."""
    try:
        cluster: Any = import_module("distributed")
    except ImportError as error:
        raise MissingExtraError(
            "dask is not installed",
            value=f"dask:{address}",
            where="--executor",
            hint=installing("dask"),
        ) from error
    try:
        client = cluster.Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SpecError(
            "no dask scheduler answers",
            value=address,
            where="--executor",
            hint="Give the address that `dask scheduler` prints, such as tcp://HOST:8786.",
        ) from error
    with client, client.get_executor(pure=False) as executor:
        yield executor
