from __future__ import annotations

import os
from concurrent.futures import as_completed

import pytest

from benchwright.errors import SpecError
from benchwright.executors import SerialExecutor, cores, open_executor


def square(x: int) -> int:
    return x * x


def refuse(x: int) -> int:
    raise SpecError("no", value=x, where="here", hint="Stop.")


def process(_: int) -> int:
    return os.getpid()


def test_the_serial_executor_stays_in_this_process() -> None:
    with open_executor("serial") as executor:
        assert list(executor.map(process, range(3))) == [os.getpid()] * 3


def test_an_error_waits_in_its_future() -> None:
    future = SerialExecutor().submit(refuse, 7)
    assert isinstance(future.exception(), SpecError)
    with pytest.raises(SpecError, match="no: 7"):
        future.result()


def test_serial_futures_work_with_the_standard_library() -> None:
    with open_executor("serial") as executor:
        futures = [executor.submit(square, x) for x in range(4)]
        assert sorted(f.result() for f in as_completed(futures)) == [0, 1, 4, 9]


def test_every_executor_gives_the_same_results_and_errors() -> None:
    with open_executor("serial") as serial, open_executor("processes:1") as processes:
        assert list(serial.map(square, range(5))) == list(processes.map(square, range(5)))
        assert processes.submit(process, 0).result() != os.getpid()
        error = processes.submit(refuse, 7).exception()
    assert isinstance(error, SpecError)
    assert str(error) == str(serial.submit(refuse, 7).exception())


def test_processes_are_as_many_as_there_are_cores() -> None:
    assert cores() == len(os.sched_getaffinity(0))


@pytest.mark.parametrize("name", ["", "threads", "serial:2", "processes:0", "processes:x", "dask"])
def test_an_unknown_executor_is_refused_with_the_choice(name: str) -> None:
    with pytest.raises(SpecError, match="serial, processes"):
        open_executor(name)
