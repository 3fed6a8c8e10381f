"""The audit of shortcuts of a set on disk (coverage T44): what must not tell the class.

    sizes and order of files       per system
    before the change              per system and noise level
    noise alone                    per system and noise level
    noise just before the change   per system and noise level

Learners look at these (see `checks.shortcuts`); at a level without noise the rows before the change
must be those of the unchanged run. Takes a set and an executor; gives verdicts. Needs LEAST_SAMPLES
of a system at a level, or says that it was not audited.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from benchwright.canonical import Json
from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.checks.shortcuts.audit import LEAST_SAMPLES, LEVEL, Answer, Verdict, ask, judged
from benchwright.checks.shortcuts.learners import require
from benchwright.errors import MissingExtraError
from benchwright.executors import open_executor
from benchwright.suites.tracebench.audited import Audited, kappa
from benchwright.suites.tracebench.leak_views import told_without, views
from benchwright.suites.tracebench.listings import listing_view

NAME: Final = "shortcuts"
_DIGITS: Final = 4
_HINT = "The set tells the class by something other than what a change does: draw it again."


@dataclass(frozen=True, slots=True)
class Part:
    """One system at one level, or its listings where the level is None."""

    system: str
    level: str | None

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.system}, {self.level} noise" if self.level else f"{self.system}, files"


@dataclass(frozen=True, slots=True)
class Audit:
    """What the audit of one set found."""

    verdicts: tuple[Verdict, ...]
    short: tuple[tuple[Part, int], ...] = ()
    """Parts with too few samples, and how many these have."""
    clean: tuple[tuple[Part, tuple[str, ...]], ...] = ()
    """Parts without noise, and their samples that differ before the change."""

    @property
    def fires(self) -> bool:
        """Whether anything tells the class that must not."""
        return any(v.fires for v in self.verdicts) or any(names for _, names in self.clean)

    @property
    def told(self) -> dict[str, Json]:
        """What a manifest says about it."""
        return {
            "fires": self.fires,
            "level": LEVEL,
            "tests": sum(verdict.answer.decides for verdict in self.verdicts),
            "answers": [_told(verdict) for verdict in self.verdicts],
            "differing": sum(len(names) for _, names in self.clean),
        }


def audit(path: Path, executor: Executor) -> Audit:
    """Audit the set in the folder `path`; parts are independent jobs.

    Raises:
        MissingExtraError: there is something to learn, and the learners are not installed.
    """
    audited = Audited(path)
    parts = [Part(system, level) for system, level in audited.parts]
    parts += [Part(system, None) for system in sorted({part.system for part in parts})]
    silent = [part for part in parts if part.level and kappa(part.level) == 0.0]
    others = [part for part in parts if part not in silent]
    sizes = {part: len(audited.names(part.system, part.level)) for part in others}
    ready = [part for part in others if sizes[part] >= LEAST_SAMPLES]
    if ready:
        require()
    jobs = [executor.submit(asked, path, part) for part in ready]
    clean = tuple((p, told_without(audited.observed(p.system, p.level or ""))) for p in silent)
    return Audit(
        verdicts=tuple(judged(chain.from_iterable(job.result() for job in jobs))),
        short=tuple((part, size) for part, size in sizes.items() if part not in ready),
        clean=clean,
    )


def asked(path: Path, part: Part) -> list[Answer]:
    """What the learners get right in the views of one part: the work of one process."""
    audited = Audited(path)
    if part.level is None:
        listed = audited.listed(part.system)
        return ask(listing_view(part.system, listed, audited.recipes))
    seen = audited.observed(part.system, part.level)
    return [answer for view in views(seen) for answer in ask(view)]


def check_shortcuts(subject: Subject) -> Found:
    """The audit as a check; what could not be audited is told as skipped."""
    try:
        with open_executor("processes") as executor:
            return list(findings(audit(subject.tasks.path, executor)))
    except MissingExtraError as error:
        return [Note(NAME, f"not audited: {error.problem}. {error.hint}", skipped=True)]


def findings(found: Audit) -> Iterator[Problem | Note]:
    """One finding per view and learner, and per part that was not audited; one where none was."""
    for part, names in found.clean:
        if names:
            yield Problem(NAME, names[0], f"{part.name}: rows before a change differ", _HINT)
        else:
            yield Note(NAME, f"{part.name}: rows before a change are those of the unchanged run")
    for verdict in found.verdicts:
        where, text = verdict.answer.where, _words(verdict)
        fires = Problem(NAME, where, text, _HINT)
        yield fires if verdict.fires else Note(NAME, f"{where}, {text}")
    if found.short and not found.verdicts and not found.clean:
        most = max(size for _, size in found.short)
        text = f"not audited: {most} samples of a system at most, {LEAST_SAMPLES} needed"
        yield Note(NAME, text, skipped=True)
        return
    for part, size in found.short:
        few = f"{part.name}: not audited: {size} samples, {LEAST_SAMPLES} needed"
        yield Note(NAME, few, skipped=True)


def _words(verdict: Verdict) -> str:
    answer = verdict.answer
    most = f"{verdict.interval[1]:.1%} at most by chance"
    return (
        f"{answer.view}, {answer.learner}: {verdict.accuracy:.1%} of the classes "
        f"(chance {verdict.chance:.1%}, {most if answer.decides else 'may tell by physics'}; "
        f"{answer.detail})"
    )


def _told(verdict: Verdict) -> dict[str, Json]:
    answer = verdict.answer
    low, high = verdict.interval
    return {
        "where": answer.where,
        "view": answer.view,
        "learner": answer.learner,
        "decides": answer.decides,
        "samples": answer.samples,
        "configurations": answer.configurations,
        "accuracy": round(verdict.accuracy, _DIGITS),
        "chance": round(verdict.chance, _DIGITS),
        "interval": [round(low, _DIGITS), round(high, _DIGITS)],
        "fires": verdict.fires,
    }
