"""Build specs: what is accepted, and the one line that a wrong one gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchwright.canonical import canonical_json, plain
from benchwright.errors import SpecError
from benchwright.suites.tracebench.audited import kappa
from benchwright.suites.tracebench.listed import recipe_id
from benchwright.suites.tracebench.pools.policy import load_policy
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.spec import Level, load_spec, parse_spec, shipped_specs
from benchwright.suites.tracebench.systems import SYSTEMS

STEPPED = next(recipe for recipe in shipped("BallDrop") if recipe.step is not None)


def parsed(**keys: Any) -> Any:
    return parse_spec({"suite": "tracebench", **keys}, "my.toml")


def own(**keys: Any) -> dict[str, Any]:
    assert STEPPED.step is not None
    step = STEPPED.step
    table = {"system": "BallDrop", "values": dict(STEPPED.values)}
    return table | {"parameter": step.parameter, "value": step.value, "time": step.time} | keys


def test_demo_is_every_system_at_two_levels_in_two_modes() -> None:
    spec = load_spec("demo")
    assert spec.systems == tuple(SYSTEMS)
    assert spec.levels == (Level("low", 1.0), Level("high", 4.0))
    assert {cell.mode for cell in spec.cells} == {"direct", "programmatic"}
    assert not spec.secret


@pytest.mark.parametrize("name", shipped_specs())
def test_a_shipped_spec_opens_by_its_name_with_and_without_its_suite(name: str) -> None:
    assert load_spec(name) == load_spec(f"tracebench/{name}")


def test_a_spec_of_ones_own_opens_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('suite = "tracebench"\nsystems = ["BallDrop"]\nnoise = ["none", 2.5, 4]\n')
    spec = load_spec(file)
    assert spec.levels == (Level("none", 0.0), Level("2.5", 2.5), Level("high", 4.0))
    assert spec.secret


@example([2.5, 2.5000001])
@given(st.lists(st.floats(0, 1000), min_size=1, max_size=4, unique=True))
def test_different_noise_levels_have_different_names_that_say_them(kappas: list[float]) -> None:
    levels = parsed(noise=kappas).levels
    assert [level.kappa for level in levels] == kappas
    assert [kappa(level.name) for level in levels] == kappas


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"nose": ["low"]}, r"unknown key: 'nose' \(my.toml\)\. Did you mean noise\?"),
        ({"systems": ["ball_drop"]}, r"unknown system: 'ball_drop'.*Did you mean BallDrop\?"),
        ({"systems": ["Pendulum"]}, r"Use one of: BallDrop, BounceBall, MassSlide\."),
        ({"recipes": "shiped"}, r"unknown recipe list: 'shiped'.*Did you mean shipped\?"),
        ({"noise": ["lowish"]}, r"unknown noise level: 'lowish'.*Did you mean low\?"),
        ({"noise": [-1]}, r"not a number from 0 to 1000: -1"),
        ({"noise": [float("nan")]}, r"not a number from 0 to 1000: nan"),
        ({"noise": ["low", 1]}, r"stands twice: 'low' \(my.toml: noise\)\. Name each value once\."),
        ({"noise": 2.5}, r"2\.5 \(my.toml: noise\)\. Write a list: noise = \[2\.5\]\."),
        ({"modes": "direct"}, r"'direct' \(my.toml: modes\)\. .*modes = \[\"direct\"\]\."),
        ({"seeds": []}, r"\[\] \(my.toml: seeds\)\. Give at least 1, or leave the line out"),
        ({"secret": 1}, r"1 \(my.toml: secret\)\. Use true or false\."),
        ({"noise": [2.5, 2.5]}, r"stands twice: '2.5' .*noise"),
        ({"context": ["nones"]}, r"unknown context: 'nones' \(my.toml: context\).*mean none\?"),
        ({"shots": [-1]}, r"not from 0 to 100: -1 \(my.toml: shots\)"),
        ({"conditions": [{"nose": ["low"]}]}, r"unknown key: 'nose'.*Did you mean noise\?"),
        ({"conditions": [{"noise": ["lo"]}]}, r"my.toml: conditions\[0\]: noise\).*mean low\?"),
        ({"conditions": [{}], "shots": [1]}, r"conditions twice: 'shots'.*\[\[conditions\]\]"),
        (
            {"conditions": [{}, {"noise": ["high"]}]},
            r"stands in two .*: 'noise high, direct, context full, 0 shots'",
        ),
        ({"recipes": {"policy": "paper"}}, r"policy has no rest.*heldout = 142"),
        ({"seeds": [0, 0]}, r"stands twice: 0 \(my.toml: seeds\)"),
        ({"seeds": [-1]}, r"-1 \(my.toml: seeds\[0\]\)\. Use at least 0"),
        ({"seeds": [1.5]}, r"my.toml: seeds\[0\]"),
        ({"seeds": list(range(100_000))}, r"too many tasks: 1200000 \(my.toml: seeds\)"),
        ({"samples": 3}, r"fewer samples than classes: 3"),
        ({"heldout": "all"}, r"my.toml: heldout"),
        ({"heldout": -2}, r"-2 \(my.toml: heldout\)\. Use at least 0"),
        ({"modes": ["direkt"]}, r"value cannot be used: 'direkt' \(my.toml: modes\[0\]\)"),
        ({"systems": []}, r"my.toml: systems"),
        ({"suite": "telemetry"}, r"value cannot be used: 'telemetry' \(my.toml: suite\)"),
    ],
)
def test_a_wrong_spec_gets_one_line_with_value_place_and_next_step(
    keys: dict[str, Any], message: str
) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        parsed(**keys)
    assert "\n" not in str(caught.value)


def test_a_spec_without_suite_is_told_which_line_to_add() -> None:
    with pytest.raises(SpecError, match=r"key is missing: 'suite'"):
        parse_spec({}, "my.toml")


def test_an_unknown_spec_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(SpecError, match=r"unknown build spec: .*demos'.*mean tracebench/demo\?"):
        load_spec("demos")


def test_a_name_that_is_near_to_none_is_answered_with_all_of_them_as_one_writes_them() -> None:
    with pytest.raises(SpecError) as caught:
        load_spec("tracebench/zzzzzzzzzz")
    assert all(f"tracebench/{name}" in caught.value.hint for name in shipped_specs())


def test_own_recipes_are_read_and_belong_to_their_system() -> None:
    spec = parsed(recipes=[own()], systems=["BallDrop"])
    assert spec.recipes.of("BallDrop") == (STEPPED,)


def test_an_own_recipe_can_start_from_a_shipped_one() -> None:
    table = own(values={"mass": 5.0}, configuration=recipe_id(STEPPED))
    (recipe,) = parsed(recipes=[table], systems=["BallDrop"]).recipes.of("BallDrop")
    assert recipe.values == {**STEPPED.values, "mass": 5.0}


def test_a_shipped_recipe_can_be_listed_by_its_id() -> None:
    spec = parsed(recipes=[recipe_id(STEPPED)], systems=["BallDrop"])
    assert spec.recipes.of("BallDrop") == (STEPPED,)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (own(vlaue=3), r"unknown key: 'vlaue' \(my.toml: recipes\[0\]\)\. Did you mean value\?"),
        (own(system="BallDrops"), r"unknown system: 'BallDrops'.*Did you mean BallDrop\?"),
        (own(values={**STEPPED.values, "mas": 1.0}), r"'mas' \(my.toml: recipes\[0\].*mass"),
        (own(values={**STEPPED.values, "mass": 900.0}), r"outside its interval: 900.*0\.5 to 20"),
        (own(values={"mass": 1.0}), r"my.toml: recipes\[0\], BallDrop"),
        (own(parameter="gravty"), r"'gravty'.*recipes\[0\].*gravity"),
        (own(parameter="initial_height", value=1.0), r"'initial_height'"),
        (own(time=10.5), r"outside the run: 10\.5"),
        (own(time=None), r"change is incomplete.*Give parameter, value and time"),
        (own(system="MassSlide"), r"MassSlide"),
        (recipe_id(STEPPED)[:-1], rf"unknown recipe: .*Did you mean {recipe_id(STEPPED)}\?"),
        ("pendulum", r"unknown recipe: 'pendulum' \(my.toml: recipes\[0\]\)\. Use one of: balldr"),
    ],
)
def test_a_wrong_recipe_is_named_by_its_place(table: Any, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        parsed(recipes=[table], systems=["BallDrop"])


def test_a_recipe_listed_twice_is_refused() -> None:
    with pytest.raises(SpecError, match=r"listed twice: 'balldrop-"):
        parsed(recipes=[own(), recipe_id(STEPPED)], systems=["BallDrop"])


def test_a_recipe_of_a_system_that_is_left_out_is_refused() -> None:
    with pytest.raises(SpecError, match=r"leaves out: 'BallDrop'"):
        parsed(recipes=[own()], systems=["MassSlide"])


def test_what_may_be_published_of_a_spec_names_no_own_recipe() -> None:
    spec = parsed(recipes=[own()], systems=["BallDrop"])
    assert spec.public()["recipes"] == "1 own recipes"
    assert "4.0" not in str(spec.public())


@pytest.mark.parametrize(
    "recipes", ["shipped", [own(), own(parameter=None, value=None, time=None)]]
)
def test_the_whole_of_a_spec_is_a_spec_that_says_the_same(recipes: Any) -> None:
    spec = parsed(recipes=recipes, systems=["BallDrop"], noise=["low", 2, 2.5], heldout=0)
    stored = json.loads(canonical_json(spec.whole()))
    assert parse_spec(stored, "held") == spec


PAPER_CELLS = {
    ("none", "direct", "full", 0): "calibration",
    ("low", "direct", "full", 3): "main",
    ("low", "programmatic", "full", 3): "main",
    ("high", "direct", "full", 3): "main",
    ("high", "programmatic", "full", 3): "main",
    ("high", "direct", "full", 0): "no examples",
    ("high", "programmatic", "full", 0): "no examples",
    ("high", "direct", "none", 3): "no context",
    ("high", "programmatic", "none", 3): "no context",
}
"""The rows of facts 6.3 that the paper uses."""


def test_the_spec_of_the_paper_has_its_nine_conditions() -> None:
    spec = load_spec("paper")
    cells = [(c.level.name, c.mode, c.context, c.shots) for c in spec.cells]
    assert len(cells) == 9 and set(cells) == set(PAPER_CELLS)
    assert len(spec.systems) * len(spec.seeds) * len(cells) == 135
    assert (spec.samples, spec.heldout, spec.secret) == (10, 142, True)


def test_the_grid_holds_every_condition_of_the_paper() -> None:
    cells = {(c.level.name, c.mode, c.context, c.shots) for c in load_spec("grid").cells}
    assert len(cells) == 36 and set(PAPER_CELLS) < cells


def test_only_levels_with_rules_ask_for_heldout_samples() -> None:
    spec = load_spec("paper")
    asked = {level.name: spec.asks_rules(level) for level in spec.levels}
    assert asked == {"none": False, "low": True, "high": True}
    assert spec.asks_rules() and spec.shots == 3 and spec.kappa == 4.0


@pytest.mark.parametrize("name", shipped_specs())
def test_the_whole_of_a_shipped_spec_is_a_spec_that_says_the_same(name: str) -> None:
    spec = load_spec(name)
    assert parse_spec(json.loads(canonical_json(spec.whole())), "held") == spec


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("papers", r"unknown kind of policy: 'papers' \(my.toml: recipes\).*mean paper-like\?"),
        (["balldrop-paper-like"], r"do not fit the systems.*BallDrop, MassSlide"),
        ([3], r"neither a name nor a table: 3"),
        (["no-such-file.toml"], r"unknown policy: 'no-such-file.toml'"),
    ],
)
def test_a_wrong_policy_is_named(policy: Any, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        parsed(recipes={"policy": policy}, heldout=1, systems=["BallDrop", "MassSlide"])


def test_a_policy_that_leaves_a_parameter_out_cannot_give_every_label() -> None:
    table = plain(load_policy("balldrop-paper-like").model_dump(exclude_none=True))
    assert isinstance(table, dict) and isinstance(table["intervention"], dict)
    table["intervention"]["parameters"] = ["mass"]
    with pytest.raises(SpecError, match=r"leaves parameters out.*'mass'"):
        parsed(recipes={"policy": [table]}, heldout=1, systems=["BallDrop"])


def test_policies_of_ones_own_stay_out_of_the_public_spec() -> None:
    spec = parsed(recipes={"policy": ["balldrop-paper-like"]}, heldout=1, systems=["BallDrop"])
    assert spec.public()["recipes"] == "1 own policies"
    assert parse_spec(json.loads(canonical_json(spec.whole())), "held") == spec
