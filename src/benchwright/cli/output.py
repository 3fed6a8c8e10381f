"""Where output goes: the answer on stdout (or one JSON document), progress on stderr."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TextIO

from benchwright.canonical import canonical_json
from benchwright.errors import SpecError
from benchwright.tasks.taskset import refuse_inside_a_set


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


def refuse_foreign(out: Path, *marks: str) -> None:
    """Leave a folder alone that holds something, but none of `marks`: nothing is mixed into it.

    `marks` are files by which earlier outputs of the same verb are known. What a write of them
    leaves that was cut off counts as nothing.

    Raises:
        SpecError: `out` is a file, or another's folder.
        TaskSetError: `out` lies inside a task set.
    """
    refuse_inside_a_set(out)
    _refuse_closed(out)
    cut_off = tuple(f".{mark.partition('/')[0]}." for mark in marks)
    if not out.exists() or (out.is_dir() and _fit(out, marks, cut_off)):
        return
    raise SpecError(
        "output folder exists and holds something else",
        value=str(out),
        where="--out",
        hint="Choose another folder, or remove this one first.",
    )


def _refuse_closed(out: Path) -> None:
    """Refuse a place where no folder can be made, before any work is done for it."""
    above = next((p for p in out.absolute().parents if os.path.lexists(p)), Path("/"))
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
        return
    raise SpecError(
        "no output folder can be made there",
        value=str(out),
        where="--out",
        hint=f"Choose a folder that can be written; {above} "
        f"{'cannot' if above.is_dir() else 'is no folder'}.",
    )


def _fit(out: Path, marks: Sequence[str], cut_off: tuple[str, ...]) -> bool:
    ours = any((out / mark).is_file() for mark in marks)
    return ours or all(path.name.startswith(cut_off) for path in out.iterdir())


class Progress:
    """A counter on stderr; silent when stderr is not a terminal.

    Inside a `timed` step it stands in the step's line and leaves that as it was.
    """

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
            self._write(f"{open_step()}{self._what} {self._done}/{self._total} {note}")

    def end(self) -> None:
        """Clear the line, or put back the step that it belongs to."""
        if self._shown:
            self._write(open_step())

    def _write(self, line: str) -> None:
        width = shutil.get_terminal_size((100, 24)).columns - 1
        print(f"\r\033[K{line[:width]}", end="", file=sys.stderr, flush=True)


_STEPS: list[str] = []
"""Labels of the steps whose line is open on a terminal; a terminal has one cursor."""


def open_step() -> str:
    """The line of the step that is open on the terminal; empty where none is."""
    return _STEPS[-1] if _STEPS else ""


@contextmanager
def timed(label: str, stream: TextIO | None = None) -> Iterator[None]:
    """A step with its time: the label at once, the seconds when it has ended.

    On stdout, as part of the answer, unless another `stream` is named.
    """
    where = sys.stdout if stream is None else stream
    began = time.monotonic()
    print(f"  {label} ... ", end="", file=where, flush=True)
    _STEPS.append(f"  {label} ... ")
    try:
        yield
    except BaseException:
        print("failed", file=where, flush=True)
        raise
    finally:
        _STEPS.pop()
    print(f"{time.monotonic() - began:.1f} s", file=where, flush=True)


def working(label: str) -> AbstractContextManager[None]:
    """A step of the progress: `timed` on stderr where that is a terminal, else silent."""
    return timed(label, sys.stderr) if sys.stderr.isatty() else nullcontext()
