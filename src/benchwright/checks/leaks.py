"""Leaks: what is held stands in no public file, and is not reachable from inside the sandbox.

Every file of the public half is searched, of every task. One sandbox is searched too, with all that
a cheat would look for: what surrounds a task is the same for each.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.isolation.agent_python import ensure_agent_python
from benchwright.isolation.box import Box
from benchwright.isolation.config import BoxConfig
from benchwright.tasks.model import Task
from benchwright.tasks.writer import CANARY

NAME = "leaks"
_SEARCH_S = 300.0
_DIGITS = 64
_DIGEST = re.compile(rf"[0-9a-f]{{{_DIGITS}}}")
_LONG = re.compile(rb"[0-9a-f]{%d,}" % _DIGITS)
_BLOCK = 1 << 22
_HINT = "The sandbox or the public half lets the agent reach what it must not."


def check_leaks(subject: Subject) -> Found:
    """Search all public files, and a box that holds the first task of the set."""
    found = search_public(subject)
    if subject.sandbox == "none":
        return [*found, Note(NAME, "there is no sandbox to search from", skipped=True)]
    return [*found, *asyncio.run(_search(subject, subject.tasks.tasks[0]))]


def search_public(subject: Subject) -> Found:
    """Search every file outside the held half: prompts, samples, records, stores."""
    path, asked = subject.tasks.path, needles(subject)
    found: Found = []
    files = [file for file in sorted(path.rglob("*")) if _is_public(file, path)]
    for file in files:
        where = file.relative_to(path).as_posix()
        found += [Problem(NAME, where, f"{what} is public", _HINT) for what in held_in(file, asked)]
    found += unsaid_in(subject)
    return found or [Note(NAME, f"{len(files)} public files searched: nothing held found")]


def unsaid_in(subject: Subject) -> list[Problem]:
    """Names of the data that stand in what is published: tasks, and the file of the set.

    A store holds them all: it is what operations answer from, and no part of what is published.
    """
    names, root = subject.suite.unsaid(subject.tasks, subject.held), subject.tasks.path
    files = [root / "taskset.toml", *sorted((root / "tasks").rglob("*"))] if names else []
    found: list[Problem] = []
    for file in (file for file in files if file.is_file()):
        text = file.read_text(encoding="utf-8", errors="replace")
        where = file.relative_to(root).as_posix()
        for name, what in sorted(names.items(), key=lambda one: (-len(one[0]), one[0])):
            if holds(text, name):
                text = text.replace(name, "")  # nor is a part of it told once more
                found.append(Problem(NAME, where, f"{what} {name!r} is public", _HINT))
    return found


def holds(text: str, name: str) -> bool:
    """Whether a name stands in a text as a whole word."""
    if not name or name not in text:
        return False
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def held_in(file: Path, asked: Mapping[str, str]) -> list[str]:
    """What of `asked` stands in a file, sorted; its memory is bounded.

    Digests are looked up among the runs of hexadecimal digits, so their number costs nothing.
    """
    digests = {text.encode(): what for what, text in asked.items() if _DIGEST.fullmatch(text)}
    plain = {text.encode(): what for what, text in asked.items() if not _DIGEST.fullmatch(text)}
    keep = max(_DIGITS, *map(len, plain)) if plain else _DIGITS
    found: set[str] = set()
    tail = b""
    with file.open("rb") as opened:
        while block := opened.read(_BLOCK):
            text = tail + block
            found |= {what for needle, what in plain.items() if needle in text}
            found |= {digests[run] for run in _runs(text) if run in digests}
            tail = text[-keep:]
    return sorted(found)


def _runs(text: bytes) -> Iterator[bytes]:
    for match in _LONG.finditer(text):
        for start in range(match.start(), match.end() - _DIGITS + 1):
            yield text[start : start + _DIGITS]


def _is_public(file: Path, path: Path) -> bool:
    return file.relative_to(path).parts[0] != "held" and file.is_file()


def needles(subject: Subject) -> dict[str, str]:
    """What must not be found, by what it is: canary, secrets and every digest of the held half."""
    digests = subject.held.digests
    held = {f"digest of gold {name}": value for name, value in digests.golds.items()}
    held |= {f"digest of {name}": value for name, value in digests.shared.items()}
    drawn = subject.held.build
    return {"canary": CANARY, "seed": drawn.seed, "salt": drawn.salt, **held}


async def _search(subject: Subject, task: Task) -> Found:
    script = resources.files("benchwright.checks").joinpath("search_script.py").read_bytes()
    config = BoxConfig(agent_python=str(ensure_agent_python().root))
    async with Box.open(config) as box:
        for path in sorted(task.files.rglob("*")):
            if path.is_file():
                await box.write(path.relative_to(task.files).as_posix(), path.read_bytes())
        asked = json.dumps(needles(subject)).encode()
        done = await box.exec(["python3", "-c", script.decode()], stdin=asked, timeout_s=_SEARCH_S)
    if done.returncode != 0 or done.timed_out:
        said = done.stderr.decode(errors="replace")[-200:]
        return [Problem(NAME, task.id, f"the search did not finish: {said}", "Repeat the check.")]
    return _judge(json.loads(done.stdout), task)


def _judge(answer: dict[str, Any], task: Task) -> Found:
    hits = [Problem(NAME, where, f"{what} is reachable", _HINT) for what, where in answer["hits"]]
    return list(hits) or [
        Note(NAME, f"{answer['files']} files searched from inside the sandbox: nothing held found")
    ]
