"""A set is drawn again while the audit of shortcuts finds something in it.

Takes how a set is written and its first secrets; gives the first draw in which nothing was found,
with what was found in those before. A draw is written beside its target and audited as anybody's
set on disk, so what was audited is what is kept. Every next seed is a digest of the one before.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchwright.canonical import Json, digest
from benchwright.errors import SpecError
from benchwright.suites.tracebench.manifest import AuditHistory
from benchwright.suites.tracebench.plans import Secrets
from benchwright.suites.tracebench.shortcuts import Audit, audit
from benchwright.tasks.taskset import TaskSet

MOST_DRAWS: Final = 3
"""A sound way to draw is accused three times over with probability 8 in a million."""

Write = Callable[[Path, Secrets, AuditHistory], TaskSet]
"""Writes the set of some secrets into a folder; its manifest tells the history."""


def drawn_until_silent(write: Write, first: Secrets, out: Path, executor: Executor) -> TaskSet:
    """The set of the first draw in which the audit finds nothing.

    Raises:
        SpecError: it fires on MOST_DRAWS draws, or there are too few samples for it.
    """
    history: list[dict[str, Json]] = []
    drawn = first
    for _ in range(MOST_DRAWS):
        found = _audited(write, drawn, out, executor)
        history.append(found.told)
        if not found.fires:
            return write(out, drawn, history)
        drawn = replace(drawn, seed=digest([drawn.seed, "drawn again"]))
    raise SpecError(
        f"each of {MOST_DRAWS} draws tells the class by something that must not tell it",
        value=_first(found),
        where="audit",
        hint="Build without audit, and read: benchwright check FOLDER --only shortcuts",
    )


def _audited(write: Write, drawn: Secrets, out: Path, executor: Executor) -> Audit:
    beside = out.absolute().parent
    beside.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{out.name}.audit-", dir=beside) as folder:
        found = audit(write(Path(folder) / "set", drawn, ()).path, executor)
    if found.short:
        part, size = found.short[0]
        raise SpecError(
            "too few samples to audit",
            value=f"{part.name}: {size}",
            where="audit",
            hint="Ask for more held-out samples, or leave audit out.",
        )
    return found


def _first(found: Audit) -> str:
    fired = [verdict.answer for verdict in found.verdicts if verdict.fires]
    if not fired:
        return "rows before a change differ"
    return f"{fired[0].where}, {fired[0].view}, {fired[0].learner}"
