"""The forger: an agent that claims success instead of working, in every way it can think of.

It writes result files into every folder of the box that it can write to, leaves a process that goes
on writing after the agent has returned, and submits a rule that does the same while it is scored. A
sound benchmark gives it 0. It runs in a box only: its script refuses to start anywhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from benchwright.isolation.workspace import Workspace
from benchwright.running.desk import Desk
from benchwright.tasks.model import Task

BOX_PYTHON = "/opt/agent/bin/python3"
"""Exists in a box and nowhere else; without it the script stops at once."""

SECONDS_AFTER = 60
_START_S = 60.0


@dataclass(frozen=True, slots=True)
class Forger:
    """Starts the script, waits for its first round of writing, and returns while it goes on."""

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        """Leave forged files and a process behind."""
        script = script_text()
        await box.write("forge.py", script.encode())
        if task.submission.mode == "programmatic":
            await box.write("rule.py", script.encode())
        command = ("python3", "forge.py", "/", BOX_PYTHON, str(SECONDS_AFTER))
        await box.exec(command, timeout_s=_START_S)


def script_text() -> str:
    """The script: arguments are the folder to fill, the guard file and the seconds to go on."""
    return (files(__package__) / "scripts" / "forge.py").read_text(encoding="utf-8")
