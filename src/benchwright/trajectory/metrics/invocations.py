"""Invocations of the Python interpreter in the commands of a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from benchwright.trajectory.metrics.lists import listed
from benchwright.trajectory.shell.commands import Command, Script

Mode = Literal["dash_c", "heredoc", "module", "script", "stdin", "tool", "other"]
"""`-c`, here-document, `-m`, file, other standard input, a tool that runs Python, and what runs no
program (a version, a prompt), which is not counted as a call."""

_INTERPRETER = re.compile(r"python(?:\d+(?:\.\d+)*)?[wt]?(?:\.exe)?")
_RUNNERS = listed("python_runners")
_WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")
_NO_PROGRAM = ("--version", "--help", "--help-all", "--help-env", "--help-xoptions")


@dataclass(frozen=True, slots=True)
class Invocation:
    """One run of the interpreter; `text` None where its program is elsewhere or not known."""

    mode: Mode
    text: str | None = None
    path: str | None = None
    """Of a script, as the command names it."""


def is_python(name: str | None) -> bool:
    """Whether a command is the interpreter, numbered or not."""
    return name is not None and _INTERPRETER.fullmatch(name) is not None


def invocations(script: Script, start: int = 0) -> Iterator[Invocation]:
    """The runs of the interpreter that a script asks for, in order, from a command on."""
    for command in script.commands[start:]:
        words = _interpreter(command)
        if words is not None:
            yield _invocation(words, command, script)


def _interpreter(command: Command) -> tuple[str | None, ...] | None:
    """The words of the interpreter's own command line, behind a runner too."""
    if is_python(command.name):
        return command.words
    if command.name in _RUNNERS:
        for at, word in enumerate(command.words[1:], start=1):
            if word and is_python(word.rpartition("/")[2]):
                return command.words[at:]
    return None


def _invocation(words: tuple[str | None, ...], command: Command, script: Script) -> Invocation:
    at = 1
    while at < len(words):
        word = words[at]
        if word is None:
            return Invocation("script")
        if word == "-" or not word.startswith("-"):
            break
        if word in _NO_PROGRAM or (word[1] in "hV?" and len(word) < 4):
            return Invocation("other")
        if word in _WITH_VALUE:
            at += 2
        elif word.startswith(("--", "-W", "-X")):
            at += 1
        elif "c" in word:
            glued = word.partition("c")[2]
            return Invocation("dash_c", glued or (words[at + 1] if at + 1 < len(words) else None))
        elif "m" in word:
            return Invocation("module")
        else:
            at += 1
    if at < len(words) and words[at] != "-":
        return Invocation("script", path=words[at])
    return _from_stdin(command, script)


def _from_stdin(command: Command, script: Script) -> Invocation:
    if command.stdin is not None:
        return Invocation("heredoc", command.stdin.text)
    if command.piped_from is not None:
        before = script.commands[command.piped_from]
        given = before.stdin.text if before.name == "cat" and before.stdin else None
        return Invocation("heredoc" if given is not None else "stdin", given)
    if any(redirect.operator.endswith("<") for redirect in command.redirects):
        return Invocation("stdin")
    return Invocation("other")
