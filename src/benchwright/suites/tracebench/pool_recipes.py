"""Recipes that a spec has drawn by a policy, until there are enough for its batches.

    recipes = { policy = "paper-like" }           the shipped policy of that kind, for each system
    recipes = { policy = ["mine.toml", ...] }     policies of one's own, one for each system

Blocks of the pool are drawn in order until enough configurations are complete: they keep at least
one step on every parameter that can step, so each of them could serve any class. Only these are
used. So a configuration gives no hint of the class that it was given to, and more blocks than
needed change nothing. The pool's seed is that of the set, not the one in the policy.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from benchwright.canonical import Json, digest, plain
from benchwright.errors import SpecError
from benchwright.suites.tracebench.pools.blocks import MANUAL, made_block
from benchwright.suites.tracebench.pools.configurations import BLOCK
from benchwright.suites.tracebench.pools.policy import (
    Policy,
    load_policy,
    parse_policy,
    shipped_policies,
)
from benchwright.suites.tracebench.pools.table import kept_recipes
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.spec_errors import known

MOST_FAMILIES: Final = 100 * BLOCK
"""Configurations after which drawing gives up."""
_SEED_DIGITS: Final = 15


@dataclass(frozen=True, slots=True)
class FromPolicies:
    """The policy of every system of a spec."""

    told: Json
    """What a public file says about them."""
    written: Json
    """What a spec file says, which gives the same policies again."""
    by_system: Mapping[str, Policy]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The complete configurations of a pool, in the order in which they were drawn."""

    recipes: tuple[Recipe, ...]
    """Every kept recipe of them; runs without a change are not listed."""
    policy: str
    """Digest of the policy as it was used."""
    families: int
    kept: int
    """Configurations that keep steps on two or more parameters."""
    complete: int

    def bare(self) -> Drawn:
        """The same without its recipes."""
        return replace(self, recipes=())

    @property
    def told(self) -> dict[str, Json]:
        """Its numbers for a manifest."""
        counts = {"families": self.families, "kept": self.kept, "complete": self.complete}
        return {"policy": self.policy, **counts}


def read_policies(given: Mapping[str, Any], systems: Sequence[str], where: object) -> FromPolicies:
    """The policies that a spec names, one for each of `systems`, or one SpecError."""
    place = f"{where}: recipes"
    for key in given:
        known(key, ("policy",), "key", place)
    named = given.get("policy")
    if isinstance(named, str) and not Path(named).is_file():
        kinds = {name.partition("-")[2] for name in shipped_policies()}
        known(named, kinds, "kind of policy", place)
        policies = {name: load_policy(f"{name.lower()}-{named}") for name in systems}
        return FromPolicies({"policy": named}, {"policy": named}, policies)
    items = named if isinstance(named, list) else [named]
    own = {policy.system: policy for policy in (_own(item, place) for item in items)}
    for policy in own.values():
        _check_complete(policy, place)
    if len(own) != len(items) or set(own) != set(systems):
        raise SpecError(
            "policies do not fit the systems of the spec",
            value=", ".join(sorted(own)),
            where=place,
            hint=f"Give one policy for each of {', '.join(systems)}.",
        )
    whole: list[Json] = [plain(own[name].model_dump(exclude_none=True)) for name in systems]
    return FromPolicies(f"{len(own)} own policies", {"policy": whole}, own)


def _own(item: object, place: str) -> Policy:
    if isinstance(item, Mapping):
        return parse_policy(item, place)
    if isinstance(item, str):
        return load_policy(item, place)
    raise SpecError(
        "policy is neither a name nor a table",
        value=item,
        where=place,
        hint='Write for example: recipes = { policy = "paper-like" }',
    )


def _check_complete(policy: Policy, place: str) -> None:
    if len(policy.parameters) < _causes(policy):
        raise SpecError(
            "policy leaves parameters out, so some labels would have no samples",
            value=", ".join(policy.parameters),
            where=f"{place}, {policy.system}",
            hint='Write parameters = "all" under [intervention].',
        )


def draw(policy: Policy, needed: int, seed: str, kappa: float, dynamics: str) -> Drawn:
    """Draw blocks until `needed` configurations are complete, or MOST_FAMILIES are drawn.

    `kappa` is the least noise at which a change must show; the policy may ask for more.

    Raises:
        SpecError: more are needed than are ever drawn.
    """
    if needed > MOST_FAMILIES:
        raise SpecError(
            "spec needs more configurations than a set draws",
            value=needed,
            where=f"samples, shots, heldout, seeds, {policy.system}",
            hint=f"Ask for fewer: {MOST_FAMILIES:,} are drawn at most.",
        )
    used = policy.model_copy(
        update={
            "seed": int(digest([seed, "pool", policy.system])[:_SEED_DIGITS], 16),
            "families": MOST_FAMILIES,
            "dynamics": dynamics,
            "solvability": policy.solvability.model_copy(
                update={"kappa": max(kappa, policy.solvability.kappa)}
            ),
        }
    )
    found: list[Recipe] = []
    families = kept = complete = 0
    for count, members in _blocks(used):
        families += count
        kept += len(members)
        whole = [steps for steps in members if len({_cause(r) for r in steps}) == _causes(used)]
        complete += len(whole)
        found += [recipe for steps in whole for recipe in steps]
        if complete >= needed:
            break
    return Drawn(tuple(found), used.digest, families, kept, complete)


def _blocks(policy: Policy) -> Iterator[tuple[int, list[list[Recipe]]]]:
    """Per block: configurations drawn, and the kept steps around each kept one."""
    numbers = [MANUAL] if policy.manual else []
    for number in [*numbers, *range(MOST_FAMILIES // BLOCK)]:
        by_family: dict[int, list[Recipe]] = defaultdict(list)
        source = io.BytesIO(made_block(policy, number))
        for family, recipe in kept_recipes(source, policy.simulated):
            if recipe.step is not None:
                by_family[family].append(recipe)
        yield (len(policy.manual) if number == MANUAL else BLOCK), list(by_family.values())


def _cause(recipe: Recipe) -> str:
    assert recipe.step is not None
    return recipe.step.parameter


def _causes(policy: Policy) -> int:
    return sum(parameter.steppable for parameter in policy.simulated.parameters)
