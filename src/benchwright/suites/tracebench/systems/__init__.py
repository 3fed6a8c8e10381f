"""The three simulated systems, by their published names."""

from __future__ import annotations

from collections.abc import Mapping

from benchwright.suites.tracebench.systems import ball_drop, bounce_ball, mass_slide
from benchwright.suites.tracebench.systems.model import (
    NO_CHANGE,
    Channel,
    EventKind,
    EventWindow,
    NoiseCoefficients,
    System,
    Variable,
    unknown,
)

__all__ = [
    "NO_CHANGE",
    "SYSTEMS",
    "Channel",
    "EventKind",
    "EventWindow",
    "NoiseCoefficients",
    "System",
    "Variable",
    "get_system",
    "unknown",
]

SYSTEMS: Mapping[str, System] = {
    module.SYSTEM.name: module.SYSTEM for module in (ball_drop, bounce_ball, mass_slide)
}


def get_system(name: str) -> System:
    """The system called `name`; SpecError with the nearest name if there is none."""
    if name not in SYSTEMS:
        raise unknown("no such system", name, SYSTEMS)
    return SYSTEMS[name]
