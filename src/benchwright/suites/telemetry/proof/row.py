"""What both scorers say of every mutation and every control of one conversation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.suites.telemetry.dialogue.canonical import recorded
from benchwright.suites.telemetry.evaluation.evaluate import Evaluated, downstream, evaluated
from benchwright.suites.telemetry.proof.case import Case
from benchwright.suites.telemetry.proof.controls import controls
from benchwright.suites.telemetry.proof.final_only import last_answer, passes
from benchwright.suites.telemetry.proof.mutations import Mutation, mutations
from benchwright.suites.telemetry.proof.reordering import FREE_ORDER
from benchwright.suites.telemetry.proof.steps import Steps, settled

PAIRED = (
    ("asks_time", "slot_never_asked"),
    ("nearest_fallback", "look_up_left_out"),
    ("winner_carried", "another_stream"),
    ("quality_call", "quality_left_out"),
    ("revised_value", "value_changed"),
    ("evidence_streams", "stream_missing"),
)
"""Changes of conduct that leave the last answer as it is, by type and what was done."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two records with the same last answer: what was changed, and what both scorers say."""

    task: str
    obligation: str
    kind: str
    answer: Mapping[str, Any]
    final_only: tuple[bool, bool]
    """Before and after the change."""
    ours: tuple[bool, bool]
    reason: str
    """Why the changed record does not pass."""


@dataclass
class Tally:
    """Counts, which add up over rows."""

    instances: Counter[str] = field(default_factory=Counter)
    """Obligations by type."""
    ours: Counter[str] = field(default_factory=Counter)
    """Of these, those that a mutation of their own breaks by name, first, and alone."""
    final_only: Counter[str] = field(default_factory=Counter)
    """Of these, those that a mutation of turns the verdict on the last answer."""
    mutations: Counter[str] = field(default_factory=Counter)
    """By type."""
    named: Counter[str] = field(default_factory=Counter)
    """Of these, those that were called what they are."""
    controls: Counter[str] = field(default_factory=Counter)
    """By kind."""
    accepted: Counter[str] = field(default_factory=Counter)
    edges: int = 0
    """Rows in which a clarification comes before the first call that uses its slot."""
    faults: list[str] = field(default_factory=list)
    """Mutations that were not named, controls that were not accepted."""
    pairs: dict[tuple[str, str, str], Pair] = field(default_factory=dict)
    """The first of a family, by type, what was done, and family."""

    def add(self, other: Tally) -> None:
        """Add the counts of other rows; of pairs the first of a kind stays."""
        for name in ("instances", "ours", "final_only", "mutations", "named"):
            getattr(self, name).update(getattr(other, name))
        self.controls.update(other.controls)
        self.accepted.update(other.accepted)
        self.edges += other.edges
        self.faults += other.faults
        self.pairs = {**other.pairs, **self.pairs}

    @property
    def free_orders(self) -> int:
        """Rows in which calls that do not use the withheld slot may come before it."""
        return self.controls[FREE_ORDER]


def proved(task: str, case: Case) -> Tally:
    """Every mutation and every control of one conversation."""
    tally = Tally(instances=Counter(o.type for o in case.duties.obligations))
    tally.edges = int(case.script.withheld is not None)
    seen: tuple[set[str], set[str]] = (set(), set())
    for mutation in mutations(case):
        _mutated(task, case, mutation, tally, seen)
    types = {o.id: o.type for o in case.duties.obligations}
    tally.ours.update(types[one] for one in seen[0])
    tally.final_only.update(types[one] for one in seen[1])
    for control in controls(case):
        _, found = judged(case, control.steps)
        tally.controls[control.kind] += 1
        tally.accepted[control.kind] += not found.broken
        for broken in found.broken[:1]:
            tally.faults.append(f"{task}: {control.kind} is refused by {broken.id}")
    return tally


def judged(case: Case, steps: Steps) -> tuple[list[dict[str, Any]], Evaluated]:
    """The record of these steps, and what became of every obligation in it."""
    lines = list(recorded(case.script, settled(steps)))
    return lines, evaluated(lines, case.script, case.duties)


def _mutated(
    task: str, case: Case, mutation: Mutation, tally: Tally, seen: tuple[set[str], set[str]]
) -> None:
    own = mutation.obligation
    lines, found = judged(case, mutation.steps)
    wrong = misnamed(case, own.id, found)
    tally.mutations[own.type] += 1
    tally.named[own.type] += wrong is None
    if wrong is None:
        seen[0].add(own.id)
    else:
        tally.faults.append(f"{task}: {mutation.kind} of {own.id}: {wrong}")
    final = passes(lines, case.script)
    if not final:
        seen[1].add(own.id)
    if final and wrong is None and (own.type, mutation.kind) in PAIRED:
        name = (own.type, mutation.kind, str(case.script.phases[0].state["family"]))
        if name not in tally.pairs:
            tally.pairs[name] = _pair(task, mutation, lines, found, case)


def misnamed(case: Case, own: str, found: Evaluated) -> str | None:
    """What is wrong with the verdict on a record that breaks one obligation; None if nothing."""
    names = [o.id for o in found.broken]
    if own not in names:
        return "is accepted"
    if names[0] != own:
        return f"is called {names[0]}"
    strays = sorted(set(names) - downstream(own, case.duties))
    return f"breaks {', '.join(strays)} as well" if strays else None


def _pair(
    task: str, mutation: Mutation, lines: Sequence[Mapping[str, Any]], found: Evaluated, case: Case
) -> Pair:
    canonical, first = judged(case, case.steps)
    answer = last_answer(lines, case.script) or {}
    reason = next(j.reason for o, j in found.outcomes if o.id == mutation.obligation.id)
    return Pair(
        task,
        mutation.obligation.id,
        mutation.kind,
        {name: answer.get(name) for name in ("action", "reason")},
        (passes(canonical, case.script), passes(lines, case.script)),
        (not first.broken, not found.broken),
        str(reason),
    )
