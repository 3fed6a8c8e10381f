"""The records that a parsed shell script is made of."""

from __future__ import annotations

from dataclasses import dataclass

from benchwright.trajectory.shell.heredocs import Heredoc

NO_JOB = 99
"""`Command.background` of what nobody waits for, as in `>(...)`."""


@dataclass(frozen=True, slots=True)
class Redirect:
    """`operator` as written (`>`, `>>`, `&>`, `2>`); target None where it is computed."""

    operator: str
    target: str | None
    shape: str = ""
    """A computed target with `*` for each expansion in it."""


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command."""

    words: tuple[str | None, ...]
    """Name first; None for a word that holds an expansion."""
    redirects: tuple[Redirect, ...] = ()
    stdin: Heredoc | None = None
    piped_from: int | None = None
    """Index in the list of the command whose output is this one's input."""
    pipes_on: bool = False
    conditional: bool = False
    """Whether it may not have run, or more than once: behind `||`, in a branch, loop, function."""
    nested: bool = False
    """Inside a substitution or a subshell."""
    guarded: bool = False
    """Ran only if the script ended well: the last list has a program before it that may fail."""
    scope: tuple[int, ...] = ()
    """The subshells it is in, outermost first; commands of one scope share a folder."""
    chain: int = 0
    """Number of the statement of the script that it belongs to; `a && b` is one."""
    background: int = 0
    """Not 0: runs beside what follows. 1: a job of the script, which `wait` waits for; else a job
    of an inner shell, or `NO_JOB`."""
    muted: bool = False
    """What it complains of is not in the output of the script."""
    group: bool = False
    """No command: the redirects of a group, loop or branch as a whole."""
    takes_over: bool = False
    """Behind `exec`: the shell ends with it."""

    @property
    def name(self) -> str | None:
        """Last part of the program's path; None where it is computed."""
        first = self.words[0] if self.words else None
        return first.rpartition("/")[2] if first else None


def hides(command: Command) -> bool:
    """Whether its redirects take away what it complains of."""
    return any(r.operator.startswith(("2", "&", ">&")) for r in command.redirects)


@dataclass(frozen=True, slots=True)
class Script:
    """What a script runs; `broken` where a part of it could not be parsed."""

    commands: tuple[Command, ...]
    broken: bool
    defined: frozenset[str] = frozenset()
    """Names of its functions."""
