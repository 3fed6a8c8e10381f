"""The shell script of a call, parsed."""

from __future__ import annotations

from benchwright.trajectory.events import Call
from benchwright.trajectory.shell.commands import Script, parse_argv, parse_script
from benchwright.trajectory.tools import argument


def script_of(call: Call) -> Script | None:
    """The commands of a shell call; None where it is none, or has no command."""
    if call.kind != "shell":
        return None
    command = argument(call.arguments, "command")
    if isinstance(command, str):
        return parse_script(command)
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        return parse_argv(command)
    return None
