"""Specs, recipes, policies and agents files with a value of another kind: what they say, or no."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from benchwright.errors import FormatError, SpecError
from benchwright.running.agents_file import read_agents
from benchwright.suites.tracebench.listed import written
from benchwright.suites.tracebench.pools.policy import load_policy, parse_policy
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.spec import parse_spec
from tests.robust.mutation import DROP, Mutation, mutations, places

SPEC = {
    "format": "benchwright.spec/1", "suite": "tracebench", "systems": ["BallDrop"],
    "noise": ["low", 2.5], "modes": ["direct"], "context": ["full"], "shots": [0, 1],
    "seeds": [0, 1], "samples": 10, "heldout": 2, "recipes": "shipped", "secret": True,
}  # fmt: skip
PRODUCTS = {
    "suite": "tracebench",
    "conditions": [{"noise": ["low"], "modes": ["direct"]}, {"noise": ["high"], "shots": [1]}],
}
OWN = {
    "suite": "tracebench",
    "systems": ["BallDrop"],
    "recipes": [written(recipe) for recipe in shipped("BallDrop")[:2]],
}
DRAWN = {
    "suite": "tracebench",
    "systems": ["BallDrop"],
    "heldout": 2,
    "recipes": {"policy": "paper-like"},
}
POLICY = load_policy("massslide-paper-like").model_dump(exclude_none=True, mode="json")
POLICY["intervention"]["parameters"] = ["gravity_constant"]
AGENTS = {
    "format": "benchwright.agents-file/1",
    "agents": {
        "mine": {
            "doc": "words", "agent": "react", "model": "openai/gpt-5.5",
            "args": {"attempts": 2}, "reasoning_effort": "low", "generate": {"temperature": 0.5},
            "limits": {"messages": 5, "tokens": 100, "wall_s": 60, "cost_usd": "1.5"},
            "price": {"input": "5", "cached": "0.5", "output": "30"}, "command_timeout_s": 60,
        }
    },
}  # fmt: skip


def spec(value: Any, folder: Path) -> object:
    return parse_spec(value, "my.toml")


def policy(value: Any, folder: Path) -> object:
    return parse_policy(value, "my.toml")


def agents(value: Any, folder: Path) -> object:
    path = folder / "my.toml"
    path.write_text(tomli_w.dumps(value), encoding="utf-8")
    return read_agents(path)


FILES: dict[str, tuple[dict[str, Any], Callable[[Any, Path], object]]] = {
    "a spec": (SPEC, spec),
    "a spec of products": (PRODUCTS, spec),
    "a spec with own recipes": (OWN, spec),
    "a spec with a policy": (DRAWN, spec),
    "a policy": (POLICY, policy),
    "agents": (AGENTS, agents),
}


def changed(content: dict[str, Any]) -> list[Mutation]:
    return [m for path in places(content) for m in mutations(content, path)]


@pytest.mark.parametrize(("content", "reader"), FILES.values(), ids=FILES)
def test_a_file_is_read_or_refused_in_one_line(
    tmp_path: Path, content: dict[str, Any], reader: Callable[[Any, Path], object]
) -> None:
    assert reader(content, tmp_path)
    for mutation in changed(content):
        try:
            reader(mutation.changed, tmp_path)
        except (SpecError, FormatError) as error:
            assert "\n" not in str(error) and "my.toml" in str(error), mutation
        except TypeError as error:
            assert "None" in str(error), mutation  # TOML has no null


NUMBERS = {bool, str, list, dict}
"""What is no number, whatever it looks like."""


@pytest.mark.parametrize("name", ["a spec", "a spec with own recipes", "a policy"])
def test_a_value_of_another_kind_is_never_taken_for_a_number(name: str, tmp_path: Path) -> None:
    content, reader = FILES[name]
    for mutation in changed(content):
        old: Any = content
        for key in mutation.path:
            old = old[key]
        if isinstance(old, bool) or not isinstance(old, int | float) or mutation.value is DROP:
            continue
        if mutation.path[0] == "noise" and isinstance(mutation.value, str):
            continue  # a level may be named
        if type(mutation.value) in NUMBERS:
            with pytest.raises(SpecError):
                reader(mutation.changed, tmp_path)
