"""All obligations of a conversation, the first that is broken, and what lies downstream of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.suites.telemetry.corpus.zones import zone
from benchwright.suites.telemetry.dialogue.model import Script
from benchwright.suites.telemetry.evaluation.aligned import aligned
from benchwright.suites.telemetry.evaluation.asides import untrue
from benchwright.suites.telemetry.evaluation.judged import Hearing, Judged
from benchwright.suites.telemetry.evaluation.trace import Line, Trace, trace_of
from benchwright.suites.telemetry.obligations.model import Duties, Obligation


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What became of a conversation."""

    trace: Trace
    outcomes: tuple[tuple[Obligation, Judged], ...]
    """In dependency order."""

    @property
    def broken(self) -> tuple[Obligation, ...]:
        """Obligations that were not met, causes first."""
        return tuple(o for o, judged in self.outcomes if judged.reason and not judged.unverified)

    @property
    def unverified(self) -> tuple[Obligation, ...]:
        """Obligations of which what was said does not tell whether they were met."""
        return tuple(o for o, judged in self.outcomes if judged.unverified)

    @property
    def first(self) -> Obligation | None:
        """The first that is broken, or, where none is, that cannot be verified."""
        return next(iter((*self.broken, *self.unverified)), None)


def evaluated(lines: Sequence[Line], script: Script, duties: Duties) -> Evaluated:
    """Judge every obligation by the record of a session."""
    clock = zone(duties.zone)
    trace = trace_of(lines, script, clock, duties.calendar)
    stands = tuple(aligned(duties.needed, trace))
    hearing = Hearing(duties, trace, stands, clock, untrue(script, duties, trace, clock))
    return Evaluated(trace, tuple((o, hearing.judge(o)) for o in duties.obligations))


def downstream(cause: str, duties: Duties) -> set[str]:
    """Ids of obligations that a broken one can break, itself included."""
    reached = {cause}
    for obligation in duties.obligations:
        if reached & set(obligation.needs):
            reached.add(obligation.id)
    return reached
