"""Where output goes: the answer on stdout (or one JSON document), progress on stderr."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchwright.canonical import canonical_json


def emit_json(verb: str, data: Mapping[str, object]) -> None:
    """The one JSON document of a command: `{"format": "benchwright.<verb>/1", ...}`."""
    document = {"format": f"benchwright.{verb}/1", **data}
    sys.stdout.write(canonical_json(document).decode() + "\n")
    sys.stdout.flush()


def say(line: str) -> None:
    """A line of the answer."""
    print(line, flush=True)


def program() -> str:
    """How to call this program from the user's shell: by name where it is found, else by path."""
    if "BENCHWRIGHT_PROGRAM" in os.environ:
        return os.environ["BENCHWRIGHT_PROGRAM"]
    if shutil.which("benchwright"):
        return "benchwright"
    script = Path(sys.executable).parent / "benchwright"
    return os.path.relpath(script) if script.is_relative_to(Path.cwd()) else str(script)


class Progress:
    """A counter on stderr; silent when stderr is not a terminal."""

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total, self._done = what, total, 0
        self._shown = sys.stderr.isatty()
        self._show("")

    def step(self, note: str = "") -> None:
        """One more is done."""
        self._done += 1
        self._show(note)

    def _show(self, note: str) -> None:
        if self._shown:
            line = f"{self._what} {self._done}/{self._total} {note}"[:100]
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clear the line."""
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


@contextmanager
def timed(label: str) -> Iterator[None]:
    """A step of the answer with its time: the label at once, the seconds when it has ended."""
    began = time.monotonic()
    print(f"  {label} ... ", end="", flush=True)
    try:
        yield
    except BaseException:
        print("failed", flush=True)
        raise
    print(f"{time.monotonic() - began:.1f} s", flush=True)
