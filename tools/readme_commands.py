"""Commands of a Markdown file, run as they stand there and compared with the output shown.

Takes Markdown files; runs every fenced block whose info string holds the word `ci`, in order, in
one folder per file. In a `console` block lines after `$ ` are commands and the others their output;
in any other block every line is a command. A shown line must occur in the real output in its order,
where `...` stands for anything. A block with `file=NAME` is written to that file instead of run.
Stops at the first command that fails or says something else.

    python tools/readme_commands.py FILE.md [FILE.md ...]
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
    file: str | None = None
    """Where `line` is written instead of being run."""


def commands(markdown: str) -> list[Command]:
    """Every command of the blocks marked `ci`."""
    found: list[Command] = []
    for block in FENCE.finditer(markdown):
        info = block["info"].split()
        names = [word.removeprefix("file=") for word in info if word.startswith("file=")]
        body = block["body"].replace("\\\n", " ")
        if "ci" in info[1:] and names:
            found.append(Command(block["body"], file=names[0]))
        elif "ci" in info[1:]:
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
        if command.file is not None:
            (folder / command.file).write_text(command.line, encoding="utf-8")
            continue
        start = time.monotonic()
        print(f"$ {command.line}", flush=True)
        code, output = _output(command.line, folder)
        lacks = missing(command.shown, output)
        if code or lacks is not None:
            print(output)
            print(
                "failed:", f"exit code {code}" if code else f"the output has no line like {lacks}"
            )
            return 1
        print(f"  {time.monotonic() - start:.1f} s", flush=True)
    return 0


def main(argv: list[str]) -> int:
    """Run each file's commands in a temporary folder of its own; 2 for a file without any."""
    for name in argv:
        found = commands(Path(name).read_text(encoding="utf-8"))
        print(f"{name}: {len(found)} commands", flush=True)
        with tempfile.TemporaryDirectory(prefix="benchwright-readme-") as folder:
            code = run(found, Path(folder)) if found else 2
        if code:
            return code
    return 0


def _output(line: str, folder: Path) -> tuple[int, str]:
    """Exit code, and both streams together; a later command reads nothing from the terminal."""
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


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
