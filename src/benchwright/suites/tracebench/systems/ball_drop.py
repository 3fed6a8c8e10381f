"""BallDrop: a ball falls, is slowed by quadratic drag, and rebounds from the ground until it rests.

State: height y (m, up) and velocity v (m/s). Parameters: mass m (kg), drag coefficient c (kg/m),
restitution e, gravity g (m/s^2). Free flight:

    m dv/dt = -m g - c v |v|        dy/dt = v

`released` reproduces the published traces (paper appendix A; facts section 2.2, measured on them).
One row is one step of backward Euler over the sampling interval h, from (y, v) to (y1, v1):

    v1 = v - h (g + (c/m) v1 |v1|)          solved in closed form
    y1 = y + h v1                           kept unless the ball comes down below 0.5 mm
    otherwise, |v1| >= 0.5 m/s: rebound     v1 <- -e v1,  y1 = y + h v1   (from the OLD height)
    otherwise: static contact               v1 = 0 and y1 = y, for ever

So the ball stays above the ground, and rests at the small height that it had one step earlier. The
contact height of 0.5 mm was read off the trace with most impacts: five of its rebounds start from
trial heights between 0.14 and 0.50 mm, and no step that ends at 0.54 mm or more is one. The scheme
loses a little energy in every step of flight and gains a little at a rebound; both are in the
published data, so a finer integrator does not reproduce them.

Channel 3 is the force that closes the momentum balance of the step, in newtons although its
published label says N*s:  m (v1 - v)/h + m g + c v1 |v1|  on the row of a rebound, 0 in flight,
m g at rest. The row on which the ball settles keeps the same balance with v1 = 0, so m |v|/h + m g:
no published trace shows this row, so this is our choice, and the one that momentum asks for. (Of
the five published rebound rows one stands a row after its rebound; nothing explains it.)

The row of a change is the first whose time is not before the change; its whole step uses the new
value, as the paper has it (t >= t_int). A change while the ball rests shows in m g only. A run
without a change keeps all parameters.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.tracebench.systems._jit import kernel, note
from benchwright.suites.tracebench.systems.exact.ball_drop import exact
from benchwright.suites.tracebench.systems.model import (
    Channel,
    EventKind,
    EventWindow,
    NoiseCoefficients,
    System,
    Timed,
    Variable,
)

CUTOFF = 0.5
"""Impact speed in m/s below which the ball does not rebound (paper, appendix A)."""
CONTACT_HEIGHT = 5e-4
"""Metres; a ball that would come down below it has met the ground."""

_CHANGE, _IMPACT, _SETTLE = (
    int(EventKind.CHANGE),
    int(EventKind.IMPACT),
    int(EventKind.SETTLE),
)


@kernel
def _after_flight(velocity: float, dt: float, gravity: float, ratio: float) -> float:
    """Root of v1 + dt ratio v1 |v1| = velocity - dt gravity; `ratio` is drag over mass in 1/m."""
    pull = velocity - dt * gravity
    return 2.0 * pull / (1.0 + math.sqrt(1.0 + 4.0 * dt * ratio * abs(pull)))


@kernel
def _run(
    values: NDArray[np.float64],
    change: int,
    dt: float,
    samples: NDArray[np.float32],
    events: NDArray[np.int32],
) -> int:
    """One run into samples f32[3, row]; the number of its events."""
    restitution, mass, drag, gravity, height, velocity = values[0]
    resting = False
    count = 0
    for row in range(samples.shape[1]):
        if row == change:
            restitution, mass, drag, gravity = values[1, :4]
            count = note(events, count, _CHANGE, row)
        force = 0.0
        if resting:
            force = mass * gravity
        else:
            new = _after_flight(velocity, dt, gravity, drag / mass)
            if new < 0.0 and height + dt * new < CONTACT_HEIGHT:
                resting = -new < CUTOFF
                new = 0.0 if resting else -restitution * new
                count = note(events, count, _SETTLE if resting else _IMPACT, row)
                force = mass * (new - velocity) / dt + mass * gravity + drag * new * abs(new)
            height += dt * new
            velocity = new
        samples[0, row] = height
        samples[1, row] = velocity
        samples[2, row] = force
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


# Noise choices (the paper gives coefficients only), frozen by `benchmarks/noise.py`: transition
# noise on the row of a contact and its two neighbours, because one step is all that a contact
# takes here; the table cannot tell windows apart (0 to 2 rows move no channel by 0.1 dB). Drift
# is one sine of random phase per channel: its mean square of 1/2 is what the 11.83 dB between low
# and high position noise asks for, beside a quantiser that does not grow.
_CONTACT = (EventWindow((EventKind.IMPACT, EventKind.SETTLE), before=1, after=1),)

SYSTEM = System(
    name="BallDrop",
    title="Bouncing ball with drag",
    rate_hz=400,
    horizon_s=10,
    dynamics={"released": released, "exact": Timed(exact)},
    constants={"impact_speed_cutoff": CUTOFF, "contact_height": CONTACT_HEIGHT},
    parameters=(
        Variable(
            name="restitution",
            unit="1",
            words="share of the impact speed that a rebound keeps",
            documented=(0.15, 1.0),
            interval=(0.15, 1.0),
            min_abs=0.3,
            label="coefficient of restitution",
        ),
        Variable(
            name="mass",
            unit="kg",
            words="mass of the ball",
            documented=(0.5, 20.0),
            interval=(0.5, 20.0),
            min_srd=0.1,
            min_abs=1.0,
            label="mass",
        ),
        Variable(
            name="drag_coeff",
            unit="kg/m",
            words="factor of the squared velocity in the drag force",
            documented=(0.0, 30.0),
            interval=(0.0, 30.0),
            min_abs=2.0,
            label="drag coefficient",
        ),
        Variable(
            name="gravity",
            unit="m/s^2",
            words="gravity acceleration",
            documented=(2.0, 15.0),
            interval=(2.0, 15.0),
            min_srd=0.3,
            min_abs=3.0,
            label="gravity acceleration",
        ),
    ),
    initial=(
        Variable(
            name="initial_height",
            unit="m",
            words="height at time 0",
            documented=(0.0, 6.0),
            interval=(0.0, 6.0),
        ),
        Variable(
            name="initial_velocity",
            unit="m/s",
            words="upward velocity at time 0",
            documented=(-10.0, 2.0),
            interval=(-10.0, 2.0),
        ),
    ),
    channels=(
        Channel("Position", "ball height", "m", "continuous"),
        Channel("Velocity", "ball velocity", "m/s", "continuous"),
        Channel("Hard_Stop_f", "contact impulse (N*s)", "N", "impulse"),
    ),
    noise=(
        NoiseCoefficients(
            base=0.002,
            drift=0.002,
            event=0.002,
            quant_floor=0.0001,
            quant_scale=0.002,
            windows=_CONTACT,
        ),
        NoiseCoefficients(base=0.002, hetero=0.002, drift=0.002, event=0.002, windows=_CONTACT),
        NoiseCoefficients(base=0.002, hetero=0.002, event=0.002, windows=_CONTACT),
    ),
)
