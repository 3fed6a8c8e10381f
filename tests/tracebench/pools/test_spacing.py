"""Configurations of a pool keep their distance, in least steps of the system."""

from __future__ import annotations

import io
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from benchwright.suites.tracebench.pools.blocks import admitted, made_block
from benchwright.suites.tracebench.pools.configurations import BLOCK, configurations
from benchwright.suites.tracebench.pools.policy import Policy, parse_policy
from benchwright.suites.tracebench.pools.table import kept_recipes
from benchwright.suites.tracebench.recipes import srd
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.systems import SYSTEMS, System
from benchwright.suites.tracebench.systems.spacing import least_steps, near_before, near_earlier


def policy(system: str, scale: float, **changes: Any) -> Policy:
    plain = {"name": "mine", "system": system, "seed": 1, "families": 3 * BLOCK}
    baseline = {"interval": "widened", "min_distance_scale": scale}
    return parse_policy({**plain, "baseline": baseline, **changes}, "here")


def apart(system: System, one: np.ndarray, other: np.ndarray, scale: float) -> bool:
    """Straight from the definition, with the recipes' own difference."""
    return any(
        abs(a - b) >= scale * v.min_abs and srd(float(a), float(b)) >= min(scale * v.min_srd, 2.0)
        for v, a, b in zip(system.variables, one, other, strict=True)
        if v.min_abs or v.min_srd
    )


@pytest.mark.parametrize("scale", [0.2, 1.0])
@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_no_two_admitted_configurations_are_near(name: str, scale: float) -> None:
    asked = policy(name, scale)
    kept = []
    for block in (0, 2):
        values = configurations(asked, block)
        kept += list(values[admitted(asked, block, values) == Reason.KEPT][:150])
    assert len(kept) > 100
    assert all(apart(SYSTEMS[name], *pair, scale) for pair in combinations(kept, 2))


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_a_configuration_is_left_out_only_if_an_earlier_one_is_near(name: str) -> None:
    asked, system = policy(name, 1.0), SYSTEMS[name]
    blocks = [configurations(asked, number) for number in (0, 1)]
    reasons = [admitted(asked, number, values) for number, values in enumerate(blocks)]
    order = np.concatenate(reasons) == Reason.OUT_OF_ORDER
    values, near = np.concatenate(blocks), np.concatenate(reasons) == Reason.TOO_NEAR
    assert near[BLOCK:].sum() > near[:BLOCK].sum() > 0
    for place in np.flatnonzero(~order)[::23]:
        before = values[:place][~order[:place]]
        assert near[place] == (not all(apart(system, values[place], b, 1.0) for b in before))


def test_a_scale_of_zero_leaves_every_configuration_in() -> None:
    asked = policy("BallDrop", 0.0)
    assert not admitted(asked, 0, configurations(asked, 0)).any()


def test_initial_values_alone_set_nothing_apart() -> None:
    system = SYSTEMS["BallDrop"]
    names = [variable.name for variable in system.variables]
    one = configurations(policy("BallDrop", 0.0), 0)[:1]
    other = one.copy()
    other[0, names.index("initial_height")] += 3.0
    assert near_earlier(other, one, least_steps(system, 0.001)).all()
    other[0, names.index("mass")] += 1.0
    assert not near_before(np.concatenate([one, other]), least_steps(system, 0.1)).any()


def test_equal_configurations_are_near_at_any_scale() -> None:
    system = SYSTEMS["BounceBall"]
    twice = np.repeat(configurations(policy("BounceBall", 0.0), 0)[:1], 2, axis=0)
    assert near_before(twice, least_steps(system, 1e-9)).tolist() == [False, True]


def test_drawn_configurations_keep_their_distance_from_manual_ones() -> None:
    plain = policy("BallDrop", 0.0)
    names = [variable.name for variable in SYSTEMS["BallDrop"].variables]
    values = configurations(plain, 0)
    chosen = next(row for row in values if row[names.index("gravity")] < 7.0)
    step = {"parameter": "gravity", "value": chosen[names.index("gravity")] + 4.0, "time": 4.0}
    case = {"id": "mine", "values": dict(zip(names, chosen.tolist(), strict=True)), "steps": [step]}
    asked = policy("BallDrop", 0.01, manual=[case])
    reasons = admitted(asked, 0, values)
    assert reasons[np.flatnonzero((values == chosen).all(axis=1))] == Reason.TOO_NEAR
    assert (reasons == Reason.TOO_NEAR).sum() < 10


def test_the_table_says_why_and_has_no_steps_around_them() -> None:
    asked = policy("MassSlide", 1.0)
    data = made_block(asked, 1)
    table = pq.read_table(io.BytesIO(data)).to_pandas()
    near = table[table["reason"] == "too_near"]
    reasons = admitted(asked, 1, configurations(asked, 1))
    assert len(near) == (reasons == Reason.TOO_NEAR).sum() > 0
    assert set(near["kind"]) == {"baseline"} and not near["kept"].any()
    assert table[table["family"].isin(near["family"])]["kind"].eq("baseline").all()
    families = {family for family, _ in kept_recipes(io.BytesIO(data), SYSTEMS["MassSlide"])}
    assert families and not families & set(near["family"])
