"""What a policy must fulfil beyond its types: names of its system, intervals, distances, times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchwright.errors import SpecError
from benchwright.suites.tracebench.recipes import Recipe, Step, validate
from benchwright.suites.tracebench.solvability.reasons import VETOES
from benchwright.suites.tracebench.spec_errors import known, without_repeats

if TYPE_CHECKING:
    from benchwright.suites.tracebench.pools.policy import Distribution, Policy, Times


MOST_FAMILIES: Final = 10_000_000
LEVELS: Final = 3
"""Of a grid, where a policy says nothing."""
MOST_DELTA: Final = 1e6
"""No interval of any variable is wider."""


def check_policy(policy: Policy, where: object) -> None:
    """Nothing, or the SpecError of the first thing that cannot be drawn."""
    if policy.families > MOST_FAMILIES:
        hint = f"Use at most {MOST_FAMILIES:,}: they take hours of one core and 10 GB and more."
        place = f"{where}: families"
        raise _refused("pool is too large to be made", policy.families, place, hint)
    system = policy.simulated
    known(policy.dynamics, system.dynamics, "dynamics", f"{where}: dynamics")
    names = [variable.name for variable in system.variables]
    for name, spread in policy.baseline.variables.items():
        place = f"{where}: baseline.variables"
        known(name, names, "variable", place)
        low, high = system.variable(name).interval
        _check_spread(spread, low, high, f"{place}.{name}")
    _check_grid(policy, where)
    _check_interventions(policy, where)
    vetoes = [reason.text for reason in VETOES[policy.system]]
    for veto in without_repeats(policy.solvability.off, f"{where}: solvability.off"):
        known(veto, vetoes, "veto", f"{where}: solvability.off")
    _check_manual(policy, where)


def _check_spread(spread: Distribution, low: float, high: float, where: str) -> None:
    fixed = spread.distribution == "fixed"
    if fixed != (spread.value is not None):
        hint = "Give `value` with fixed, and with nothing else."
        raise _refused("distribution is incomplete", spread.value, where, hint)
    numbers = {"low": spread.low, "median": spread.median, "high": spread.high}
    if fixed and any(number is not None for number in numbers.values()):
        raise _refused("a fixed value has no spread", numbers, where, "Leave the others out.")
    given = [n for n in (*numbers.values(), spread.value) if n is not None]
    outside = [n for n in given if not low <= n <= high]
    if outside:
        hint = f"Allowed: {low:g} to {high:g}."
        raise _refused("number is outside the interval of the variable", outside[0], where, hint)
    if given != sorted(given):
        raise _refused("low, median and high are out of order", given, where, "Sort them.")
    least = low if spread.low is None else spread.low
    if spread.distribution == "loguniform" and least <= 0.0:
        hint = "Give a `low` above 0, or use uniform."
        raise _refused("loguniform needs positive numbers", least, where, hint)


def _check_grid(policy: Policy, where: object) -> None:
    given = "levels" in policy.baseline.model_fields_set and policy.baseline.levels != LEVELS
    if given and policy.baseline.method != "grid":
        hint = 'Add method = "grid", or leave levels out.'
        place = f"{where}: baseline.levels"
        raise _refused("levels belong to a grid", policy.baseline.levels, place, hint)
    fixed = [s for s in policy.baseline.variables.values() if s.distribution == "fixed"]
    points = policy.baseline.levels ** (len(policy.simulated.variables) - len(fixed))
    if policy.baseline.method == "grid" and not policy.families <= points < 2**62:
        hint = (
            f"Use at most {points} families, or more levels."
            if points < 2**62
            else "Use fewer levels."
        )
        place = f"{where}: baseline.levels"
        raise _refused("grid does not fit the number of families", points, place, hint)


def _check_interventions(policy: Policy, where: object) -> None:
    chosen = policy.intervention
    steppable = [p.name for p in policy.simulated.parameters if p.steppable]
    if chosen.parameters != "all":
        place = f"{where}: intervention.parameters"
        for name in without_repeats(chosen.parameters, place):
            known(name, steppable, "parameter to step", place)
        if not chosen.parameters:
            raise _refused("no parameter steps", [], place, 'Name one, or use "all".')
    without_repeats(chosen.directions, f"{where}: intervention.directions")
    _check_times(chosen.time, f"{where}: intervention.time")
    value = chosen.value
    place = f"{where}: intervention.value"
    wanted = {"fixed_delta": value.delta, "fixed_srd": value.target_srd}
    for method, number in wanted.items():
        if (value.method == method) != (number is not None):
            key = "delta" if method == "fixed_delta" else "target_srd"
            hint = f"Give `{key}` with {method}, and with nothing else."
            raise _refused("value sampler is incomplete", number, place, hint)
    delta, srd = value.delta, value.target_srd
    far = delta is not None and not 0.0 < delta <= MOST_DELTA
    if far or (srd is not None and not 0.0 < srd < 2.0):
        hint = "delta must be above 0, target_srd between 0 and 2; directions give the side."
        raise _refused("distance cannot be used", delta if far else srd, place, hint)


def _check_times(times: Times, where: str) -> None:
    if (times.method == "fixed") != (times.value is not None) or (
        (times.method == "choice") != bool(times.values)
    ):
        hint = "Give `value` with fixed, `values` with choice, `low` and `high` with uniform."
        raise _refused("time sampler is incomplete", times.method, where, hint)
    given = {"uniform": (times.low, times.high), "fixed": (times.value,), "choice": times.values}
    fractions: tuple[Any, ...] = given[times.method]
    if not all(0.0 < fraction < 1.0 for fraction in fractions):
        hint = "Times are fractions of the horizon, above 0 and below 1."
        raise _refused("time is outside the run", list(fractions), where, hint)
    if times.method == "uniform" and times.low > times.high:
        raise _refused("low is above high", [times.low, times.high], where, "Exchange them.")


def _check_manual(policy: Policy, where: object) -> None:
    without_repeats([case.id for case in policy.manual], f"{where}: manual")
    for case in policy.manual:
        for step in case.steps:
            change = Step(step.parameter, step.value, step.time)
            try:
                validate(Recipe(policy.system, case.values, change))
            except SpecError as error:
                place = f"{where}: manual case {case.id}, {error.where}"
                raise SpecError(
                    error.problem, value=error.value, where=place, hint=error.hint
                ) from error


def _refused(problem: str, value: object, where: object, hint: str) -> SpecError:
    return SpecError(problem, value=value, where=where, hint=hint)
