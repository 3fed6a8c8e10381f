"""Both channels on the same conduct: what a record in fields and one in sentences make of it.

Every canonical record, mutation and control is told again in words, in the fixed wording and in one
that varies by a hash, and every obligation is judged in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Literal

from benchwright.canonical import Json, digest
from benchwright.suites.telemetry.dialogue.canonical import Move, recorded
from benchwright.suites.telemetry.evaluation.evaluate import evaluated
from benchwright.suites.telemetry.evaluation.judged import Judged
from benchwright.suites.telemetry.proof.batches import over_rows
from benchwright.suites.telemetry.proof.case import Case
from benchwright.suites.telemetry.proof.controls import controls
from benchwright.suites.telemetry.proof.mutations import mutations
from benchwright.suites.telemetry.proof.steps import Steps, settled
from benchwright.suites.telemetry.text.render import question, sentences_of
from benchwright.tasks.taskset import TaskSet

Wording = Literal["fixed", "varied"]
WORDINGS: tuple[Wording, ...] = ("fixed", "varied")


@dataclass
class Agreement:
    """Counts, which add up over rows."""

    records: int = 0
    """Told in both channels, per wording."""
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Obligations by outcome in fields and in sentences."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Where sentences leave open what fields decide: types of obligations, with why."""
    apart: list[str] = field(default_factory=list)
    """Where one channel passes and the other fails."""

    def add(self, other: Agreement) -> None:
        """Add the counts of other rows."""
        self.records += other.records
        self.outcomes.update(other.outcomes)
        self.reasons.update(other.reasons)
        self.apart += other.apart

    @property
    def open_share(self) -> float:
        """Per cent of obligations that sentences leave open."""
        left = sum(n for (_, text), n in self.outcomes.items() if text == "unverified")
        return 100 * left / max(1, self.outcomes.total())


def compared_set(tasks: TaskSet, executor: Executor) -> Agreement:
    """Every record of every row of a set in both channels, in the order of ids."""
    return over_rows(tasks, compared, Agreement, executor)


def compared(task: str, case: Case) -> Agreement:
    """Every record of one conversation in both channels."""
    found = Agreement()
    for kind, steps in _records(case):
        moves = settled(steps)
        in_fields = _judged(case, moves)
        for wording in WORDINGS:
            found.records += 1
            in_words = _judged(case, spoken(moves, wording))
            _count(f"{task}: {kind}, {wording}", in_fields, in_words, found)
    return found


def _records(case: Case) -> Iterator[tuple[str, Steps]]:
    for control in controls(case):
        yield control.kind, control.steps
    for mutation in mutations(case):
        yield f"{mutation.kind} of {mutation.obligation.id}", mutation.steps


def spoken(moves: Sequence[Move], wording: Wording) -> list[Move]:
    """The same conduct in sentences."""
    return [_said(move, place, wording) for place, move in enumerate(moves)]


def _said(move: Move, place: int, wording: Wording) -> Move:
    if move.kind not in ("ask", "reply"):
        return move
    key = digest({"name": move.name, "said": dict(move.said)})
    seed: Mapping[str, Json] | None = {"place": place, "said": key} if wording == "varied" else None
    asks = move.kind == "ask"
    return Move(
        "say", "", {"text": question(move.name, seed) if asks else sentences_of(move.said, seed)}
    )


def _judged(case: Case, moves: Sequence[Move]) -> dict[str, Judged]:
    lines = list(recorded(case.script, moves))
    found = evaluated(lines, case.script, case.duties)
    return {obligation.id: judged for obligation, judged in found.outcomes}


def _outcome(judged: Judged) -> str:
    return "unverified" if judged.unverified else "fail" if judged.reason else "pass"


def _count(
    where: str, fields: Mapping[str, Judged], words: Mapping[str, Judged], found: Agreement
) -> None:
    for name, judged in fields.items():
        one, other = _outcome(judged), _outcome(words[name])
        found.outcomes[one, other] += 1
        if other == "unverified":
            found.reasons[f"{name.split('.')[1]}: {_why(words[name])}"] += 1
        elif one != other:
            found.apart.append(f"{where}: {name}: {one} in fields, {other} in sentences")


def _why(judged: Judged) -> str:
    """Field and kind of why, without the sentence."""
    return str(judged.reason).split(":")[0]
