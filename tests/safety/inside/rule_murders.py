"""Attacks of a sample on the process that started it, which may cost this rule but nobody else."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import time
from typing import Any


def kills_its_parent(df: Any) -> object:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(0.2)
    return ["forged"]


def stops_its_parent(df: Any) -> object:
    os.kill(os.getppid(), signal.SIGSTOP)
    return ["forged"]


def interrupts_its_parent(df: Any) -> object:
    os.kill(os.getppid(), signal.SIGINT)
    os.kill(os.getppid(), signal.SIGTERM)
    time.sleep(0.2)
    return ["forged"]


def kills_everything(df: Any) -> object:
    os.kill(-1, signal.SIGKILL)
    return ["forged"]


def kills_its_group(df: Any) -> object:
    os.kill(0, signal.SIGKILL)
    return ["forged"]


def starves_its_parent(df: Any) -> object:
    resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0))
    resource.prlimit(os.getppid(), resource.RLIMIT_NPROC, (0, 0))
    return ["forged"]


def traces_its_parent(df: Any) -> object:
    library = ctypes.CDLL(None, use_errno=True)
    if library.ptrace(16, os.getppid(), None, None) == 0:
        time.sleep(0.2)
        library.ptrace(8, os.getppid(), None, None)
        return ["forged"]
    return [f"refused {ctypes.get_errno()}"]


def empties_the_memory_of_its_parent(df: Any) -> object:
    written = 0
    with open(f"/proc/{os.getppid()}/maps") as maps:
        lines = maps.readlines()
    with open(f"/proc/{os.getppid()}/mem", "r+b", 0) as memory:
        for line in lines:
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            if " rw" in line:
                memory.seek(start)
                written += memory.write(b"\0" * min(end - start, 1 << 20))
    return ["forged"] if written else ["nothing written"]
