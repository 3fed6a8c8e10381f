"""One file of a box at a time, through the box's own eyes.

Shell texts and the meaning of their exit codes; `Cell` runs them. Nothing is ever opened through
the host's view of the box, where a link could lead anywhere.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from benchwright.errors import SubmissionError
from benchwright.isolation.process import Ended

FileState = Literal["ok", "missing", "folder", "special", "private", "large", "failed"]

_STATES: dict[int, FileState] = {
    0: "ok", 21: "missing", 22: "folder", 23: "special", 24: "private",
}  # fmt: skip
READ = """
[ -e "$1" ] || exit 21
[ -d "$1" ] && exit 22
[ -f "$1" ] || exit 23
case $(readlink -f -- "$1") in /dev/shm/*) ;; /proc/*|/dev/*|/sys/*) exit 23 ;; esac
[ -r "$1" ] || exit 24
exec head -c "$2" -- "$1"
"""
WRITE = """
[ -d "$1" ] && exit 22
[ -e "$1" ] && [ ! -f "$1" ] && exit 23
mkdir -p -- "${1%/*}/" || exit 24
[ -e "$1" ] && [ ! -w "$1" ] && exit 24
[ -e "$1" ] || [ -w "${1%/*}/" ] || exit 24
exec cat >"$1"
"""
LIST = 'cd -- "$1" && exec find . -xdev -type f -printf "%s %P\\0"'

TOGETHER = 'cd -- "$1" && exec xargs -0 -r cat --'
"""Contents of the files whose names come on stdin, one after the other."""


_PROBLEMS = {
    "missing": ("file does not exist", "Write it below /app before the end."),
    "folder": ("file is a folder", "Name a regular file."),
    "special": ("file is not a regular file", "Links to devices, pipes and /proc are not read."),
    "private": ("file permissions forbid it", "Make it readable and its folder writable."),
    "large": ("file is too large", "Write a smaller file."),
    "failed": ("file cannot be read or written", "Leave space in the working folder."),
}


class Fetched(NamedTuple):
    """Outcome of reading or writing one file; `data` is set only for `ok` reads."""

    state: FileState
    data: bytes
    said: str


def checked(fetched: Fetched, path: str) -> bytes:
    """The data of an `ok` outcome; SubmissionError naming file and reason otherwise."""
    if fetched.state == "ok":
        return fetched.data
    problem, hint = _PROBLEMS[fetched.state]
    raise SubmissionError(problem, value=path, where=fetched.said or "sandbox", hint=hint)


def outcome(done: Ended, limit: int | None = None) -> Fetched:
    """What a finished script says; `limit` bytes of output are wanted, or None for none."""
    state = _STATES.get(done.returncode, "failed")
    if state == "ok" and limit is not None and len(done.stdout) > limit:
        state = "large"
    wanted = state == "ok" and limit is not None
    return Fetched(state, done.stdout if wanted else b"", said(done))


def said(done: Ended) -> str:
    """The first complaints of a command, in one line."""
    return " ".join(done.stderr.decode(errors="replace").split())[:300]
