"""Ways to leave a mark for the next sample. Each answers whether a mark was there already.

`NUMBERS` of system calls and the helpers stand here; a test adds `predict`, which asks one channel.
"""

from __future__ import annotations

import builtins
import ctypes
import fcntl
import gc
import os
import resource
import socket
import sys
import threading
import time
from typing import Any

KEYCTL = {"x86_64": 250, "aarch64": 219}
ADD_KEY = {"x86_64": 248, "aarch64": 217}
CALLS: list[int] = []
LIBRARY = ctypes.CDLL(None, use_errno=True)


def in_a_list_of_the_module(df: Any) -> object:
    CALLS.append(1)
    return len(CALLS) > 1


def in_builtins(df: Any) -> object:
    seen = hasattr(builtins, "mark")
    builtins.mark = True  # type: ignore[attr-defined]
    return seen


def in_the_environment(df: Any) -> object:
    seen = "MARK" in os.environ
    os.environ["MARK"] = "1"
    return seen


def in_a_file_of_any_folder(df: Any) -> object:
    seen = []
    for folder in ("/app", "/tmp", "/var/tmp", "/run", "/dev/shm", os.path.expanduser("~")):
        try:
            os.mkdir(f"{folder}/mark")
        except FileExistsError:
            seen.append(folder)
        except OSError:
            continue
    return seen


def in_times_and_modes_of_folders(df: Any) -> object:
    seen = []
    for folder in ("/app", "/tmp", "/var/tmp", "/run", "/dev/shm", os.path.expanduser("~"), "/"):
        try:
            seen += [folder] if os.stat(folder).st_mtime == 12_345 else []
            os.utime(folder, (12_345, 12_345))
        except OSError:
            continue
    return seen


def in_an_abstract_socket_of_a_daemon(df: Any) -> object:
    with socket.socket(socket.AF_UNIX) as ask:
        try:
            ask.connect("\0mark")
            return True
        except OSError:
            pass
    server = socket.socket(socket.AF_UNIX)
    server.bind("\0mark")
    server.listen()
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
        os._exit(0)
    return False


def in_a_port_of_a_daemon(df: Any) -> object:
    server = socket.socket()
    try:
        server.bind(("127.0.0.1", 45_454))
    except OSError:
        return True
    server.listen()
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
        os._exit(0)
    return False


def in_a_process_that_is_left_over(df: Any) -> object:
    seen = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/comm") as file:
                seen += [name] if file.read().strip() == "mark" else []
        except OSError:
            continue
    if os.fork() == 0:
        os.setsid()
        LIBRARY.prctl(15, b"mark", 0, 0, 0)
        time.sleep(60)
        os._exit(0)
    return seen


def in_the_name_of_the_parent(df: Any) -> object:
    path = f"/proc/{os.getppid()}/comm"
    with open(path) as file:
        seen = file.read().strip() == "mark"
    try:
        with open(path, "w") as file:
            file.write("mark")
    except OSError:
        return seen
    return seen


def in_shared_segments(df: Any) -> object:
    number = LIBRARY.shmget(4242, 4096, 0o1600 | 0o2000)
    return number == -1 and ctypes.get_errno() == 17


def in_a_queue_of_messages(df: Any) -> object:
    number = LIBRARY.msgget(4242, 0o1600 | 0o2000)
    return number == -1 and ctypes.get_errno() == 17


def in_keyrings(df: Any) -> object:
    seen = []
    machine = os.uname().machine
    for ring in (-3, -4, -5):
        found = LIBRARY.syscall(KEYCTL[machine], 10, ring, b"user", b"mark", 0)
        seen += [ring] if found > 0 else []
    for ring in (-3, -4):
        LIBRARY.syscall(ADD_KEY[machine], b"user", b"mark", b"1", ctypes.c_size_t(1), ring)
    return seen


def in_limits_of_the_parent(df: Any) -> object:
    parent = os.getppid()
    soft, hard = resource.prlimit(parent, resource.RLIMIT_NOFILE)
    if soft == 77:
        return True
    resource.prlimit(parent, resource.RLIMIT_NOFILE, (77, hard))
    return False


def in_the_priority_of_the_parent(df: Any) -> object:
    parent = os.getppid()
    seen = os.getpriority(os.PRIO_PROCESS, parent) == 7
    os.setpriority(os.PRIO_PROCESS, parent, 7)
    return seen


def in_the_processors_of_the_parent(df: Any) -> object:
    parent = os.getppid()
    allowed = os.sched_getaffinity(parent)
    if len(os.sched_getaffinity(0)) == 1 and (os.cpu_count() or 1) > 1:
        return True
    os.sched_setaffinity(parent, {min(allowed)})
    return False


def in_settings_of_shared_descriptors(df: Any) -> object:
    """What parent and children share: flags, signals and offsets of one open file."""
    numbers = [int(name) for name in os.listdir("/proc/self/fd")]
    seen, marked = [], []
    for number in numbers:
        try:
            seen += [number] if fcntl.fcntl(number, fcntl.F_GETSIG) == 40 else []
            marked.append(number)
        except OSError:  # the descriptor of the listing itself
            continue
    for number in marked:
        fcntl.fcntl(number, fcntl.F_SETSIG, 40)
    return seen


def in_locks_of_files(df: Any) -> object:
    descriptor = os.open("/app/rule.py", os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
        os._exit(0)
    return False


def in_the_memory_of_the_parent(df: Any) -> object:
    place = id(CALLS_IN_MEMORY) + bytes.__basicsize__ - 1
    seen = bytes(CALLS_IN_MEMORY) != b"A" * 64
    try:
        with open(f"/proc/{os.getppid()}/mem", "r+b", 0) as memory:
            memory.seek(place)
            memory.write(b"B" * 64)
    except OSError:
        return seen
    return seen


CALLS_IN_MEMORY = bytes(bytearray(b"A" * 64))


def in_things_of_earlier_samples(df: Any) -> object:
    """Frames of other samples that are still somewhere within reach of the interpreter."""
    own = float(df["col1"].iloc[0])
    seen = []
    for thing in gc.get_objects():
        if type(thing) is type(df) and "col1" in thing.columns:
            seen += [float(thing["col1"].iloc[0])]
    frame = sys._getframe()
    while frame:
        for value in frame.f_locals.values():
            if type(value) is type(df) and "col1" in value.columns:
                seen += [float(value["col1"].iloc[0])]
        frame = frame.f_back  # type: ignore[assignment]
    return [value for value in seen if value != own]


def in_threads(df: Any) -> object:
    seen = threading.active_count() > 1
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return seen
