"""`Recipe`: one run to be simulated, and what makes it valid.

A recipe holds plain numbers and has an identity that does not depend on the order of its keys or on
whether 4 is spelled 4 or 4.0. Knows the systems; simulates nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from benchwright.canonical import digest
from benchwright.errors import SpecError
from benchwright.suites.tracebench.systems import System, Variable, get_system, unknown

_SLACK = 1e-9
"""Relative; 0.95 - 0.65 counts as a change of 0.3."""


@dataclass(frozen=True, slots=True)
class Step:
    """One instantaneous change: `parameter` is `value` in every row whose time is >= `time`."""

    parameter: str
    value: float
    time: float
    """Seconds. Between two rows `released` acts as at the later one, `exact` at this very time."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All numbers of one run: every parameter and initial value, and at most one step."""

    system: str
    values: Mapping[str, float]
    step: Step | None = None

    @property
    def digest(self) -> str:
        """sha256 over system, values and step."""
        return digest({"system": self.system, "values": self.values, "step": self.step})

    @property
    def configuration(self) -> str:
        """sha256 without the step: equal for all runs of one initial configuration."""
        return self.baseline().digest

    @property
    def label(self) -> str:
        """The true answer: the label of the stepped parameter, or no change."""
        return get_system(self.system).label_of(self.step.parameter if self.step else None)

    def baseline(self) -> Recipe:
        """The same configuration without a change (the no-intervention probe)."""
        return replace(self, step=None)

    def static(self) -> Recipe:
        """The new value from time 0 on and no step (the static-change probe)."""
        return Recipe(self.system, self.after())

    def after(self) -> dict[str, float]:
        """All values as they are after the step."""
        changed = {self.step.parameter: self.step.value} if self.step else {}
        return {**self.values, **changed}


def srd(a: float, b: float) -> float:
    """Symmetric relative difference 2 |a - b| / (|a| + |b|); 0 for two zeros."""
    return 2.0 * abs(a - b) / (abs(a) + abs(b)) if a or b else 0.0


def validate(recipe: Recipe) -> None:
    """Nothing, or SpecError that names the variable, its value and what is allowed."""
    system = get_system(recipe.system)
    check_names(system, recipe.values)
    for variable in system.variables:
        _inside(system, variable, recipe.values[variable.name])
    _ordered(system, recipe.values)
    if recipe.step is not None:
        _check_step(system, recipe, recipe.step)


def check_names(system: System, values: Mapping[str, float]) -> None:
    """SpecError unless `values` names exactly the variables of the system."""
    known = {variable.name: variable for variable in system.variables}
    for name in values:
        if name not in known:
            raise unknown(f"{system.name} has no such variable", name, known)
    missing = [name for name in known if name not in values]
    if missing:
        raise _refuse(system, "recipe lacks a variable", missing[0], "Give every variable a value.")


def _check_step(system: System, recipe: Recipe, step: Step) -> None:
    system.label_of(step.parameter)
    variable = system.variable(step.parameter)
    _inside(system, variable, step.value)
    _ordered(system, recipe.after())
    _far_enough(system, variable, recipe.values[step.parameter], step.value)
    last = float(system.times[-1])
    if not 0.0 < step.time <= last:
        hint = f"Choose a time in (0, {last:g}] s, so that at least one row shows it."
        raise _refuse(system, "change time is outside the run", step.time, hint)


def _inside(system: System, variable: Variable, value: float) -> None:
    low, high = variable.interval
    if not (math.isfinite(value) and low <= value <= high):
        hint = f"Allowed: {low:g} to {high:g} {variable.unit}."
        raise _refuse(system, f"{variable.name} is outside its interval", value, hint)


def _ordered(system: System, values: Mapping[str, float]) -> None:
    for low, high in system.ordered:
        if values[low] > values[high]:
            hint = f"{high} must be at least {low} ({values[low]:g}), before and after a change."
            raise _refuse(system, f"{high} is below {low}", values[high], hint)


def _far_enough(system: System, variable: Variable, old: float, new: float) -> None:
    if abs(new - old) < variable.min_abs * (1.0 - _SLACK) or old == new:
        hint = f"Change it by at least {variable.min_abs:g} {variable.unit} from {old:g}."
        raise _refuse(system, f"change of {variable.name} is too small", new, hint)
    if srd(old, new) < variable.min_srd * (1.0 - _SLACK):
        hint = f"2|a-b|/(|a|+|b|) against {old:g} must be at least {variable.min_srd:g}."
        raise _refuse(system, f"change of {variable.name} is relatively too small", new, hint)


def _refuse(system: System, problem: str, value: object, hint: str) -> SpecError:
    return SpecError(problem, value=value, where=f"{system.name} recipe", hint=hint)
