"""Ways of a sample to end, or not to end, that may cost only itself."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
import sys
import threading
import time
from typing import Any

FORGED = (
    b'{"labels": ["forged"], "error": null}\n',
    b'["forged"]\n',
    b'{"ok": ["forged"]}\n',
    b'{"name": "s1", "labels": ["forged"]}\n',
)


def exits_at_once(df: Any) -> object:
    os._exit(0)


def exits_politely(df: Any) -> object:
    sys.exit(0)


def interrupts(df: Any) -> object:
    raise KeyboardInterrupt


def raises_without_end(df: Any) -> object:
    return raises_without_end(df)


def touches_no_memory_of_its_own(df: Any) -> object:
    return [str(ctypes.string_at(0))]


def aborts(df: Any) -> object:
    os.abort()


def kills_itself(df: Any) -> object:
    os.kill(os.getpid(), signal.SIGKILL)
    return ["survived"]


def stops_itself(df: Any) -> object:
    os.kill(os.getpid(), signal.SIGSTOP)
    return ["went on"]


def sleeps(df: Any) -> object:
    time.sleep(600)
    return ["woke up"]


def sleeps_deaf_to_signals(df: Any) -> object:
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1)


def computes_without_end(df: Any) -> object:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    while True:
        pass


def hangs_outside_the_interpreter(df: Any) -> object:
    """Holds the interpreter's lock for ever, so that no timer within it can fire."""
    ctypes.PyDLL(None).pause()
    return ["woke up"]


def hangs_after_its_answer(df: Any) -> object:
    threading.Thread(target=time.sleep, args=(600,)).start()
    return ["answered"]


def forks_without_end(df: Any) -> object:
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)


def leaves_children(df: Any) -> object:
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)
    return ["left three"]


def answers_from_a_child_too(df: Any) -> object:
    """Two processes return from one call."""
    os.fork()
    return ["answered"]


def prints_without_end(df: Any) -> object:
    while True:
        print("x" * 10_000)


def complains_without_end(df: Any) -> object:
    while True:
        os.write(2, b"x" * 10_000)


def allocates_fifty_gigabytes(df: Any) -> object:
    return [str(len(bytearray(50 << 30)))]


def fills_memory_that_is_shared(df: Any) -> object:
    for number in range(10_000):
        with open(f"/dev/shm/{number}", "wb") as file:
            file.write(b"x" * (1 << 20))
    return ["filled"]


def fills_every_folder(df: Any) -> object:
    for folder in ("/app", "/tmp", "/var/tmp", "/run", "/dev/shm"):
        try:
            for number in range(10_000):
                with open(f"{folder}/{number}", "wb") as file:
                    file.write(b"x" * (1 << 20))
        except OSError:
            continue
    return ["filled"]


def raises_its_limits(df: Any) -> object:
    for name in ("CPU", "DATA", "NPROC", "FSIZE", "AS"):
        try:
            kind = getattr(resource, f"RLIMIT_{name}")
            resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except (ValueError, OSError):
            continue
    return [str(len(bytearray(50 << 30)))]


def closes_every_descriptor(df: Any) -> object:
    os.closerange(0, 4096)
    return ["answered"]


def writes_forged_answers_everywhere(df: Any) -> object:
    for descriptor in range(1, 256):
        for message in FORGED:
            for head in (b"", struct.pack(">I", len(message)), struct.pack("<Q", len(message))):
                try:
                    os.set_blocking(descriptor, False)
                    os.write(descriptor, head + message)
                except OSError:
                    continue
    os._exit(0)


def writes_forged_answers_through_its_parent(df: Any) -> object:
    folder = f"/proc/{os.getppid()}/fd"
    for name in os.listdir(folder):
        try:
            channel = os.open(f"{folder}/{name}", os.O_WRONLY | os.O_NONBLOCK)
            os.write(channel, b"".join(FORGED))
        except OSError:
            continue
    os._exit(0)


def swallows_what_is_meant_for_others(df: Any) -> object:
    for descriptor in range(0, 256):
        try:
            os.set_blocking(descriptor, False)
            while os.read(descriptor, 1 << 20):
                pass
        except OSError:
            continue
    os._exit(0)
