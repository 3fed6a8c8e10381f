"""Short ways to write a run of the exact dynamics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.solve import Solution, solve
from benchwright.suites.tracebench.systems import EventKind

BASE: Final[Mapping[str, Mapping[str, float]]] = {
    "BallDrop": {
        "restitution": 0.5,
        "mass": 2.0,
        "drag_coeff": 0.0,
        "gravity": 8.0,
        "initial_height": 4.0,
        "initial_velocity": 0.0,
    },
    "BounceBall": {
        "restitution_left": 0.5,
        "restitution_right": 0.5,
        "viscous_damping": 0.0,
        "inclination_angle": 0.0,
        "mass": 2.0,
        "initial_position": 5.0,
        "initial_velocity": 5.0,
    },
    "MassSlide": {
        "coulomb_friction_coefficient": 0.5,
        "breakaway_friction_coefficient": 1.0,
        "gravity_constant": 10.0,
        "plane_inclination": 0.0,
        "mass": 2.0,
        "Amplitude": 0.0,
        "Period": 1.0,
        "initial_velocity": 0.0,
    },
}
"""Round numbers, so that the truth can be worked out by hand."""


def recipe(system: str, step: tuple[str, float, float] | None = None, **values: float) -> Recipe:
    made = Recipe(system, {**BASE[system], **values})
    assert made.values.keys() == BASE[system].keys()
    return replace(made, step=Step(*step)) if step else made


def run(system: str, step: tuple[str, float, float] | None = None, **values: float) -> Solution:
    return solve(recipe(system, step, **values))


def happened(solution: Solution) -> list[tuple[str, float]]:
    """Names and times of the events, in order."""
    return [(EventKind(event["kind"]).name, float(event["time"])) for event in solution.events]


def names(solution: Solution) -> list[str]:
    return [name for name, _ in happened(solution)]
