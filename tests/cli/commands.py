"""The command line as a person meets it: its own process, its output, its exit code."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

START = "from benchwright.cli import main; main()"


@dataclass(frozen=True)
class Said:
    """What one command left on its two streams, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def everything(self) -> str:
        return self.out + self.err


def benchwright(
    *arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Said:
    """Run `benchwright` with these arguments and wait for it."""
    done = subprocess.run(
        [sys.executable, "-c", START, *map(str, arguments)],
        cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    return Said(done.returncode, done.stdout, done.stderr)


def refused(said: Said, *words: str) -> None:
    """Exit code 2, and one line on stderr that names problem, place and next step."""
    assert said.code == 2, said
    lines = said.err.splitlines()
    assert len(lines) == 1, said.err
    assert lines[0].startswith("benchwright: ")
    assert "Traceback" not in said.everything
    for word in words:
        assert word in lines[0], lines[0]


def refused_fully(said: Said, *words: str) -> None:
    """As `refused`, with value and place: `problem: value (place). Next step.`"""
    refused(said, *words)
    assert re.search(r"^benchwright: .+: .+ \(.+\)\. \S+ .+", said.err), said.err


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its content: equal trees mean that nothing was written."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _read_terminal(end: int) -> str:
    said = b""
    while True:
        try:
            more = os.read(end, 65536)
        except OSError:  # the other end was closed
            return said.decode()
        if not more:
            return said.decode()
        said += more


def on_a_terminal(program: str, *words: object) -> tuple[str, str]:
    """Standard output of a Python text, and what a terminal on its standard error was shown."""
    master, slave = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, words)], stdout=subprocess.PIPE, stderr=slave
    )
    os.close(slave)
    shown = _read_terminal(master)
    out, _ = child.communicate()
    os.close(master)
    return out.decode(), shown


def left_on(shown: str) -> list[str]:
    """The lines that stand on a terminal in the end, where lines were begun again and again."""
    return [line.split("\r\x1b[K")[-1].rstrip("\r") for line in shown.split("\n")]
