"""Attempts to take more than a box may have. Each takes until it is stopped, and says how much."""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from outcome import Refused, Target, libc_call, main

MB = 1 << 20
MOST = 1200 * MB
"""Where an attempt stops by itself: enough to prove the hole, harmless to the machine."""


def forks_until_refused(target: Target) -> object:
    count = 0
    while count < 3000:
        try:
            pid = os.fork()
        except OSError:
            break
        if pid == 0:
            time.sleep(600)
            os._exit(0)
        count += 1
    return {"children": count}


def forks_without_end(target: Target) -> object:
    """Every child forks too; ends only by a time limit, or when somebody kills all."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            os.fork()
        except OSError:
            time.sleep(0.05)
    os._exit(0)


def runs_away_from_its_killer(target: Target) -> object:
    """A chain: each process starts the next and ends, so that no list of processes stays true."""
    end = time.monotonic() + 30
    if os.fork():
        return None
    os.setsid()
    while time.monotonic() < end:
        try:
            if os.fork():
                os._exit(0)
        except OSError:
            time.sleep(0.001)
    os._exit(0)


def leaves_a_daemon(target: Target) -> object:
    """Out of its group and session, deaf to polite signals, and writing every 10 ms."""
    if os.fork():
        return None
    os.setsid()
    if os.fork():
        os._exit(0)
    for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(name, signal.SIG_IGN)
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    for _ in range(3000):
        descriptor = os.open("/app/late", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(descriptor, b"still here\n")
        os.close(descriptor)
        time.sleep(0.01)
    os._exit(0)


def starts_threads_until_refused(target: Target) -> object:
    count = 0
    threading.stack_size(256 * 1024)
    wait = threading.Event()
    while count < 5000:
        try:
            threading.Thread(target=wait.wait, daemon=True).start()
        except RuntimeError:
            break
        count += 1
    print(f'{{"got": {{"threads": {count}}}}}', flush=True)
    os._exit(0)


def allocates_fifty_gigabytes(target: Target) -> object:
    return len(bytearray(50 << 30))


def allocates_piece_by_piece(target: Target) -> object:
    kept = []
    while len(kept) < 50_000:
        kept.append(b"x" * MB)
    return len(kept)


def fill(piece: Callable[[], object]) -> object:
    """Take pieces of 16 MB until refused or far beyond every limit."""
    kept = []
    while len(kept) * 16 * MB < MOST:
        kept.append(piece())
    time.sleep(1.5)
    return {"mb": len(kept) * 16}


def shared_piece() -> object:
    piece = mmap.mmap(-1, 16 * MB, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    piece.write(b"x" * (16 * MB))
    return piece


def allocates_shared_memory(target: Target) -> object:
    return fill(shared_piece)


def file_in_memory() -> object:
    descriptor = os.memfd_create("piece")
    for _ in range(16):
        os.write(descriptor, b"x" * MB)
    return descriptor


def keeps_files_in_memory(target: Target) -> object:
    """Pages of a file without a name belong to no process's memory and to no folder's size."""
    return fill(file_in_memory)


def segment() -> object:
    library = ctypes.CDLL(None, use_errno=True)
    library.shmat.restype = ctypes.c_void_p
    number = libc_call("shmget", 0, ctypes.c_size_t(16 * MB), 0o1600)
    place = library.shmat(number, None, 0)
    ctypes.memset(place, 1, 16 * MB)
    library.shmdt(ctypes.c_void_p(place))
    return number


def keeps_segments_without_a_process(target: Target) -> object:
    return fill(segment)


def full_socket() -> tuple[object, int]:
    """A pair of sockets with all the unread bytes that the kernel keeps for it."""
    one, other = socket.socketpair()
    one.setblocking(False)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
    sent = 0
    try:
        while True:
            sent += one.send(b"x" * 65_536)
    except BlockingIOError:
        return (one, other), sent


def keeps_bytes_in_sockets(target: Target) -> object:
    """Unread bytes are the kernel's: in no folder, in no process."""
    kept, total = [], 0
    while total < MOST:
        try:
            pair, sent = full_socket()
        except OSError:
            if os.fork() == 0:
                kept.clear()
                continue
            time.sleep(10)
            break
        kept.append(pair)
        total += sent
    time.sleep(1.5)
    return {"mb": total // MB}


def allocates_in_many_processes(target: Target) -> object:
    """Each stays below the limit of one process; together they pass the limit of the box."""
    children = []
    for _ in range(12):
        pid = os.fork()
        if pid == 0:
            kept = b"x" * (100 * MB)
            time.sleep(4)
            os._exit(0 if kept else 1)
        children.append(pid)
    ends = [os.waitpid(pid, 0)[1] for pid in children]
    return {"unharmed": ends.count(0)}


def fills_a_folder(target: Target) -> object:
    written = 0
    try:
        for number in range(100_000):
            with open(f"{target['place']}/piece-{number}", "wb", 0) as file:
                for _ in range(8):
                    written += file.write(b"x" * MB)
                    if written > MOST:
                        return {"mb": written // MB, "stopped": "never"}
    except OSError as error:
        return {"mb": written // MB, "stopped": error.strerror}
    return None


def fills_a_folder_with_empty_files(target: Target) -> object:
    count = 0
    try:
        for count in range(300_000):
            os.close(os.open(f"{target['place']}/empty-{count}", os.O_CREAT | os.O_WRONLY))
    except OSError as error:
        return {"files": count, "stopped": error.strerror}
    return {"files": count, "stopped": "never"}


def opens_files_until_refused(target: Target) -> object:
    kept = []
    while len(kept) < 100_000:
        try:
            kept.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            break
    return {"files": len(kept)}


def writes_one_endless_file(target: Target) -> object:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("/tmp/endless", "wb", 0) as file:
        written = 0
        while written < MOST:
            written += file.write(b"x" * MB)
    return {"mb": written // MB}


def makes_a_file_of_a_terabyte(target: Target) -> object:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("/app/huge", "wb") as file:
        os.truncate(file.fileno(), 1 << 40)
    return os.stat("/app/huge").st_size


def leaves_a_core_file(target: Target) -> object:
    subprocess.run([sys.executable, "-c", "import os; os.abort()"], cwd="/app", check=False)
    found = [name for name in os.listdir("/app") if "core" in name]
    if resource.getrlimit(resource.RLIMIT_CORE)[1]:
        found.append("limit of core files is not 0")
    return found


def locks_memory(target: Target) -> object:
    """Locked pages cannot be moved out; nobody in a box may hold many."""
    piece = mmap.mmap(-1, 64 * MB)
    address = ctypes.addressof(ctypes.c_char.from_buffer(piece))
    try:
        libc_call("mlock", ctypes.c_void_p(address), ctypes.c_size_t(64 * MB))
    except OSError as error:
        raise Refused(str(error)) from error
    return "locked 64 MB"


if __name__ == "__main__":
    main(globals())
