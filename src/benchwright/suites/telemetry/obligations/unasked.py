"""Which obligation answers for a field that a reply states and its turn does not ask for."""

from __future__ import annotations

from typing import Final

from benchwright.suites.telemetry.obligations.model import Duties, Obligation

_VALUES: Final = ("initial_value", "revised_value")


def answers_for(name: str, phase: int, duties: Duties) -> str:
    """Id of the latest obligation, up to a turn, that asks for the field; else for a value."""
    before = [o for o in duties.obligations if o.phase <= phase]
    asking = [o for o in before if name in o.expects.get("fields", {})]
    values = [o for o in before if o.type in _VALUES]
    reached = [o for o in before if o.type == "protocol_completed"]
    return max(asking or values or reached or before, key=_phase).id


def _phase(obligation: Obligation) -> int:
    return obligation.phase
