"""`check`: every check, or the named ones."""

from __future__ import annotations

from pathlib import Path

from benchwright.checks.leaks import check_leaks
from benchwright.checks.model import Checks, Found, Problem, Subject
from benchwright.checks.rebuild import check_rebuild
from benchwright.checks.soundness import check_soundness
from benchwright.checks.structure import check_structure
from benchwright.cli.output import emit_json, say
from benchwright.cli.run import sandbox_kind
from benchwright.errors import SpecError
from benchwright.suites import open_suite
from benchwright.tasks.taskset import HeldSet, TaskSet

CHECKS: Checks = {
    "structure": check_structure,
    "rebuild": check_rebuild,
    "leaks": check_leaks,
    "soundness": check_soundness,
}


def check(tasks: Path, only: str, sandbox: str, as_json: bool) -> int:
    """Print what each check found; 1 when any found a problem."""
    found = check_set(tasks, only, sandbox)
    problems = [f for f in found if isinstance(f, Problem)]
    if as_json:
        notes = [f for f in found if not isinstance(f, Problem)]
        emit_json("check", {"tasks": tasks, "problems": problems, "notes": notes})
    else:
        for line in lines(found):
            say(line)
        say("sound" if not problems else f"not sound: {len(problems)} problems")
    return 1 if problems else 0


def check_set(path: Path, only: str = "", sandbox: str = "bwrap") -> Found:
    """Run the checks named in `only` (all when empty); structure first, alone if it fails."""
    tasks = TaskSet.open(path)
    box = sandbox_kind(sandbox)
    subject = Subject(tasks, HeldSet.open(path), open_suite(tasks.suite), box)
    found: Found = []
    for name in _names(only):
        found += CHECKS[name](subject)
        if name == "structure" and any(isinstance(f, Problem) for f in found):
            break
    return found


def lines(found: Found) -> list[str]:
    """One line per finding, problems with their next step."""
    return [
        f"  PROBLEM {f.check}: {f.problem} ({f.where}). {f.hint}"
        if isinstance(f, Problem)
        else f"  ok      {f.check}: {f.text}"
        for f in found
    ]


def _names(only: str) -> list[str]:
    names = [name.strip() for name in only.split(",") if name.strip()] or list(CHECKS)
    for name in names:
        if name not in CHECKS:
            raise SpecError(
                "unknown check",
                value=name,
                where="--only",
                hint=f"Use names from: {', '.join(CHECKS)}.",
            )
    return sorted(names, key=list(CHECKS).index)
