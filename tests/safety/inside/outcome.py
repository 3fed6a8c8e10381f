"""What one attempt came to. This text stands before the attempts in the file that a box runs.

An attempt is a function of one mapping: it returns what it got hold of (nothing: contained), or
raises OSError, MemoryError or Refused (refused). Any other error means that the attempt is broken,
which fails its test: a typing mistake never passes for safety.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import sys
from collections.abc import Callable, Mapping

Target = Mapping[str, str]
Attempt = Callable[[Target], object]


class Refused(Exception):
    """The attempt was refused in a way that Python does not call OSError."""


def libc_call(name: str, *arguments: object) -> int:
    """A function of the C library; -1 becomes OSError."""
    library = ctypes.CDLL(None, use_errno=True)
    result = int(getattr(library, name)(*arguments))
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), name)
    return result


def system_call(numbers: Mapping[str, int], *arguments: object) -> int:
    """A system call by its number for this processor; -1 becomes OSError."""
    number = numbers.get(os.uname().machine)
    if number is None:
        raise Refused(f"no number known for {os.uname().machine}")
    return libc_call("syscall", ctypes.c_long(number), *arguments)


def outcome(attempt: Attempt, target: Target) -> dict[str, object]:
    """`{"got": ...}`, `{"refused": ...}` or `{"broken": ...}`, small enough for one line."""
    try:
        got = attempt(target)
    except OSError as error:
        code = errno.errorcode.get(error.errno or 0, str(error.errno))
        return {"refused": code, "text": str(error)[:200]}
    except (MemoryError, Refused) as error:
        return {"refused": type(error).__name__, "text": str(error)[:200]}
    except Exception as error:
        return {"broken": repr(error)[:400]}
    return {"got": short(got) if got else None}


def short(got: object) -> object:
    """The thing itself if it is small, else the beginning of its text."""
    text = json.dumps(got, default=repr)
    return json.loads(text) if len(text) < 20_000 else text[:20_000]


def main(attempts: Mapping[str, object]) -> None:
    """Run the attempt that the command line names, with the target that it gives as JSON."""
    attempt = attempts[sys.argv[1]]
    assert callable(attempt)
    print(json.dumps(outcome(attempt, json.loads(sys.argv[2]))), flush=True)
