"""The samples that `jumps` is measured on: 50 recipes per system, none of them shipped.

Takes a system; gives recipes whose classes are balanced and whose baselines, the published
configurations, are used as evenly as possible. Steps follow the documented policy and are kept by
what keeps a shipped recipe: both ratio tests at high noise, every rule, and a configuration
of which two parameters can be told. A run without a step of a baseline is itself shipped, so such a
run starts within 5 % of one instead. Knows nothing of any rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from benchwright.canonical import digest
from benchwright.errors import SpecError
from benchwright.suites.tracebench.batches import LEAST_CAUSES, quota
from benchwright.suites.tracebench.draws import Stream
from benchwright.suites.tracebench.probes import refusals
from benchwright.suites.tracebench.published import published
from benchwright.suites.tracebench.recipes import Recipe, validate
from benchwright.suites.tracebench.sampler import children
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.systems import Variable, get_system

SEED: Final = "samples for jumps 1"
"""Fixed before any rule was run on what it gives."""
COUNT: Final = 50
PER_SIDE: Final = 4
"""Steps drawn for every baseline, parameter and side, before any is refused."""
NEAR: Final = 0.05
_TRIES: Final = 20

Source = tuple[str, Recipe]
"""Digest of the baseline, and a recipe on or near it."""


def samples(
    system: str, count: int = COUNT, baselines: Sequence[Recipe] | None = None
) -> tuple[Source, ...]:
    """`count` recipes by class in the order of the prompt, each with its baseline.

    SpecError if the baselines (all published ones unless given) cannot fill a class.
    """
    labels = get_system(system).labels
    drawn = [(b, solvable_steps(b)) for b in baselines or published(system)]
    origins = [baseline for baseline, steps in drawn if steps]
    pool = [(baseline.digest, step) for baseline, steps in drawn for step in steps]
    wanted = quota(labels, count)
    used: Counter[str] = Counter()
    taken: dict[str, list[Source]] = {}
    for label in sorted(labels[:-1], key=lambda name: len({o for o, r in pool if r.label == name})):
        taken[label] = _spread([s for s in pool if s[1].label == label], wanted[label], used)
    taken[labels[-1]] = _unchanged(origins, wanted[labels[-1]], used)
    _check(system, taken, wanted)
    return tuple(source for label in labels for source in taken[label])


def solvable_steps(configuration: Recipe) -> tuple[Recipe, ...]:
    """Steps of a configuration that may be asked about; none unless two parameters have one."""
    listed = {recipe.digest for recipe in shipped(configuration.system)}
    drawn = [r for r in children(configuration, PER_SIDE, SEED) if r.digest not in listed]
    for recipe in drawn:
        validate(recipe)
    kept = [r for r, why in zip(drawn, refusals(drawn), strict=True) if why is Reason.KEPT]
    return tuple(kept) if len({r.label for r in kept}) >= LEAST_CAUSES else ()


def near(baseline: Recipe) -> Iterator[Recipe]:
    """Configurations with every number within 5 % of the baseline's and inside its interval."""
    system = get_system(baseline.system)
    stream = Stream(SEED, ["near", baseline.digest])
    for attempt in range(_TRIES):
        shares = stream.uniforms(attempt, 0, len(system.variables))
        values = {
            variable.name: _between(variable, baseline.values[variable.name], float(share))
            for variable, share in zip(system.variables, shares, strict=True)
        }
        if all(values[lower] <= values[upper] for lower, upper in system.ordered):
            yield Recipe(system.name, values)


def rises(recipe: Recipe) -> bool | None:
    """Whether the stepped value goes up; None without a step."""
    step = recipe.step
    return None if step is None else step.value > recipe.values[step.parameter]


def _between(variable: Variable, value: float, share: float) -> float:
    """Six digits of a uniform draw from what is both near `value` and allowed."""
    ends = sorted((value * (1.0 - NEAR), value * (1.0 + NEAR)))
    low, high = max(ends[0], variable.interval[0]), min(ends[1], variable.interval[1])
    return min(max(float(f"{low + (high - low) * share:.6g}"), low), high)


def _spread(pool: Sequence[Source], count: int, used: Counter[str]) -> list[Source]:
    """Up to `count` of one class: least used baseline first, then the rarer side, then by lot."""
    rest = sorted(pool, key=lambda source: digest([SEED, source[1].digest]))
    here: Counter[str] = Counter()
    sides: Counter[bool | None] = Counter()
    taken: list[Source] = []
    while rest and len(taken) < count:
        best = min(rest, key=lambda s: (used[s[0]], here[s[0]], sides[rises(s[1])]))
        rest.remove(best)
        taken.append(best)
        used[best[0]] += 1
        here[best[0]] += 1
        sides[rises(best[1])] += 1
    return taken


def _unchanged(origins: Sequence[Recipe], count: int, used: Counter[str]) -> list[Source]:
    """Up to `count` runs without a step, each near another baseline, least used ones first."""
    taken: list[Source] = []
    for origin in sorted(origins, key=lambda o: (used[o.digest], digest([SEED, o.digest]))):
        if len(taken) == count:
            break
        found = next((recipe for recipe in near(origin) if solvable_steps(recipe)), None)
        if found is not None:
            taken.append((origin.digest, found))
            used[origin.digest] += 1
    return taken


def _check(system: str, taken: dict[str, list[Source]], wanted: dict[str, int]) -> None:
    for label, sources in taken.items():
        if len(sources) < wanted[label]:
            raise SpecError(
                f"baselines are too few for '{label}'",
                value=f"{wanted[label]} wanted, {len(sources)} found",
                where=f"samples of {system}",
                hint="Ask for fewer samples or give more baselines.",
            )
    recipes = [recipe for sources in taken.values() for _, recipe in sources]
    for recipe in recipes:
        validate(recipe)
    digests = {recipe.digest for recipe in recipes}
    assert len(digests) == len(recipes)
    assert digests.isdisjoint(recipe.digest for recipe in shipped(system))
