from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.errors import SpecError
from benchwright.suites.tracebench.published import published, published_by_id
from benchwright.suites.tracebench.recipes import Recipe, Step
from benchwright.suites.tracebench.simulate import change_row, rows_of, simulate
from benchwright.suites.tracebench.systems import SYSTEMS, EventKind

from .drawn import recipes

BALL = published_by_id("BallDrop")["34574575"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_frame_has_the_published_columns_and_no_gap(name: str) -> None:
    system = SYSTEMS[name]
    frame = simulate(published(name)[:2]).frame(1)
    assert list(frame.columns) == ["col1", "col2", "col3", "col4"]
    assert len(frame) == system.rows
    assert set(frame.dtypes) == {np.dtype("float32")}
    assert np.isfinite(frame.to_numpy()).all()
    assert frame["col4"].iloc[0] == np.float32(1 / system.rate_hz)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_run_does_not_depend_on_the_runs_beside_it(name: str) -> None:
    many = simulate(published(name))
    for i in (0, 7, len(many) - 1):
        alone = simulate([published(name)[i]])
        assert np.array_equal(alone.samples[0], many.samples[i])
        assert np.array_equal(alone.events[0], many.events[i])


@settings(max_examples=60)
@given(st.data())
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_new_value_holds_from_the_first_row_not_before_the_change(
    name: str, data: st.DataObject
) -> None:
    recipe = data.draw(recipes(name, stepped=True))
    assert recipe.step is not None
    system, row = SYSTEMS[name], change_row(SYSTEMS[name], recipe.step.time)
    assert system.times[row] >= recipe.step.time
    between = replace(recipe.step, time=recipe.step.time - 0.5 * system.dt)
    runs = simulate([recipe, recipe.baseline(), replace(recipe, step=between)])
    assert np.array_equal(runs.samples[0, :, :row], runs.samples[1, :, :row])
    assert np.array_equal(runs.samples[0], runs.samples[2])
    assert rows_of(runs.events[0], EventKind.CHANGE).tolist() == [row]
    assert rows_of(runs.events[1], EventKind.CHANGE).size == 0


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_change_in_the_first_row_is_the_static_probe(name: str) -> None:
    system = SYSTEMS[name]
    recipe = published(name)[3]
    for parameter in system.parameters:
        if parameter.steppable:
            step = Step(parameter.name, parameter.interval[1], system.dt)
            runs = simulate([replace(recipe, step=step), replace(recipe, step=step).static()])
            assert np.array_equal(runs.samples[0], runs.samples[1])


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_step_to_the_same_value_changes_nothing(name: str) -> None:
    recipe = published(name)[0]
    parameter = SYSTEMS[name].parameters[0].name
    runs = simulate([recipe, replace(recipe, step=Step(parameter, recipe.values[parameter], 5.0))])
    assert np.array_equal(runs.samples[0], runs.samples[1])


@pytest.mark.parametrize("name", SYSTEMS)
def test_events_stand_in_order_and_at_the_time_of_their_row(name: str) -> None:
    for events in simulate(published(name)).events:
        assert (np.diff(events["row"]) >= 0).all()
        assert np.array_equal(events["time"], SYSTEMS[name].times[events["row"]])


def test_a_run_with_many_events_keeps_them_all() -> None:
    low = {"initial_height": 0.02, "initial_velocity": 0.0, "restitution": 0.95, "gravity": 15.0}
    events = simulate([replace(BALL, values={**BALL.values, **low})]).events[0]
    calm = simulate([BALL]).events[0]
    assert len(events) > 64 > len(calm)
    assert (np.diff(events["row"]) > 0).all()


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        ([], "exactly one system"),
        ([BALL, published("MassSlide")[0]], "exactly one system"),
        ([Recipe("BallDrop", {"mass": 1.0})], "lacks a variable"),
        ([replace(BALL, step=Step("height", 1.0, 2.0))], "no such parameter to step"),
    ],
)
def test_a_batch_that_cannot_be_simulated_is_refused(batch: list[Recipe], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        simulate(batch)


def test_unknown_dynamics_are_refused_with_the_nearest_name() -> None:
    with pytest.raises(SpecError, match="Did you mean 'released'"):
        simulate([BALL], "release")
