"""`held/shared/manifest.json`: how many samples and configurations each split and class has.

The counts are what a reader needs to judge a set: distinct configurations per class (coverage T12),
and how many configurations serve one class only (T44). Where a policy drew the recipes, it says of
how many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from benchwright.canonical import Json, canonical_json
from benchwright.suites.tracebench.plans import Plan
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.tasks.writer import CANARY

MANIFEST_FORMAT = "benchwright.tracebench-manifest/1"


def manifest(plans: Sequence[Plan], dynamics: str) -> bytes:
    """The manifest of a set."""
    systems: dict[str, Json] = {plan.name: _system(plan) for plan in plans}
    head = {"format": MANIFEST_FORMAT, "canary": CANARY, "dynamics": dynamics}
    return canonical_json({**head, "systems": systems})


def _system(plan: Plan) -> Json:
    parts = {
        "test": chain(*plan.split.tests.values()),
        "support": chain(*plan.split.support.values()),
        "heldout": plan.split.heldout,
    }
    splits: dict[str, Json] = {name: counts(recipes) for name, recipes in parts.items()}
    return {"pool": plan.pool.told if plan.pool else None, "splits": splits}


def counts(recipes: Iterable[Recipe]) -> dict[str, Json]:
    """What a manifest says about one split."""
    samples: dict[str, Json] = {}
    of_label: dict[str, set[str]] = defaultdict(set)
    of_configuration: dict[str, list[str]] = defaultdict(list)
    for recipe in recipes:
        of_label[recipe.label].add(recipe.configuration)
        of_configuration[recipe.configuration].append(recipe.label)
    for label in sorted(of_label):
        samples[label] = sum(labels.count(label) for labels in of_configuration.values())
    return {
        "samples": samples,
        "configurations": {label: len(of_label[label]) for label in sorted(of_label)},
        "distinct_configurations": len(of_configuration),
        "configurations_of_one_class": sum(
            len(set(labels)) == 1 for labels in of_configuration.values()
        ),
    }
