"""The same systems as a user of scipy would write them: solve_ivp with events, default settings.

The yardstick of the simulation bar, nothing else. Event times are as good as RK45's defaults make
them; MassSlide is ideal stick and slip, because the smooth friction law is far slower in RK45.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from benchwright.suites.tracebench.systems import System

Array = NDArray[np.float64]
Values = Mapping[str, float]


def ball_drop(values: Values, times: Array) -> Array:
    """Height and velocity at `times`; restarted at every impact."""
    m, c, g = values["mass"], values["drag_coeff"], values["gravity"]

    def flight(t: float, state: Array) -> list[float]:
        return [state[1], -g - c / m * state[1] * abs(state[1])]

    def ground(t: float, state: Array) -> float:
        return float(state[0])

    def bounce(state: Array) -> list[float] | None:
        return None if abs(state[1]) < 0.5 else [1e-12, -values["restitution"] * state[1]]

    start = [values["initial_height"], values["initial_velocity"]]
    return _pieces(flight, [_falling(ground, -1.0)], bounce, start, times)


def bounce_ball(values: Values, times: Array) -> Array:
    """Position and velocity at `times`; restarted at every impact."""
    m, c = values["mass"], values["viscous_damping"]
    push = -9.81 * math.sin(math.radians(values["inclination_angle"]))

    def slide(t: float, state: Array) -> list[float]:
        return [state[1], push - c / m * state[1]]

    def left(t: float, state: Array) -> float:
        return float(state[0])

    def right(t: float, state: Array) -> float:
        return float(state[0]) - 15.0

    def bounce(state: Array) -> list[float] | None:
        side = "left" if state[0] < 7.5 else "right"
        place = 1e-12 if side == "left" else 15.0 - 1e-12
        return None if abs(state[1]) < 1e-3 else [place, -values[f"restitution_{side}"] * state[1]]

    start = [values["initial_position"], values["initial_velocity"]]
    walls = [_falling(left, -1.0), _falling(right, 1.0)]
    return _pieces(slide, walls, bounce, start, times)


def mass_slide(values: Values, times: Array) -> Array:
    """Velocity at `times` (second row empty); restarted at pulse edges, sticks and slips."""
    period, horizon = values["Period"], float(times[-1])
    edges = sorted({k * period + f for k in range(40) for f in (0.0, 0.1 * period)})
    out, velocity = np.zeros((2, len(times))), values["initial_velocity"]
    for begin, end in pairwise(edges):
        if begin >= horizon:
            break
        force = values["Amplitude"] if edges.index(begin) % 2 == 0 else 0.0
        inside = (times >= begin) & (times < end)
        out[0, inside], velocity = _slide(values, force, (begin, end), velocity, times[inside])
    return out


def _slide(
    values: Values, force: float, span: tuple[float, float], velocity: float, times: Array
) -> tuple[Array, float]:
    m, g = values["mass"], values["gravity_constant"]
    angle = math.radians(values["plane_inclination"])
    normal, load = m * g * math.cos(angle), force - m * g * math.sin(angle)
    seen, now = np.zeros(len(times)), span[0]
    while now < span[1]:
        if velocity == 0.0 and abs(load) <= values["breakaway_friction_coefficient"] * normal:
            return seen, 0.0
        sign = math.copysign(1.0, velocity or load)
        pull = (load - sign * values["coulomb_friction_coefficient"] * normal) / m
        stop = _falling(lambda t, state: float(state[0]), -sign)
        start = [velocity or sign * 1e-12]
        field = _constant(pull)
        found = solve_ivp(field, (now, span[1]), start, events=stop, dense_output=True)
        here = (times >= now) & (times <= found.t[-1])
        if here.any():
            seen[here] = found.sol(times[here])[0]
        now = float(found.t[-1]) if found.status == 1 else span[1]
        velocity = 0.0 if found.status == 1 else float(found.y[0, -1])
    return seen, velocity


def _constant(pull: float) -> Callable[[float, Array], list[float]]:
    return lambda t, state: [pull]


def _falling(event: Callable[[float, Array], float], direction: float) -> Any:
    def terminal(t: float, state: Array) -> float:
        return event(t, state)

    marked: Any = terminal
    marked.terminal, marked.direction = True, direction
    return marked


def _pieces(
    field: Callable[[float, Array], list[float]],
    events: list[Any],
    bounce: Callable[[Array], list[float] | None],
    start: list[float],
    times: Array,
) -> Array:
    out, now, state = np.zeros((2, len(times))), 0.0, start
    while now < times[-1]:
        found = solve_ivp(field, (now, times[-1]), state, events=events, dense_output=True)
        here = (times >= now) & (times <= found.t[-1])
        out[:, here] = found.sol(times[here])
        after = bounce(found.y[:, -1]) if found.status == 1 else None
        if after is None:
            break
        now, state = float(found.t[-1]), after
    return out


MODELS: Final[Mapping[str, Callable[[Values, Array], Array]]] = {
    "BallDrop": ball_drop,
    "BounceBall": bounce_ball,
    "MassSlide": mass_slide,
}


def solve(system: System, values: Values) -> Array:
    """One run on the sampling grid of its system."""
    return MODELS[system.name](values, system.times)
