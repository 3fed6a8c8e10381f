"""The cheap agent `jumps`: a system and its labels in, the text of a finished `rule.py` out.

The rule itself is `jumps_rule.py`, shipped as text and never imported here: it runs where
benchwright is not installed. It knows the laws that the task tells, and one thing that it does not
tell but every series of MassSlide shows: the force acts in the first tenth of its period. It knows
no configuration, no interval of a parameter and no noise coefficient; its few thresholds were set
on simulated draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Final

from benchwright.errors import SpecError

SYSTEMS: Final = ("BallDrop", "BounceBall", "MassSlide")
BLANK: Final = 'SYSTEM, LABELS = "", [""]\n'
"""The line of the shipped source that a system and its labels replace."""


def rule_source(system: str, labels: Sequence[str]) -> str:
    """The text of `rule.py` for one system, which answers with one of `labels`; last: no change.

    SpecError for a system without laws here or for no labels.
    """
    if system not in SYSTEMS or not labels:
        raise SpecError(
            "no rule of jumps for this system and these labels",
            value=f"{system}, {len(labels)} labels",
            where="jumps",
            hint=f"Systems with a rule: {', '.join(SYSTEMS)}; give at least one label.",
        )
    shipped = resources.files("benchwright.suites.tracebench") / "jumps_rule.py"
    filled = f"SYSTEM, LABELS = {system!r}, {list(labels)!r}\n"
    return shipped.read_text(encoding="utf-8").replace(BLANK, filled, 1)
