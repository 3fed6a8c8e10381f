"""BounceBall: a damped mass slides on a tilted rail between two walls.

State: position x along the rail (m) and velocity v (m/s); walls at 0 and 15 m. Parameters: mass m
(kg), viscous damping c (kg/s), restitution of each wall, inclination theta (degrees; positive
pushes towards the left wall). Gravity is 9.81 m/s^2. Between the walls:

    m dv/dt = -c v - m g sin(theta)        dx/dt = v

`released` reproduces the published traces (paper appendix A; facts section 2.3, measured on them).
One row is one step of backward Euler over the sampling interval h, from (x, v) to (x1, v1):

    v1 = (v - h g sin(theta)) / (1 + h c/m)
    x1 = x + h v1                           kept if it is not beyond a wall
    otherwise: impact                       v1 <- -e v1 of that wall,  x1 = x + h v1  (OLD position)

so the mass never crosses a wall. Channel 3 is the force on the right wall in newtons that closes
the momentum balance of the step,  m (v - v1)/h - c v1 - m g sin(theta),  on the row of an impact
there; 0 otherwise. The left wall is not observed.

Slow contact: no published trace shows one, so this is our choice. When the mass is pushed into the
wall (or not pushed at all) and arrives with less than 1 mm/s, or with so little that the push would
undo the rebound within one step (e |v1| < h g |sin(theta)|), it rests where it stood one step
earlier, and the right wall carries  -m g sin(theta).  It leaves when a change of the inclination
pulls it away.

The row of a change is the first whose time is not before the change; its whole step uses the new
value, and a new mass keeps the velocity, not the momentum. A run without a change keeps all
parameters.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems._jit import kernel, note
from benchwright.suites.tracebench.systems.exact.bounce_ball import exact
from benchwright.suites.tracebench.systems.model import (
    Channel,
    EventKind,
    EventWindow,
    NoiseCoefficients,
    System,
    Timed,
    Variable,
)

LEFT_WALL, RIGHT_WALL = 0.0, 15.0
"""Metres; read off the impacts of the published traces."""
GRAVITY = 9.81
REST_SPEED = 1e-3
"""m/s; a slower contact is rest."""

_CHANGE = int(EventKind.CHANGE)
_IMPACT = int(EventKind.IMPACT_LEFT)
_SETTLE = int(EventKind.SETTLE_LEFT)


@kernel
def _rests(speed: float, restitution: float, push: float) -> bool:
    """Whether a contact is rest; `push` is the speed into the wall that one step of tilt gives."""
    return push >= 0.0 and (speed < REST_SPEED or restitution * speed < push)


@kernel
def _run(
    values: NDArray[np.float64],
    change: int,
    dt: float,
    samples: NDArray[np.float32],
    events: NDArray[np.int32],
) -> int:
    """One run into samples f32[3, row]; the number of its events."""
    left, right, damping, angle, mass, x, v = values[0]
    slope = dt * GRAVITY * math.sin(math.radians(angle))
    resting = 0
    count = 0
    for row in range(samples.shape[1]):
        if row == change:
            left, right, damping, angle, mass = values[1, :5]
            slope = dt * GRAVITY * math.sin(math.radians(angle))
            count = note(events, count, _CHANGE, row)
        new = (v - slope) / (1.0 + dt * damping / mass)
        trial = x + dt * new
        side = 0
        if resting != 0 and resting * slope <= 0.0:
            side, new = resting, 0.0
        elif trial < LEFT_WALL or trial > RIGHT_WALL:
            side = -1 if trial < LEFT_WALL else 1
            restitution = left if side < 0 else right
            stops = _rests(abs(new), restitution, -side * slope)
            new = 0.0 if stops else -restitution * new
            count = note(events, count, (_SETTLE if stops else _IMPACT) + (side > 0), row)
            resting = side if stops else 0
        else:
            resting = 0
        samples[2, row] = 0.0
        if side > 0:
            samples[2, row] = mass * (v - new) / dt - damping * new - mass * slope / dt
        x += dt * new
        v = new
        samples[0, row] = x
        samples[1, row] = v
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


_WALLS = (
    EventKind.IMPACT_LEFT,
    EventKind.IMPACT_RIGHT,
    EventKind.SETTLE_LEFT,
    EventKind.SETTLE_RIGHT,
)
# Noise choices (the paper gives coefficients only), frozen by `benchmarks/noise.py`: position and
# velocity are noisier for 0.1 s around a hit on either wall, velocity fades over 0.5 s after it;
# with four rows instead of five its mean moves away from the table by 0.4 dB. Force is noisier on
# the row of a hit on the right wall, which alone it observes, and its two neighbours: only the
# row and the next one would be 1.4 dB too clean, two on either side 1.9 dB too noisy. Drift is
# one sine of random phase per channel, as everywhere.
_EITHER = (EventWindow(_WALLS, before=5, after=5),)
_RIGHT = (EventWindow((EventKind.IMPACT_RIGHT, EventKind.SETTLE_RIGHT), before=1, after=1),)

SYSTEM = System(
    name="BounceBall",
    title="Damped mass between two walls",
    rate_hz=50,
    horizon_s=60,
    dynamics={"released": released, "exact": Timed(exact)},
    constants={"left_wall": LEFT_WALL, "right_wall": RIGHT_WALL, "gravity": GRAVITY},
    parameters=(
        Variable(
            name="restitution_left",
            unit="1",
            words="share of the impact speed that a rebound from the left wall keeps",
            documented=(0.25, 0.9999),
            interval=(0.25, 0.9999),
            min_srd=0.3,
            min_abs=0.06,
            label="coefficient of restitution of the left wall",
        ),
        Variable(
            name="restitution_right",
            unit="1",
            words="share of the impact speed that a rebound from the right wall keeps",
            documented=(0.3, 0.9999),
            interval=(0.3, 0.9999),
            min_srd=0.3,
            min_abs=0.06,
            label="coefficient of restitution of the right wall",
        ),
        Variable(
            name="viscous_damping",
            unit="kg/s",
            words="factor of the velocity in the drag force",
            documented=(0.001, 12.0),
            interval=(0.001, 12.0),
            min_srd=0.3,
            min_abs=0.06,
            label="coefficient of viscous damping",
        ),
        Variable(
            name="inclination_angle",
            unit="deg",
            words="tilt of the rail; positive pulls towards the left wall",
            documented=(-4.0, 4.0),
            interval=(-4.0, 4.0),
            min_srd=0.3,
            min_abs=0.06,
            label="inclination angle of the rail",
        ),
        Variable(
            name="mass",
            unit="kg",
            words="mass of the sliding body",
            documented=(0.1, 100.0),
            interval=(0.1, 100.0),
            min_srd=0.3,
            min_abs=0.06,
            label="weight of the mass",
        ),
    ),
    initial=(
        Variable(
            name="initial_position",
            unit="m",
            words="position along the rail at time 0",
            documented=(3.0, 10.0),
            interval=(3.0, 10.0),
        ),
        Variable(
            name="initial_velocity",
            unit="m/s",
            words="velocity along the rail at time 0",
            documented=(-10.0, 10.0),
            interval=(-17.01, 10.0),
        ),
    ),
    channels=(
        Channel("Initial_Spacer_F_x", "mass position along the rail", "m", "continuous"),
        Channel("Initial_Spacer_F_v", "mass velocity along the rail", "m/s", "continuous"),
        Channel("Right_Hard_Stop_f", "force on the right wall", "N", "impulse"),
    ),
    noise=(
        NoiseCoefficients(
            base=0.0175,
            drift=0.004,
            event=0.04,
            quant_floor=0.0005,
            quant_scale=0.0025,
            windows=_EITHER,
        ),
        NoiseCoefficients(
            base=0.00088,
            hetero=0.0022,
            drift=0.0001056,
            event=0.00704,
            post_event=0.00308,
            windows=_EITHER,
            tau_s=0.5,
        ),
        NoiseCoefficients(base=0.0001, event=0.004, windows=_RIGHT),
    ),
)
