"""The system calls that a box refuses, and the few that a confined reader may make.

Takes the machine's name; gives a seccomp program as bytes, or none for a machine it does not know.
Keyrings and virtual sockets pass through every namespace; io_uring passes by every filter.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from types import MappingProxyType

_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_EPERM, _EAFNOSUPPORT, _ENOSYS = 1, 97, 38
_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
_OTHER_NUMBERS = 0x40000000
_SOL_SOCKET, _SO_SNDBUF, _SO_RCVBUF = 1, 7, 8
_PROT_EXEC = 4

_ARCHITECTURES = MappingProxyType({"x86_64": 0xC000003E, "aarch64": 0xC00000B7})
_NUMBERS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "add_key": (248, 217),
        "request_key": (249, 218),
        "keyctl": (250, 219),
        "bpf": (321, 280),
        "perf_event_open": (298, 241),
        "userfaultfd": (323, 282),
        "io_uring_setup": (425, 425),
        "io_uring_enter": (426, 426),
        "io_uring_register": (427, 427),
        "socket": (41, 198),
        "setsockopt": (54, 208),
        "prlimit64": (302, 261),
        "sched_setaffinity": (203, 122),
        "sched_setscheduler": (144, 119),
        "sched_setparam": (142, 118),
        "sched_setattr": (314, 274),
        "setpriority": (141, 140),
        "ioprio_set": (251, 30),
    }
)
_NEVER = (
    "add_key", "request_key", "keyctl", "bpf", "perf_event_open", "userfaultfd",
    "io_uring_setup", "io_uring_enter", "io_uring_register",
)  # fmt: skip
_FAMILIES = (1, 2, 10, 16)
"""Unix, both internets (there is no network behind them), netlink."""
_OWN_ONLY = {
    "prlimit64": ((0, 0),),
    "sched_setaffinity": ((0, 0),),
    "sched_setscheduler": ((0, 0),),
    "sched_setparam": ((0, 0),),
    "sched_setattr": ((0, 0),),
    "setpriority": ((0, 0), (1, 0)),
    "ioprio_set": ((0, 1), (1, 0)),
}
"""Per call: argument and the value that means the calling process itself."""
_READING: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "read": (0, 63),
        "pread64": (17, 67),
        "write": (1, 64),
        "lseek": (8, 62),
        "brk": (12, 214),
        "munmap": (11, 215),
        "mremap": (25, 216),
        "madvise": (28, 233),
        "futex": (202, 98),
        "clock_gettime": (228, 113),
        "rt_sigreturn": (15, 139),
        "exit": (60, 93),
        "exit_group": (231, 94),
    }
)
"""All that computing on open descriptors needs, beside memory that no one can execute."""
_MMAP = (9, 222)


def reading_program(machine: str) -> bytes:
    """A filter that leaves reading, writing and memory: no file, process, socket or code is new.

    Every other call fails with EPERM; empty for an unknown machine.
    """
    architecture = _ARCHITECTURES.get(machine)
    if architecture is None:
        return b""
    column = list(_ARCHITECTURES).index(machine)
    return b"".join(_reading(architecture, column))


def seccomp_program(machine: str, *, alone: bool) -> bytes:
    """Instructions for `prctl(PR_SET_SECCOMP)`; empty for an unknown machine.

    `alone` refuses, besides, whatever changes another process or opens an internet socket: a
    process that serves several samples must look the same to each.
    """
    architecture = _ARCHITECTURES.get(machine)
    if architecture is None:
        return b""
    column = list(_ARCHITECTURES).index(machine)
    return b"".join(_instructions(architecture, column, alone))


def _reading(architecture: int, column: int) -> Iterator[bytes]:
    yield _step(_LOAD, _MACHINE)
    yield from _unless_equal(architecture, _ENOSYS)
    yield _step(_LOAD, _NUMBER)
    for numbers in _READING.values():
        yield from _block(numbers[column], [_step(_RETURN, _ALLOW)])
    protection = [
        _step(_LOAD, _ARGUMENTS + 8 * 2),
        _step(_ANY_BIT, _PROT_EXEC, 0, 1),
        _step(_RETURN, _REFUSE | _EPERM),
        _step(_RETURN, _ALLOW),
    ]
    yield from _block(_MMAP[column], protection)
    yield _step(_RETURN, _REFUSE | _EPERM)


def _instructions(architecture: int, column: int, alone: bool) -> Iterator[bytes]:
    yield _step(_LOAD, _MACHINE)
    yield from _unless_equal(architecture, _ENOSYS)
    yield _step(_LOAD, _NUMBER)
    yield _step(_ABOVE, _OTHER_NUMBERS, 0, 1)
    yield _step(_RETURN, _REFUSE | _ENOSYS)
    for name in _NEVER:
        yield from _block(_NUMBERS[name][column], [_step(_RETURN, _REFUSE | _EPERM)])
    families = _FAMILIES[:1] if alone else _FAMILIES
    yield from _block(_NUMBERS["socket"][column], list(_only(0, families, _EAFNOSUPPORT)))
    yield from _block(_NUMBERS["setsockopt"][column], list(_keep_buffers()))
    for name, wanted in _OWN_ONLY.items() if alone else ():
        yield from _block(_NUMBERS[name][column], list(_all_equal(wanted)))
    yield _step(_RETURN, _ALLOW)


def _block(number: int, body: list[bytes]) -> Iterator[bytes]:
    """`body`, which ends in a return, for one call only."""
    yield _step(_EQUAL, number, 0, len(body))
    yield from body


def _only(argument: int, values: tuple[int, ...], error: int) -> Iterator[bytes]:
    yield _step(_LOAD, _ARGUMENTS + 8 * argument)
    for place, value in enumerate(values):
        yield _step(_EQUAL, value, len(values) - place, 0)
    yield _step(_RETURN, _REFUSE | error)
    yield _step(_RETURN, _ALLOW)


def _keep_buffers() -> Iterator[bytes]:
    """SO_SNDBUF and SO_RCVBUF succeed and do nothing: unread bytes are in no process's memory."""
    yield _step(_LOAD, _ARGUMENTS + 8)
    yield _step(_EQUAL, _SOL_SOCKET, 1, 0)
    yield _step(_RETURN, _ALLOW)
    yield _step(_LOAD, _ARGUMENTS + 16)
    yield _step(_EQUAL, _SO_SNDBUF, 2, 0)
    yield _step(_EQUAL, _SO_RCVBUF, 1, 0)
    yield _step(_RETURN, _ALLOW)
    yield _step(_RETURN, _REFUSE)


def _all_equal(wanted: tuple[tuple[int, int], ...]) -> Iterator[bytes]:
    for argument, value in wanted:
        yield _step(_LOAD, _ARGUMENTS + 8 * argument)
        yield from _unless_equal(value, _EPERM)
    yield _step(_RETURN, _ALLOW)


def _unless_equal(value: int, error: int) -> Iterator[bytes]:
    yield _step(_EQUAL, value, 1, 0)
    yield _step(_RETURN, _REFUSE | error)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
