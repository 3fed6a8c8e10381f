"""The three systems by scipy's DOP853, for checking `exact`: plain, slow, written apart from it.

Tolerance 1e-13, steps of at most 0.05 s, restarted at every contact, stop, pulse edge and at the
change. A flight or an arc is cut at the moment when the velocity changes sign, which is an event
too: a rebound that lasts less than a step would otherwise end where it begins, because the distance
from the wall is zero there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.systems import System, get_system

Array = NDArray[np.float64]
Field = Callable[[float, Array], list[float]]
Event = Callable[[float, Array], float]
SAME_MOMENT: Final = 1e-12
RTOL, ATOL, MAX_STEP = 1e-13, 1e-15, 0.05


@dataclass
class Trace:
    """What the reference found."""

    channels: Array
    """float64[3, row]"""
    events: list[tuple[str, float]] = field(default_factory=list)
    """Name and time; changes and pulse edges are not recorded."""


class Integrator:
    """State and rows of one run while it is being integrated."""

    def __init__(self, system: System, state: list[float]) -> None:
        self.times = system.times
        self.dt = system.dt
        self.now = 0.0
        self.state = state
        self.origin = 0.0
        """What the first state variable is counted from: near a wall at 15 m, rebounds of a
        micrometre would otherwise be lost in the rounding of the position."""
        self.trace = Trace(np.zeros((3, system.rows)))

    def integrate(self, law: Field, until: float, stops: list[tuple[Event, float]]) -> int:
        """Go on until a stop (its number) or `until` (-1); writes the rows on the way."""
        events = [_terminal(event, direction) for event, direction in stops]
        # An error estimate whose square underflows is 0/0 inside scipy, which repeats the step.
        with np.errstate(invalid="ignore"):
            found = solve_ivp(
                law,
                (self.now, until),
                self.state,
                method="DOP853",
                rtol=RTOL,
                atol=ATOL,
                max_step=MAX_STEP,
                events=events,
                dense_output=True,
            )
        if found.status < 0:
            raise ArithmeticError(found.message)
        rows = self.rows(self.now, float(found.t[-1]))
        if rows.size:
            self.trace.channels[: len(self.state), rows] = found.sol(self.times[rows])
            self.trace.channels[0, rows] += self.origin
        self.now, self.state = float(found.t[-1]), [float(x) for x in found.y[:, -1]]
        hit = [index for index, times in enumerate(found.t_events) if times.size]
        return hit[0] if found.status == 1 else -1

    def rows(self, start: float, end: float) -> NDArray[np.intp]:
        """Rows from `start` on and before `end`."""
        inside = (self.times >= start - SAME_MOMENT) & (self.times < end - SAME_MOMENT)
        return np.flatnonzero(inside)

    def impulse(self, size: float) -> None:
        """An impulse in N s now, over the interval that ends at the next row."""
        row = int(np.flatnonzero(self.times >= self.now - SAME_MOMENT)[0])
        self.trace.channels[2, row] += size / self.dt

    def note(self, name: str) -> None:
        """An event now."""
        self.trace.events.append((name, self.now))


def reference(recipe: Recipe) -> Trace:
    """The run of a recipe."""
    system = get_system(recipe.system)
    make, go = MODELS[recipe.system]
    run = Integrator(system, make(recipe.values))
    end = float(system.times[-1]) + 2 * SAME_MOMENT
    memory: dict[str, Any] = {}
    if recipe.step is not None:
        go(run, recipe.values, recipe.step.time, memory)
        run.now = recipe.step.time
    go(run, recipe.after(), end, memory)
    return run.trace


def _terminal(event: Event, direction: float) -> Any:
    def stop(t: float, state: Array) -> float:
        return event(t, state)

    marked: Any = stop
    marked.terminal, marked.direction = True, direction
    return marked


def _ball_drop(
    run: Integrator, values: Mapping[str, float], until: float, memory: dict[str, Any]
) -> None:
    m, g, k = values["mass"], values["gravity"], values["drag_coeff"] / values["mass"]

    def flight(t: float, state: Array) -> list[float]:
        return [state[1], -g - k * state[1] * abs(state[1])]

    while not memory.get("rests"):
        landed = run.state[0] <= 0.0 and run.state[1] <= 0.0
        if not landed:
            if until - run.now <= SAME_MOMENT:
                return
            if run.state[1] > 0.0:
                if run.integrate(flight, until, [(lambda t, s: float(s[1]), -1.0)]) < 0:
                    return
                run.state[1] = 0.0
            landed = run.integrate(flight, until, [(lambda t, s: float(s[0]), -1.0)]) == 0
        if not landed:
            return
        if until - run.now <= SAME_MOMENT:
            run.state[0] = 0.0
            return
        speed = abs(run.state[1])
        memory["rests"] = speed < 0.5
        after = 0.0 if memory["rests"] else values["restitution"] * speed
        run.note("settle" if memory["rests"] else "impact")
        run.impulse(m * (speed + after))
        run.state = [0.0, after]
    run.trace.channels[2, run.rows(run.now, until)] += m * g
    run.now = until


def _bounce_ball(
    run: Integrator, values: Mapping[str, float], until: float, memory: dict[str, Any]
) -> None:
    m, k = values["mass"], values["viscous_damping"] / values["mass"]
    a = 9.81 * math.sin(math.radians(values["inclination_angle"]))

    def slide(t: float, state: Array) -> list[float]:
        return [state[1], -k * state[1] - a]

    def to(wall: float) -> Event:
        return lambda t, state: float(state[0]) - wall

    while until - run.now > SAME_MOMENT:
        side = memory.get("side", 0)
        if side and side * a <= 0.0:
            rows = run.rows(run.now, until)
            run.trace.channels[0, rows] = run.origin
            if side > 0:
                run.trace.channels[2, rows] += m * abs(a)
            run.now = until
            return
        memory["side"] = 0
        sense = math.copysign(1.0, run.state[1]) if run.state[1] else -math.copysign(1.0, a)
        wall = (15.0 if sense > 0 else 0.0) - run.origin
        stops = [(to(wall), sense)]
        if run.state[1]:
            stops.append((lambda t, state: float(state[1]), -sense))
        there = sense * (run.state[0] - wall) >= 0.0
        hit = 0 if there else run.integrate(slide, until, stops)
        if hit == 1:
            run.state[1] = 0.0
        if hit == 0 and until - run.now > SAME_MOMENT:
            _wall(run, values, (m, a, wall + run.origin), memory)


def _wall(
    run: Integrator,
    values: Mapping[str, float],
    setting: tuple[float, float, float],
    memory: dict[str, Any],
) -> None:
    m, a, wall = setting
    name, side = ("right", 1) if wall else ("left", -1)
    speed = abs(run.state[1])
    rests = speed < 1e-3 and side * a <= 0.0
    after = 0.0 if rests else values[f"restitution_{name}"] * speed
    memory["side"] = side if rests else 0
    run.note(f"{'settle' if rests else 'impact'}_{name}")
    run.origin, run.state = wall, [0.0, -side * after]
    if side > 0:
        run.impulse(m * (speed + after))


def _mass_slide(
    run: Integrator, values: Mapping[str, float], until: float, memory: dict[str, Any]
) -> None:
    m, g, period = values["mass"], values["gravity_constant"], values["Period"]
    angle = math.radians(values["plane_inclination"])
    normal = m * g * math.cos(angle)
    static = values["breakaway_friction_coefficient"] * normal
    kinetic = values["coulomb_friction_coefficient"] * normal
    edges = sorted([k * period for k in range(40)] + [(k + 0.1) * period for k in range(40)])
    run.trace.channels[2, run.rows(run.now, until)] = normal
    while until - run.now > SAME_MOMENT:
        passed = sum(edge <= run.now + SAME_MOMENT for edge in edges)
        load = (values["Amplitude"] if passed % 2 else 0.0) - m * g * math.sin(angle)
        stop = min(edges[passed], until)
        sign = _direction(run, memory, load, static)
        if sign == 0.0:
            rows = run.rows(run.now, stop)
            run.trace.channels[0, rows], run.trace.channels[1, rows] = 0.0, -load
            run.now = stop
            continue
        pull, start = (load - sign * kinetic) / m, run.now
        # Speed counted in the direction of sliding: it stops where this falls to zero.
        halts = run.integrate(_constant(pull), stop, [(_along(sign), -1.0)])
        run.trace.channels[1, run.rows(start, run.now)] = -sign * kinetic
        if halts == 0:
            run.state = [0.0]


def _constant(pull: float) -> Field:
    return lambda t, state: [pull]


def _along(sign: float) -> Event:
    return lambda t, state: sign * float(state[0])


def _direction(run: Integrator, memory: dict[str, Any], load: float, static: float) -> float:
    """Direction of sliding from here on, 0 at rest; notes what happens at v = 0."""
    v = run.state[0]
    sign: float = memory.setdefault("sign", math.copysign(1.0, v) if v else 0.0)
    if v == 0.0:
        new = 0.0 if abs(load) <= static else math.copysign(1.0, load)
        if new != sign:
            run.note("slip" if not sign else ("reverse" if new else "stick"))
        memory["sign"] = sign = new
    return sign


MODELS: Final[Mapping[str, tuple[Callable[[Mapping[str, float]], list[float]], Any]]] = {
    "BallDrop": (lambda v: [v["initial_height"], v["initial_velocity"]], _ball_drop),
    "BounceBall": (lambda v: [v["initial_position"], v["initial_velocity"]], _bounce_ball),
    "MassSlide": (lambda v: [v["initial_velocity"]], _mass_slide),
}
