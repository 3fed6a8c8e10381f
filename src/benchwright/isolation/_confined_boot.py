"""Runs first in a confined child: loads one module, gives up everything else, calls its `main`.

Its text is the child's whole command; nothing imports it. Afterwards the process can read and write
the descriptors that it was given, use memory up to its limit, and end.
"""

import ctypes
import importlib
import json
import os
import resource
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2


def main() -> None:
    """Take one JSON object: folder, module, settings, program, memory and cpu."""
    given = json.loads(sys.argv[1])
    sys.path.append(given["folder"])
    module = importlib.import_module(given["module"])
    for name, most in (("AS", given["memory"]), ("CPU", given["cpu"]), ("FSIZE", 0), ("CORE", 0)):
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
    confine(bytes.fromhex(given["program"]))
    os.write(1, b"confined\n")
    module.main(given["settings"])
    os._exit(0)


def confine(program: bytes) -> None:
    """Install the filter of system calls; the process ends if the kernel does not take it."""

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))

    libc = ctypes.CDLL(None)
    given = Program(len(program) // 8, program)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        sys.exit(1)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(given), 0, 0) != 0:
        sys.exit(1)


main()
