from __future__ import annotations

from dataclasses import fields

import pytest

from benchwright.errors import SpecError
from benchwright.suites.tracebench.systems import NO_CHANGE, SYSTEMS, get_system
from benchwright.suites.tracebench.systems.model import NoiseCoefficients

# Strings that agents and published result files use, in the order of the published prompts.
LABELS = {
    "BallDrop": (
        "coefficient of restitution",
        "mass",
        "drag coefficient",
        "gravity acceleration",
        "no parameter change",
    ),
    "BounceBall": (
        "coefficient of restitution of the left wall",
        "coefficient of restitution of the right wall",
        "coefficient of viscous damping",
        "inclination angle of the rail",
        "weight of the mass",
        "no parameter change",
    ),
    "MassSlide": (
        "Coulomb friction coefficient",
        "breakaway friction coefficient",
        "gravity acceleration",
        "plane inclination angle",
        "no parameter change",
    ),
}
CHANNELS = {
    "BallDrop": ("ball height", "ball velocity", "contact impulse (N*s)"),
    "BounceBall": (
        "mass position along the rail",
        "mass velocity along the rail",
        "force on the right wall",
    ),
    "MassSlide": ("velocity of the mass along the plane", "friction force", "normal force"),
}
ROWS = {"BallDrop": (3999, 0.0025), "BounceBall": (2999, 0.02), "MassSlide": (499, 0.02)}
# Least and greatest value of the published pool (paper, Tables 5, 10, 15).
POOL = {
    "BallDrop": {
        "initial_height": (0.19122, 5.769),
        "initial_velocity": (-9.7276, 1.1469),
        "mass": (0.5, 19.434),
        "drag_coeff": (0.0, 6.0),
        "restitution": (0.377, 0.99),
        "gravity": (2.0, 10.0),
    },
    "BounceBall": {
        "initial_position": (3.0, 9.3),
        "initial_velocity": (-17.01, 10.0),
        "mass": (0.29498, 99.287),
        "viscous_damping": (0.001, 1.32),
        "restitution_right": (0.44813, 0.9999),
        "restitution_left": (0.25, 0.9999),
        "inclination_angle": (-0.67187, 0.95367),
    },
    "MassSlide": {
        "initial_velocity": (-5.0, 12.0),
        "Amplitude": (-352.94, 360.0),
        "Period": (0.68753, 2.8184),
        "mass": (0.5, 10.0),
        "gravity_constant": (4.0, 18.432),
        "plane_inclination": (5.0, 65.938),
        "coulomb_friction_coefficient": (0.08, 6.5425),
        "breakaway_friction_coefficient": (1.095, 42.31),
    },
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_labels_and_channels_read_exactly_as_published(name: str) -> None:
    system = SYSTEMS[name]
    assert system.labels == LABELS[name]
    assert tuple(channel.label for channel in system.channels) == CHANNELS[name]


@pytest.mark.parametrize("name", SYSTEMS)
def test_rows_are_horizon_times_rate_less_one_and_start_at_one_interval(name: str) -> None:
    system = SYSTEMS[name]
    assert (system.rows, float(system.times[0])) == ROWS[name]
    assert len(system.times) == system.rows
    assert system.times[-1] < system.horizon_s


@pytest.mark.parametrize("name", SYSTEMS)
def test_allowed_intervals_are_the_documented_ones_widened_to_the_published_pool(name: str) -> None:
    for variable in SYSTEMS[name].variables:
        low, high = POOL[name][variable.name]
        documented = variable.documented
        assert variable.interval == (min(documented[0], low), max(documented[1], high))


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_label_belongs_to_one_steppable_parameter(name: str) -> None:
    system = SYSTEMS[name]
    steppable = [p.name for p in system.parameters if p.steppable]
    assert tuple(system.label_of(p) for p in [*steppable, None]) == system.labels
    assert system.label_of(None) == NO_CHANGE
    assert not any(variable.steppable for variable in system.initial)


def test_an_unknown_system_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(SpecError, match="Did you mean 'BallDrop'"):
        get_system("BalDrop")


def test_a_parameter_that_never_steps_has_no_label() -> None:
    with pytest.raises(SpecError, match="no such parameter to step: 'Amplitude'"):
        get_system("MassSlide").label_of("Amplitude")


PUBLISHED_NOISE = {
    "BallDrop": (
        {"base": 0.002, "drift": 0.002, "event": 0.002, "quant_floor": 1e-4, "quant_scale": 0.002},
        {"base": 0.002, "drift": 0.002, "event": 0.002, "hetero": 0.002},
        {"base": 0.002, "event": 0.002, "hetero": 0.002},
    ),
    "BounceBall": (
        {"base": 0.0175, "drift": 0.004, "event": 0.04, "quant_floor": 5e-4, "quant_scale": 0.0025},
        {
            "base": 0.00088,
            "drift": 0.0001056,
            "event": 0.00704,
            "hetero": 0.0022,
            "post_event": 0.00308,
        },
        {"base": 0.0001, "event": 0.004},
    ),
    "MassSlide": (
        {"base": 0.003, "drift": 0.0005, "event": 0.01, "hetero": 0.003},
        {"base": 0.001, "bias": 0.002, "drift": 0.001, "event": 0.02},
        {"base": 0.001, "drift": 0.0002},
    ),
}
"""Channel by channel (paper, Tables 6, 11, 16); what is not in a table is 0."""


@pytest.mark.parametrize("name", SYSTEMS)
def test_noise_coefficients_are_those_of_the_published_tables(name: str) -> None:
    for channel, published in zip(SYSTEMS[name].noise, PUBLISHED_NOISE[name], strict=True):
        numbers = {f.name: getattr(channel, f.name) for f in fields(NoiseCoefficients)}
        ours = {key: value for key, value in numbers.items() if key not in ("windows", "tau_s")}
        assert {key: value for key, value in ours.items() if value} == published
