"""Soundness of a set of conversations: the oracle meets every obligation, others pass none.

All rows are had at a desk in this process: by the oracle, by one that says nothing and by one that
always says the same. One row of every family and variant is then run on the path of real agents.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final

from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.running.agents import agent_record
from benchwright.running.desk import Desk
from benchwright.running.plan import box_of
from benchwright.running.run import RunRequest, run_episodes
from benchwright.scoring.sheets import read_sheet
from benchwright.suites.telemetry.baselines import ABSTAINS, insist
from benchwright.suites.telemetry.dialogue.model import Script
from benchwright.suites.telemetry.episode import conversation, session
from benchwright.suites.telemetry.evaluation.evaluate import evaluated
from benchwright.suites.telemetry.score import CONTRACT
from benchwright.suites.telemetry.worker import Habits, work

NAME: Final = "soundness"
REFUSALS: Final = 0.0
"""Share of rows that one who always says the same may pass: handles cannot be guessed."""
_WANTED: Final[Mapping[str, str]] = {
    "oracle": "A gold cannot be reached: build the set again.",
    "noop": "Doing nothing must earn nothing.",
    "constant": "Saying always the same must earn nothing.",
}


def check_soundness(subject: Subject) -> Found:
    """What oracle, no-op and constant agent earn on every row, and on the path of real agents."""
    passed = _at_desks(subject)
    total = len(subject.tasks.task_digests)
    found = [_told(name, passed[name], total, "rows") for name in _WANTED]
    return [*found, *_on_path(subject)]


def _told(name: str, passed: int, total: int, what: str) -> Problem | Note:
    text = f"{name}: {passed} of {total} {what} passed"
    fine = passed == total if name == "oracle" else passed <= REFUSALS * total
    return Note(NAME, text) if fine else Problem(NAME, name, text, _WANTED[name])


def _at_desks(subject: Subject) -> Counter[str]:
    talks: Mapping[str, Callable[[Script, Desk], None]] = {
        "oracle": lambda script, desk: work(script, desk, Habits()),
        "noop": lambda script, desk: None,
        "constant": lambda script, desk: insist(desk, ABSTAINS),
    }
    passed: Counter[str] = Counter()
    for task in subject.tasks.tasks:
        script, duties, _ = conversation(subject.held.gold(task.id))
        for name, talk in talks.items():
            desk = Desk(session(subject.tasks, subject.held, task))
            desk.open()
            talk(script, desk)
            lines = [asdict(exchange) for exchange in desk.exchanges()]
            passed[name] += evaluated(lines, script, duties).first is None
    return passed


def _on_path(subject: Subject) -> Found:
    """One row of every family and variant, run as agents run."""
    chosen = _one_of_each(subject)
    names = list(_WANTED)
    box = box_of(subject.tasks.tasks, subject.sandbox)
    agents = [agent_record(subject.suite, name, None, box) for name in names]
    request = RunRequest(
        subject.tasks, subject.suite, agents, only=lambda planned: planned.task_id in chosen
    )
    passed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="benchwright-check-") as folder:
        result = run_episodes(request, Path(folder) / "run")
        for episode in result.run.episodes():
            sheet = read_sheet(episode.folder, subject.suite.scoring.name)
            contract = next((c for c in sheet.checks if c.name == CONTRACT), None)
            passed[episode.agent.name] += contract is not None and contract.outcome == "pass"
    problems = [Problem(NAME, "run", text, "Repeat the check.") for text in result.problems]
    return [*problems, *(_told(n, passed[n], len(chosen), "rows run as agents run") for n in names)]


def _one_of_each(subject: Subject) -> set[str]:
    found: dict[tuple[str, str], str] = {}
    for task_id in sorted(subject.tasks.task_digests):
        _, _, row = conversation(subject.held.gold(task_id))
        identity = row["identity"]
        found.setdefault((identity["family"], identity["variant"]), task_id)
    return set(found.values())
