"""MassSlide: a block on an infinite incline, with dry friction and a periodic force.

State: velocity v along the plane (m/s); the position is not observed. Parameters: mass m (kg),
gravity g (m/s^2), inclination theta (degrees), Coulomb coefficient mu_c, breakaway coefficient mu_b
(never below mu_c), amplitude A (N, signed) and period P (s) of the applied force:

    m dv/dt = u(t) - m g sin(theta) - F(v)        N = m g cos(theta)
    u(t) = A while (t mod P) < 0.1 P, else 0      a rectangular pulse of 10 % duty from t = 0 on
    F(v) = N [ sqrt(2e) (mu_b - mu_c) exp(-(v/v_s)^2) (v/v_s) + mu_c tanh(v/v_c) ]

with breakaway velocity v_b = 0.01 m/s, v_s = sqrt(2) v_b and v_c = v_b/10: a smooth Stribeck law,
as block libraries use it, whose greatest value lies near v_b. At rest the block therefore creeps at
1e-5 to 1e-3 m/s, where friction balances the load.

`released` reproduces the published traces (paper appendix A; facts section 2.4, measured on them).
One row is one step of backward Euler over the sampling interval h; u is taken at its END:

    v1 = v + (h/m) (u - m g sin(theta) - F(v1))

This has several roots near a stick. The rule: walk from v towards the root in steps of at most half
the breakaway velocity and take the first root met. A plain Newton step jumps over it.

Channels: velocity; friction -F(v1), the force on the block; normal force N of the row's parameters.
STICK and SLIP are the rows at which |v| falls below v_b or rises to it, REVERSE a change of sign
without a stick; PULSE_ON and PULSE_OFF are the rows at which u differs from the row before.

The row of a change is the first whose time is not before the change; its whole step uses the new
value, as the paper has it (t >= t_int). One published trace (mu_c stepped at 3.6 s) still shows the
old value on exactly that row, while every later row agrees: there the sample was taken before the
change and the state after it. A run without a change keeps all parameters; pulses are no change.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems._jit import kernel, note
from benchwright.suites.tracebench.systems.exact.mass_slide import exact
from benchwright.suites.tracebench.systems.model import (
    Channel,
    EventKind,
    EventWindow,
    NoiseCoefficients,
    System,
    Timed,
    Variable,
)

BREAKAWAY_VELOCITY = 0.01
DUTY = 0.1
_STRIBECK_VELOCITY = math.sqrt(2.0) * BREAKAWAY_VELOCITY
_COULOMB_VELOCITY = BREAKAWAY_VELOCITY / 10.0
_PEAK = math.sqrt(2.0 * math.e)
_STRIDE = BREAKAWAY_VELOCITY / 2.0
_SLIDING = 10.0 * BREAKAWAY_VELOCITY
"""From this speed on friction is constant to the last bit (exp(-50), tanh(100))."""
_CLOSE = 1e-12
"""Relative size of the last Newton step; the next one would be below the last bit."""
_MOST_STEPS = 100
_ON_TIME = 1e-9
"""Pulses compare phases with this slack, so that t = k P on the grid starts a pulse."""

_CHANGE, _STICK, _SLIP, _REVERSE = (
    int(EventKind.CHANGE),
    int(EventKind.STICK),
    int(EventKind.SLIP),
    int(EventKind.REVERSE),
)
_PULSE_ON, _PULSE_OFF = int(EventKind.PULSE_ON), int(EventKind.PULSE_OFF)


@kernel
def friction(velocity: float, coulomb: float, breakaway: float) -> tuple[float, float]:
    """F(v)/N and its derivative: friction per newton of normal force, of the sign of v."""
    ratio = velocity / _STRIBECK_VELOCITY
    bump = _PEAK * (breakaway - coulomb) * math.exp(-ratio * ratio)
    sign = math.tanh(velocity / _COULOMB_VELOCITY)
    slope = bump * (1.0 - 2.0 * ratio * ratio) / _STRIBECK_VELOCITY
    slope += coulomb * (1.0 - sign * sign) / _COULOMB_VELOCITY
    return bump * ratio + coulomb * sign, slope


@kernel
def _gap(
    velocity: float, drive: float, grip: float, coulomb: float, breakaway: float
) -> tuple[float, float]:
    """What the step brings to zero, v - drive + grip F(v)/N, and its derivative."""
    share, slope = friction(velocity, coulomb, breakaway)
    return velocity - drive + grip * share, 1.0 + grip * slope


@kernel
def _first_root(
    velocity: float, drive: float, grip: float, coulomb: float, breakaway: float
) -> float:
    """First root of the step met from `velocity`; `drive` is v + (h/m) load, `grip` (h/m) N."""
    start = velocity
    if abs(velocity) > _SLIDING:
        # Here friction is constant, so the equation is linear until the block is slow.
        sliding = drive - math.copysign(grip * coulomb, velocity)
        if sliding * velocity > 0.0 and abs(sliding) > _SLIDING:
            return sliding
        start = math.copysign(_SLIDING, velocity)
    gap, _ = _gap(start, drive, grip, coulomb, breakaway)
    stride = -math.copysign(_STRIDE, gap)
    end = start
    ahead = gap
    while ahead * gap > 0.0:
        if abs(end) > _SLIDING and end * stride > 0.0:
            return drive - math.copysign(grip * coulomb, end)
        start = end
        end = start + stride
        ahead, _ = _gap(end, drive, grip, coulomb, breakaway)
    return _root_between(start, end, gap, drive, grip, coulomb, breakaway)


@kernel
def _root_between(
    start: float,
    end: float,
    gap: float,
    drive: float,
    grip: float,
    coulomb: float,
    breakaway: float,
) -> float:
    """The root between two velocities: Newton steps, halving whenever one would leave them."""
    root = start
    for _ in range(_MOST_STEPS):
        ahead, slope = _gap(root, drive, grip, coulomb, breakaway)
        if ahead * gap > 0.0:
            start = root
        else:
            end = root
        new = root - ahead / slope
        if (new - start) * (new - end) > 0.0 or slope <= 0.0:
            new = 0.5 * (start + end)
        if abs(new - root) <= _CLOSE * abs(new):
            return new
        root = new
    return root


@kernel
def _pulse(time: float, amplitude: float, period: float) -> float:
    """The applied force in newtons at `time`."""
    phase = time / period
    phase -= math.floor(phase + _ON_TIME)
    return amplitude if phase < DUTY - _ON_TIME else 0.0


@kernel
def _note_motion(events: NDArray[np.int32], count: int, row: int, old: float, new: float) -> int:
    """The stick, slip or reversal between two velocities, if there is one."""
    was, now = abs(old) >= BREAKAWAY_VELOCITY, abs(new) >= BREAKAWAY_VELOCITY
    if was and now and old * new < 0.0:
        return note(events, count, _REVERSE, row)
    if was != now:
        return note(events, count, _SLIP if now else _STICK, row)
    return count


@kernel
def _run(
    values: NDArray[np.float64],
    change: int,
    dt: float,
    samples: NDArray[np.float32],
    events: NDArray[np.int32],
) -> int:
    """One run into samples f32[3, row]; the number of its events."""
    coulomb, breakaway, gravity, angle, mass, amplitude, period, velocity = values[0]
    push = amplitude
    count = 0
    for row in range(samples.shape[1]):
        if row == change:
            coulomb, breakaway, gravity, angle, mass, amplitude, period = values[1, :7]
            count = note(events, count, _CHANGE, row)
        force = _pulse((row + 1) * dt, amplitude, period)
        if force != push:
            count = note(events, count, _PULSE_ON if force != 0.0 else _PULSE_OFF, row)
        push = force
        normal = mass * gravity * math.cos(math.radians(angle))
        load = force - mass * gravity * math.sin(math.radians(angle))
        drive = velocity + dt * load / mass
        new = _first_root(velocity, drive, dt * normal / mass, coulomb, breakaway)
        count = _note_motion(events, count, row, velocity, new)
        velocity = new
        samples[0, row] = velocity
        samples[1, row] = -normal * friction(velocity, coulomb, breakaway)[0]
        samples[2, row] = normal
    return count


@kernel
def released(
    values: NDArray[np.float64],
    change: NDArray[np.int64],
    dt: float,
    samples: NDArray[np.float32],
    events: NDArray[np.int32],
) -> NDArray[np.int64]:
    """All runs, one after the other; shapes as in `model.Kernel`."""
    counts = np.empty(len(values), np.int64)
    for run in range(len(values)):
        counts[run] = _run(values[run], change[run], dt, samples[run], events[run])
    return counts


_TURNS = (EventKind.STICK, EventKind.SLIP, EventKind.REVERSE)
_EDGES = (EventKind.PULSE_ON, EventKind.PULSE_OFF)
# Noise choices (the paper gives coefficients only), frozen by `benchmarks/noise.py`: velocity is
# noisier on the row before, of and after a turn or an edge of the pulse, where its slope breaks
# (35.0 dB of 35.6; two rows on either side give 34.0, turns alone 37.0). Friction jumps at turns
# only, from that row on: with the pulse edges it would be 5 dB too noisy. Normal force has no
# transition noise. Drift is one sine of random phase per channel, as everywhere.

SYSTEM = System(
    name="MassSlide",
    title="Block on an incline with dry friction",
    rate_hz=50,
    horizon_s=10,
    dynamics={"released": released, "exact": Timed(exact)},
    constants={"breakaway_velocity": BREAKAWAY_VELOCITY, "duty": DUTY},
    ordered=(("coulomb_friction_coefficient", "breakaway_friction_coefficient"),),
    parameters=(
        Variable(
            name="coulomb_friction_coefficient",
            unit="1",
            words="friction per normal force while the block slides",
            documented=(0.2, 3.0),
            interval=(0.08, 6.5425),
            min_srd=0.3,
            min_abs=0.06,
            label="Coulomb friction coefficient",
        ),
        Variable(
            name="breakaway_friction_coefficient",
            unit="1",
            words="friction per normal force that a resting block can bear",
            documented=(0.2, 15.0),
            interval=(0.2, 42.31),
            min_srd=0.3,
            min_abs=0.06,
            label="breakaway friction coefficient",
        ),
        Variable(
            name="gravity_constant",
            unit="m/s^2",
            words="gravity acceleration",
            documented=(2.0, 28.0),
            interval=(2.0, 28.0),
            min_srd=0.3,
            min_abs=0.06,
            label="gravity acceleration",
        ),
        Variable(
            name="plane_inclination",
            unit="deg",
            words="angle between the plane and the horizontal",
            documented=(5.0, 70.0),
            interval=(5.0, 70.0),
            min_srd=0.3,
            min_abs=0.06,
            label="plane inclination angle",
        ),
        Variable(
            name="mass",
            unit="kg",
            words="mass of the block",
            documented=(0.5, 10.0),
            interval=(0.5, 10.0),
            min_srd=0.3,
            min_abs=0.06,
        ),
        Variable(
            name="Amplitude",
            unit="N",
            words="height of the pulses of the applied force, with its sign",
            documented=(-200.0, 200.0),
            interval=(-352.94, 360.0),
        ),
        Variable(
            name="Period",
            unit="s",
            words="time from pulse to pulse",
            documented=(0.5, 3.0),
            interval=(0.5, 3.0),
        ),
    ),
    initial=(
        Variable(
            name="initial_velocity",
            unit="m/s",
            words="velocity along the plane at time 0",
            documented=(-5.0, 12.0),
            interval=(-5.0, 12.0),
        ),
    ),
    channels=(
        Channel("mass_velocity", "velocity of the mass along the plane", "m/s", "continuous"),
        Channel("friction_force", "friction force", "N", "continuous"),
        Channel("normal_force", "normal force", "N", "continuous"),
    ),
    noise=(
        NoiseCoefficients(
            base=0.003,
            hetero=0.003,
            drift=0.0005,
            event=0.01,
            windows=(EventWindow(_TURNS + _EDGES, before=1, after=1),),
        ),
        NoiseCoefficients(
            base=0.001,
            drift=0.001,
            event=0.02,
            bias=0.002,
            windows=(EventWindow(_TURNS, before=0, after=1),),
        ),
        NoiseCoefficients(base=0.001, drift=0.0002),
    ),
)
