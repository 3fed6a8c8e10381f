"""`check`: every check, or the named ones."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from benchwright.checks.leaks import check_leaks
from benchwright.checks.model import Checks, Found, Note, Problem, Subject
from benchwright.checks.rebuild import check_rebuild
from benchwright.checks.soundness import check_soundness
from benchwright.checks.structure import check_structure
from benchwright.cli.output import Progress, emit_json, say, working
from benchwright.cli.run import sandbox_kind
from benchwright.errors import SpecError
from benchwright.report.words import counted
from benchwright.suites import open_suite
from benchwright.tasks.taskset import HeldSet, TaskSet

CHECKS: Checks = {
    "structure": check_structure,
    "rebuild": check_rebuild,
    "leaks": check_leaks,
    "soundness": check_soundness,
}
"""Of every set; a suite may have more."""
SHOWN = 20
"""Problems of one check that are printed."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checks found, and what was not looked at."""

    found: Found
    done: tuple[str, ...]
    """Checks that looked at everything that they are for."""
    left: tuple[str, ...]
    """The others: not asked for, not reached, or in need of a sandbox."""
    tried: tuple[str, ...] = ()
    """Agents that the suite proposes for a first run."""

    @property
    def problems(self) -> list[Problem]:
        """Reasons to refuse the set."""
        return [found for found in self.found if isinstance(found, Problem)]

    @property
    def sound(self) -> bool | None:
        """None where nothing was found, but not everything was looked at."""
        return False if self.problems else None if self.left else True

    @property
    def verdict(self) -> str:
        """One line: `sound` only where every check had its say."""
        number = len(self.problems)
        said = f"not sound: {counted(number, 'problem')}" if number else "sound"
        if not self.left:
            return said
        said += "" if number else f" as far as checked ({', '.join(self.done) or 'nothing'})"
        return f"{said}; not checked: {', '.join(self.left)}"


def check(tasks: Path, only: str | None, sandbox: str, as_json: bool) -> int:
    """Print what each check found; 1 when any found a problem."""
    checked = check_set(tasks, only, sandbox)
    if as_json:
        notes = [f for f in checked.found if not isinstance(f, Problem)]
        emit_json("check", {
            "tasks": tasks,
            "sound": checked.sound,
            "checked": checked.done,
            "not_checked": checked.left,
            "problems": checked.problems,
            "notes": notes,
        })  # fmt: skip
    else:
        for line in lines(checked.found):
            say(line)
        say(checked.verdict)
        if checked.sound is not False:
            say(f"next: {following(tasks, checked.tried)}")
    return 1 if checked.problems else 0


def following(tasks: Path, tried: Sequence[str]) -> str:
    """The command after this one: the agents that the suite proposes, or a model."""
    own = shlex.quote(str(tasks))
    agents = " ".join(f"--agent {name}" for name in tried) or "--agent react --model MODEL"
    return f"benchwright run {own} {agents} --out {own}-run"


def check_set(
    path: Path,
    only: str | None = None,
    sandbox: str = "bwrap",
    step: Callable[[str], AbstractContextManager[None]] = working,
    run: Path | None = None,
) -> Checked:
    """Run the checks named in `only` (all when None); structure first, alone if it fails.

    `step` surrounds each check, for progress; in `run` the reference agents have already answered.
    """
    tasks = TaskSet.open(path)
    box = sandbox_kind(sandbox)
    suite = open_suite(tasks.suite)
    known = {**CHECKS, **suite.checks}
    names = _names(only, tuple(known))
    episodes = _Episodes()
    subject = Subject(tasks, HeldSet.open(path), suite, box, episodes, run)
    found: Found = []
    tried: list[str] = []
    for name in names:
        with step(name):
            own = known[name](subject)
            episodes.end()
        found += own
        tried.append(name)
        if name == "structure" and any(isinstance(f, Problem) for f in own):
            break
    short = {f.check for f in found if isinstance(f, Note) and f.skipped}
    done = tuple(name for name in tried if name not in short)
    left = tuple(name for name in known if name not in done)
    return Checked(found, done, left, suite.tried)


def lines(found: Found) -> list[str]:
    """One line per finding, problems with their next step; of each check's problems the first 20.

    A line says how many more there are.
    """
    said: list[str] = []
    for name, own in groupby(found, key=lambda f: f.check):
        problems = 0
        for one in own:
            problems += isinstance(one, Problem)
            if not isinstance(one, Problem) or problems <= SHOWN:
                said.append(_line(one))
        if problems > SHOWN:
            more = counted(problems - SHOWN, "more problem")
            said.append(f"  PROBLEM {name}: {more} of this check; --json lists all")
    return said


def _line(one: Problem | Note) -> str:
    if isinstance(one, Problem):
        return f"  PROBLEM {one.check}: {one.problem} ({one.where}). {one.hint}"
    return f"  {'skipped' if one.skipped else 'ok     '} {one.check}: {one.text}"


class _Episodes:
    """Counts the episodes of a check on a terminal."""

    def __init__(self) -> None:
        self._shown: Progress | None = None

    def __call__(self, done: int, total: int) -> None:
        if self._shown is None:
            self._shown = Progress("episodes", total)
        self._shown.step()

    def end(self) -> None:
        if self._shown is not None:
            self._shown.end()
            self._shown = None


def _names(only: str | None, known: Sequence[str]) -> list[str]:
    if only is None:
        return list(known)
    names = [name.strip() for name in only.split(",")]
    for name in names:
        if name not in known:
            raise SpecError(
                "unknown check" if name else "check without a name",
                value=name or only,
                where="--only",
                hint=f"Use names from: {', '.join(known)}.",
            )
    return sorted({*names}, key=known.index)
