"""The samples of one system before anything is simulated: which recipe is which sample, by name.

Takes a spec and the secrets of a set; gives a `Plan` per system. Drawing from a policy, which takes
the longest, happens here; so a plan can be made in a process of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchwright.canonical import salted_name
from benchwright.suites.tracebench.batches import Asked, Split, split
from benchwright.suites.tracebench.cells import Level
from benchwright.suites.tracebench.observed import Job, Named
from benchwright.suites.tracebench.pool_recipes import Drawn, FromPolicies, draw
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.solvable import check_solvable
from benchwright.suites.tracebench.spec import Spec
from benchwright.suites.tracebench.systems import System, get_system


@dataclass(frozen=True, slots=True)
class Secrets:
    """What decides the draws and the names of a set. `repr` shows neither."""

    seed: str
    salt: str

    def __repr__(self) -> str:
        return "Secrets(...)"


@dataclass(frozen=True, slots=True)
class Plan:
    """The samples of one system and their names."""

    name: str
    split: Split
    names: Mapping[str, str]
    """Recipe digest to sample file name."""
    pool: Drawn | None
    """Where the recipes come from, if a policy drew them; without the recipes."""

    @property
    def system(self) -> System:
        """The system itself."""
        return get_system(self.name)

    def job(self, level: Level, seed: str, dynamics: str, *, heldout: bool) -> Job:
        """The work of observing these samples at one level."""
        batches = (*self.split.tests.values(), *self.split.support.values())
        return Job(
            single=self._named(recipe for batch in batches for recipe in batch),
            heldout=self._named(self.split.heldout if heldout else ()),
            level=level,
            seed=seed,
            dynamics=dynamics,
        )

    def tests(self, seed: int) -> dict[str, Recipe]:
        """The test batch of a seed by file name, sorted."""
        return dict(self._named(self.split.tests[seed]))

    def examples(self, seed: int, shots: int) -> dict[str, Recipe]:
        """The support batch of a seed with `shots` samples per class by file name, sorted."""
        return dict(self._named(self.split.examples(seed, shots)))

    def _named(self, recipes: Iterable[Recipe]) -> Named:
        named = {self.names[recipe.digest]: recipe for recipe in recipes}
        return tuple((name, named[name]) for name in sorted(named))


def planned(spec: Spec, name: str, secrets: Secrets, dynamics: str) -> Plan:
    """Draw, divide and name the samples of one system.

    Raises:
        SpecError: the recipes cannot give the batches or held-out samples that the spec asks for,
            or an own recipe changes too little to be seen.
    """
    labels = get_system(name).labels
    held = spec.heldout if spec.asks_rules() else 0
    asked = Asked(spec.seeds, spec.samples, spec.shots, held)
    pool = None
    recipes: Sequence[Recipe]
    if isinstance(spec.recipes, FromPolicies):
        policy = spec.recipes.by_system[name]
        pool = draw(policy, asked.complete(labels), secrets.seed, spec.kappa, dynamics)
        recipes = pool.recipes
    else:
        recipes = _listed(spec, name, dynamics)
    parts = split(recipes, labels, asked, secrets.seed)
    batches = (*parts.tests.values(), *parts.support.values(), parts.heldout)
    names = {
        recipe.digest: f"{salted_name(secrets.salt, 'sample', recipe.digest)}.parquet"
        for batch in batches
        for recipe in batch
    }
    return Plan(name, parts, names, pool.bare() if pool else None)


def _listed(spec: Spec, name: str, dynamics: str) -> Sequence[Recipe]:
    if spec.recipes is None:
        return shipped(name)
    assert not isinstance(spec.recipes, FromPolicies)
    listed = spec.recipes.of(name)
    check_solvable(listed, spec.kappa, dynamics, spec.where)
    return listed
