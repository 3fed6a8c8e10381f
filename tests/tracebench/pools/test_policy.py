from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import BenchwrightError, SpecError
from benchwright.suites.tracebench.pools.policy import (
    Policy,
    load_policy,
    parse_policy,
    shipped_policies,
)
from benchwright.suites.tracebench.pools.report import published_pool
from benchwright.suites.tracebench.suite import load
from benchwright.suites.tracebench.systems import SYSTEMS

PLAIN: dict[str, Any] = {"name": "mine", "system": "BallDrop", "seed": 1}


def parsed(**changes: Any) -> Policy:
    return parse_policy({**PLAIN, **changes}, "here")


def test_every_system_has_both_shipped_policies() -> None:
    kinds = ("documented", "paper-like")
    assert set(shipped_policies()) == {f"{s.lower()}-{kind}" for s in SYSTEMS for kind in kinds}


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_shipped_policies_take_the_published_numbers(system: str) -> None:
    paper = load_policy(f"{system.lower()}-paper-like")
    spreads = {n: [s.low, s.median, s.high] for n, s in paper.baseline.variables.items()}
    assert spreads == published_pool(system)
    documented = load_policy(f"{system.lower()}-documented")
    assert documented.baseline.interval == "documented" and not documented.baseline.variables
    assert {documented.dynamics, paper.dynamics} == {"exact"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"famlies": 3}, "Did you mean families"),
        ({"system": "ball_drop"}, "Did you mean BallDrop"),
        ({"dynamics": "exakt"}, "Did you mean exact"),
        ({"baseline": {"metod": "sobol"}}, "Did you mean method"),
        ({"baseline": {"method": "sobel"}}, "value cannot be used"),
        ({"baseline": {"min_distance_scale": -0.1}}, "value cannot be used"),
        ({"baseline": {"variables": {"mas": {}}}}, "Did you mean mass"),
        ({"baseline": {"variables": {"mass": {"lo": 1}}}}, "Did you mean low"),
        ({"baseline": {"variables": {"mass": {"low": 0.1}}}}, "outside the interval"),
        ({"baseline": {"variables": {"mass": {"low": 5, "high": 2}}}}, "out of order"),
        ({"baseline": {"variables": {"mass": {"distribution": "fixed"}}}}, "incomplete"),
        ({"baseline": {"variables": {"drag_coeff": {"distribution": "loguniform"}}}}, "positive"),
        ({"baseline": {"method": "grid", "levels": 2}, "families": 65}, "grid does not fit"),
        ({"intervention": {"childern": 2}}, "Did you mean children"),
        ({"intervention": {"parameters": ["masss"]}}, "Did you mean mass"),
        ({"intervention": {"directions": ["up"]}}, "value cannot be used"),
        ({"intervention": {"time": {"method": "fixed"}}}, "incomplete"),
        ({"intervention": {"time": {"low": 0.0}}}, "outside the run"),
        ({"intervention": {"time": {"low": 0.7, "high": 0.3}}}, "low is above high"),
        ({"intervention": {"value": {"method": "fixed_delta"}}}, "incomplete"),
        ({"intervention": {"value": {"method": "fixed_srd", "target_srd": 2.5}}}, "distance"),
        ({"solvability": {"off": ["low_apax"]}}, "Did you mean low_apex"),
        ({"intervention": {"value": {"method": "fixed_delta", "delta": 0}}}, "distance"),
        ({"intervention": {"value": {"method": "fixed_delta", "delta": 1e308}}}, "distance"),
        ({"intervention": {"value": {"method": "fixed_srd", "target_srd": 0}}}, "distance"),
        ({"intervention": {"value": {"min_abs_multiplier": 1e308}}}, "value cannot be used"),
        ({"baseline": {"levels": 5}}, "levels belong to a grid"),
        ({"families": 9 * 10**18}, "too large to be made: 9000000000000000000 .*families"),
        ({"solvability": {"kappa": 0}}, "value cannot be used"),
        ({"solvability": {"sigma": "guess"}}, "value cannot be used"),
    ],
)
def test_what_cannot_be_drawn_is_one_line_with_the_next_step(
    changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(SpecError, match=words):
        parsed(**changes)


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("", 'does not say its format.*Add a line: format = "benchwright.policy/1"'),
        ('format = "benchwright.policy/2"', "newer benchwright"),
        ('format = "benchwright.spec/2"', "newer benchwright"),
    ],
)
def test_a_policy_says_which_format_it_has(tmp_path: Path, first: str, words: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'{first}\nsuite = "tracebench"\nname = "x"\nsystem = "BallDrop"\nseed = 1\n')
    with pytest.raises(BenchwrightError, match=words):
        load(str(file))


def test_a_manual_case_is_checked_like_any_recipe() -> None:
    values = {v.name: v.documented[1] for v in SYSTEMS["BallDrop"].variables}
    step = {"parameter": "mass", "value": 19.9, "time": 3.0}
    with pytest.raises(SpecError, match="too small"):
        parsed(manual=[{"id": "a", "values": values, "steps": [step]}])


def test_the_digest_depends_on_what_is_drawn_and_on_nothing_else() -> None:
    assert parsed(name="other").digest == parsed().digest
    assert parsed(seed=2).digest != parsed().digest
    assert parsed(families=7).digest != parsed().digest


def test_an_unknown_policy_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(SpecError, match="balldrop-documented"):
        load_policy("baldrop-documented")
