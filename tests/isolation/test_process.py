"""One bounded command: whoever asked for it may be gone before it starts, and nothing is left."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from benchwright.isolation.process import Limits, Stop, run

ENV = {"PATH": "/usr/bin:/bin"}
SLEEP = ["/bin/sleep", "30"]


def descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd"))


def test_a_command_whose_asker_is_gone_ends_at_once_and_leaves_no_descriptor() -> None:
    stop = Stop()
    stop.close()
    before = descriptors()
    ended = run(SLEEP, Limits(20), env=ENV, stop=stop)
    assert ended.returncode == 128 + 9 and not ended.timed_out
    assert descriptors() == before


def test_closing_ends_a_command_that_runs_and_may_be_done_twice() -> None:
    stop = Stop()
    began = time.monotonic()
    threading.Timer(0.2, stop.close).start()
    assert run(SLEEP, Limits(20), env=ENV, stop=stop).returncode == 128 + 9
    assert time.monotonic() - began < 15
    stop.close()
    stop.set()


def test_a_number_that_is_given_to_another_file_does_not_stop_a_command(tmp_path: Path) -> None:
    stop = Stop()
    watched = stop.watched()
    stop.close()
    taken = [os.open(tmp_path, os.O_RDONLY) for _ in range(4)]
    assert os.eventfd_read(watched) >= 1
    for fd in (*taken, watched):
        os.close(fd)


def test_a_command_that_cannot_start_leaves_no_descriptor() -> None:
    before = descriptors()
    try:
        run(["/nonexistent/command"], Limits(5), env=ENV, stop=Stop())
    except FileNotFoundError:
        pass
    else:
        raise AssertionError("it ran")
    assert len(descriptors() - before) <= 1
