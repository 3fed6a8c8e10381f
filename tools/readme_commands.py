"""Commands of a Markdown file, run as they stand there and compared with the output shown.

Takes a Markdown file; runs every fenced block whose info string holds the word `ci`, in order, in
one folder. In a `console` block lines after `$ ` are commands and the others their output; in any
other block every line is a command. A shown line must occur in the real output in its order, where
`...` stands for anything. Stops at the first command that fails or says something else.

    python tools/readme_commands.py README.md [FOLDER]
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```\s*$", re.M | re.S)


@dataclass(frozen=True, slots=True)
class Command:
    """One command line and the output lines that the page shows for it."""

    line: str
    shown: tuple[str, ...] = ()


def commands(markdown: str) -> list[Command]:
    """Every command of the blocks marked `ci`."""
    found: list[Command] = []
    for block in FENCE.finditer(markdown):
        info = block["info"].split()
        if "ci" in info[1:]:
            body = block["body"].replace("\\\n", " ")
            found += _console(body) if info[0] == "console" else _plain(body)
    return found


def missing(shown: Iterable[str], output: str) -> str | None:
    """The first shown line that the output lacks, or None; both are read without outer space."""
    lines = iter(output.splitlines())
    for wanted in (line.strip() for line in shown):
        if wanted and not any(_matches(wanted, line.strip()) for line in lines):
            return wanted
    return None


def run(found: Iterable[Command], folder: Path) -> int:
    """Run commands in `folder`; 0 when each ends well and says what the page shows."""
    for command in found:
        start = time.monotonic()
        print(f"$ {command.line}", flush=True)
        done = subprocess.run(
            ["bash", "-c", command.line],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        lacks = missing(command.shown, done.stdout)
        if done.returncode or lacks is not None:
            print(done.stdout)
            why = f"exit code {done.returncode}" if done.returncode else f"no line like: {lacks}"
            print(f"readme: failed, {why}")
            return 1
        print(f"  {time.monotonic() - start:.1f} s", flush=True)
    return 0


def main(argv: list[str]) -> int:
    """Run a file's commands in the given folder or in a temporary one."""
    found = commands(Path(argv[0]).read_text())
    if not found:
        print(f"readme: no block marked ci in {argv[0]}")
        return 2
    with tempfile.TemporaryDirectory(prefix="benchwright-readme-") as made:
        return run(found, Path(argv[1] if argv[1:] else made))


def _plain(body: str) -> list[Command]:
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in body.splitlines())
    return [Command(line) for line in lines if line]


def _console(body: str) -> list[Command]:
    parts = re.split(r"^\$ ", body, flags=re.M)[1:]
    lines = [part.rstrip("\n").split("\n") for part in parts]
    return [Command(first.strip(), tuple(shown)) for first, *shown in lines]


def _matches(wanted: str, line: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in wanted.split("..."))
    return wanted == "..." or re.fullmatch(pattern, line) is not None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
