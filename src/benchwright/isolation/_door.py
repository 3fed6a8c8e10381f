"""Runs inside a box, before every command and while it still has the rights of the box's owner.

Its text lies in the box at /.box/door.py; nothing on the host imports it. It leaves the keyring of
the host behind, installs the filter of system calls, and becomes the command that it was given.
"""

import ctypes
import os
import sys

JOIN_SESSION_KEYRING = 1
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
KEYCTL = {"x86_64": 250, "aarch64": 219}


def main() -> None:
    """Take `FILTER COMMAND...` from the arguments."""
    libc = ctypes.CDLL(None, use_errno=True)
    number = KEYCTL.get(os.uname().machine)
    if number is not None:
        libc.syscall(number, JOIN_SESSION_KEYRING, None)
    with open(sys.argv[1], "rb") as file:
        program = file.read()
    if program and not install(libc, program):
        sys.exit(f"filter of system calls refused: {os.strerror(ctypes.get_errno())}")
    os.execv(sys.argv[2], sys.argv[2:])


def install(libc: ctypes.CDLL, program: bytes) -> bool:
    """Whether the kernel took the filter."""

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))

    given = Program(len(program) // 8, program)
    return bool(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(given), 0, 0) == 0)


main()
