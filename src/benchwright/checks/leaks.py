"""Leaks: a search from inside the sandbox, with everything a cheat would look for."""

from __future__ import annotations

import asyncio
import json
from importlib import resources
from typing import Any

from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.isolation.agent_python import ensure_agent_python
from benchwright.isolation.box import Box
from benchwright.isolation.config import BoxConfig
from benchwright.tasks.model import Task
from benchwright.tasks.writer import CANARY

NAME = "leaks"
_SEARCH_S = 300.0


def check_leaks(subject: Subject) -> Found:
    """Search a box that holds the first task of the set for held content and benchwright."""
    if subject.sandbox == "none":
        return [Note(NAME, "there is no sandbox to search from", skipped=True)]
    return asyncio.run(_search(subject, subject.tasks.tasks[0]))


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
    hint = "The sandbox or the public half lets the agent reach what it must not."
    hits = [Problem(NAME, where, f"{what} is reachable", hint) for what, where in answer["hits"]]
    return list(hits) or [
        Note(NAME, f"{answer['files']} files searched from inside the sandbox: nothing held found")
    ]
