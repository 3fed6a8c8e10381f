"""Commands in the scripts of shell calls: how often each, and what `cat` was used for.

Every command counts that a script names: in pipelines, lists, branches and substitutions; of a
loop once. `python`, `python3` and numbered ones are one. facts: tracebench 9.4; behaviours 25, 28.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchwright.trajectory.events import Call
from benchwright.trajectory.metrics.invocations import invocations, is_python
from benchwright.trajectory.metrics.lists import listed
from benchwright.trajectory.metrics.scripts import script_of
from benchwright.trajectory.shell.commands import Command, Script

COMPUTED = "(computed)"
"""Stands for a command whose name only the shell knows."""


@dataclass(slots=True)
class Uses:
    """How often a command was named, and in how many calls."""

    count: int = 0
    call_unique: int = 0


@dataclass(slots=True)
class Cat:
    """What `cat` was used for."""

    invocations: int = 0
    patterns: Counter[str] = field(default_factory=Counter)
    """heredoc_write, file_concat_to_stdout, file_concat_to_file, pipe_into_cat, other."""
    python_files: Counter[str] = field(default_factory=Counter)
    """Python files written from here-documents."""
    other_files: Counter[str] = field(default_factory=Counter)
    followups: Counter[str] = field(default_factory=Counter)
    """Commands behind a here-document that was written, in the same script."""
    executed_in_same_shell_snippet: int = 0
    not_executed_in_same_shell_snippet: int = 0
    heredoc_delimiters: Counter[str] = field(default_factory=Counter)


class Commands:
    """Fold over shell calls."""

    def __init__(self) -> None:
        self.uses: dict[str, Uses] = {}
        self.cat = Cat()
        self.broken = 0
        """Scripts of which a part could not be parsed."""

    def asked(self, call: Call) -> None:
        """A call was made, whatever became of it."""
        script = script_of(call)
        if script is None:
            return
        self.broken += script.broken
        names = [name for command in script.commands if (name := _name(command))]
        for name, count in Counter(names).items():
            uses = self.uses.setdefault(name, Uses())
            uses.count += count
            uses.call_unique += 1
        for number, command in enumerate(script.commands):
            if command.name == "cat":
                self._cat(command, script, number)

    def _cat(self, command: Command, script: Script, number: int) -> None:
        self.cat.invocations += 1
        target = _target(command)
        if command.stdin is not None:
            self.cat.heredoc_delimiters[command.stdin.delimiter] += 1
        if command.stdin is not None and target is not None:
            self.cat.patterns["heredoc_write"] += 1
            self._written(target, script, number)
        else:
            self.cat.patterns[_pattern(command, target)] += 1

    def _written(self, target: str, script: Script, number: int) -> None:
        behind = script.commands[number + 1 :]
        run = {i.path for i in invocations(script, number + 1) if i.path} | _run(behind)
        self.cat.followups.update(name for command in behind if (name := _name(command)))
        if target.endswith(".py"):
            self.cat.python_files[target] += 1
        else:
            self.cat.other_files[target] += 1
        if posixpath.normpath(target) in {posixpath.normpath(path) for path in run}:
            self.cat.executed_in_same_shell_snippet += 1
        else:
            self.cat.not_executed_in_same_shell_snippet += 1


def _name(command: Command) -> str | None:
    """The name that a command counts under; None for a bare redirection or group."""
    if not command.words or (command.words == (None,) and command.redirects):
        return None
    if command.name is None:
        return COMPUTED
    return "python" if is_python(command.name) else command.name


def _target(command: Command) -> str | None:
    """The file that the output goes to."""
    outs = [r for r in command.redirects if r.operator in (">", ">>", "1>", "1>>", ">|", "&>")]
    return outs[-1].target if outs else None


def _pattern(command: Command, target: str | None) -> str:
    named = any(word is None or not word.startswith("-") for word in command.words[1:])
    if named:
        return "file_concat_to_stdout" if target is None else "file_concat_to_file"
    return "pipe_into_cat" if command.piped_from is not None else "other"


def _run(commands: Sequence[Command]) -> set[str]:
    """Files that commands run: given to a shell or another interpreter, or called by a path."""
    run: set[str] = set()
    for command in commands:
        if command.name in listed("file_runners"):
            run.update(word for word in command.words[1:] if word)
        if command.words and command.words[0] and "/" in command.words[0]:
            run.add(command.words[0])
    return run
