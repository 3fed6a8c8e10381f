"""A generation policy: how configurations and steps of one system are drawn, read from TOML.

Takes a file or the name of a shipped policy; gives a `Policy` whose names and numbers are all known
to be usable, or one SpecError with the nearest known name. Draws nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.canonical import digest, plain
from benchwright.storage import check_format, read_toml
from benchwright.storage.records import Count
from benchwright.suites.tracebench.pools.policy_checks import LEVELS, check_policy
from benchwright.suites.tracebench.spec_errors import known, read_model
from benchwright.suites.tracebench.systems import SYSTEMS, System, get_system

POLICY_FORMAT: Final = "benchwright.policy/1"
Direction = Literal["increase", "decrease"]
DIRECTIONS: Final[tuple[Direction, ...]] = ("increase", "decrease")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Distribution(_Strict):
    """How one variable of a configuration is spread; `low` and `high` default to its interval."""

    distribution: Literal["uniform", "loguniform", "fixed"] = "uniform"
    low: float | None = None
    high: float | None = None
    median: float | None = None
    """With it, half of the draws lie below and half above, each half spread by itself."""
    value: float | None = None
    """Of `fixed` only."""


class Baselines(_Strict):
    """How configurations are drawn."""

    method: Literal["independent", "latin_hypercube", "sobol", "grid"] = "latin_hypercube"
    interval: Literal["documented", "widened"] = "documented"
    """`widened` covers the published pool, which leaves the documented intervals."""
    levels: int = Field(default=LEVELS, ge=1, le=1000)
    """Of `grid` only: values per variable that is not fixed."""
    variables: dict[str, Distribution] = {}
    min_distance_scale: float = Field(default=0.0, ge=0.0, le=1e6)
    """Least distance between configurations of the pool, in least steps of the system: any two
    differ by this many in some parameter; 0 asks for nothing."""


class Times(_Strict):
    """When the step happens, as fractions of the horizon; put on the sampling grid."""

    method: Literal["uniform", "fixed", "choice"] = "uniform"
    low: float = 0.2
    high: float = 0.8
    value: float | None = None
    values: tuple[float, ...] = ()


class Values(_Strict):
    """Which new value the parameter steps to, on the requested side."""

    method: Literal["conditional_uniform", "fixed_delta", "fixed_srd"] = "conditional_uniform"
    delta: float | None = None
    target_srd: float | None = None
    min_abs_multiplier: float = Field(default=1.0, ge=0.0, le=1e6)
    min_srd_multiplier: float = Field(default=1.0, ge=0.0, le=1e6)
    """Scale the least differences of the system."""


class Interventions(_Strict):
    """Which steps are drawn around every configuration."""

    parameters: Literal["all"] | tuple[str, ...] = "all"
    directions: tuple[Direction, ...] = Field(default=DIRECTIONS, min_length=1)
    children: int = Field(default=3, ge=1, le=1000)
    """Steps per parameter and direction."""
    time: Times = Times()
    value: Values = Values()


class ManualStep(_Strict):
    """A step written by hand."""

    parameter: str
    value: float
    time: float
    """Seconds."""


class ManualCase(_Strict):
    """A configuration written by hand, with its steps."""

    id: str
    values: dict[str, float]
    steps: tuple[ManualStep, ...] = Field(min_length=1)
    notes: str = ""


class Solvability(_Strict):
    """How candidates are judged."""

    kappa: float = Field(default=4.0, gt=0.0, le=1000.0)
    sigma: Literal["closed_form", "two_stage"] = "closed_form"
    """`two_stage` decides by Monte Carlo with 128 and 1,024 draws; the closed form stays beside."""
    off: tuple[str, ...] = ()
    """Vetoes that do not act."""
    every_ratio: bool = False
    """Compute both ratios of candidates that a rule rejects, too."""


class Policy(_Strict):
    """A whole policy."""

    format: Literal["benchwright.policy/1"] = "benchwright.policy/1"
    suite: Literal["tracebench"] = "tracebench"
    name: str
    system: str
    seed: Count
    families: Count = 1000
    """Configurations to draw; manual cases come before them."""
    dynamics: str = "exact"
    baseline: Baselines = Baselines()
    intervention: Interventions = Interventions()
    solvability: Solvability = Solvability()
    manual: tuple[ManualCase, ...] = ()

    @property
    def digest(self) -> str:
        """sha256 of everything that decides the table, the number of families included."""
        return digest(plain(self.model_dump(exclude={"name"})))

    @property
    def simulated(self) -> System:
        """The system that the policy is about."""
        return get_system(self.system)

    @property
    def parameters(self) -> tuple[str, ...]:
        """What steps, in the order of the system."""
        every = [p.name for p in self.simulated.parameters if p.steppable]
        chosen = self.intervention.parameters
        return tuple(name for name in every if chosen == "all" or name in chosen)


def shipped_policies() -> tuple[str, ...]:
    """Names of the policies that come with the suite, such as `balldrop-documented`."""
    folder = files(__package__) / "policies"
    return tuple(sorted(p.name.removesuffix(".toml") for p in folder.iterdir()))


def load_policy(name_or_path: str | Path, where: str = "POLICY") -> Policy:
    """The policy in a TOML file, or a shipped one by name; `where` names who asked for it.

    Raises:
        SpecError: unknown name, key, system, variable or veto, or a number that cannot be used.
    """
    path = Path(str(name_or_path))
    if not path.is_file():
        name = known(str(name_or_path), shipped_policies(), "policy", where)
        path = Path(str(files(__package__) / "policies" / f"{name}.toml"))
    return parse_policy(read_toml(path), path)


def parse_policy(data: Mapping[str, Any], where: object) -> Policy:
    """A checked policy from parsed TOML; `where` is named in errors.

    Raises:
        SpecError: as `load_policy`.
        FormatError: the file says that it is no policy, or one of a newer version.
    """
    if "format" in data:
        check_format(data, POLICY_FORMAT, where)
    policy = read_model(Policy, data, where, _TABLES)
    known(policy.system, SYSTEMS, "system", f"{where}: system")
    check_policy(policy, where)
    return policy


_TABLES: Mapping[str, type[BaseModel]] = {
    "baseline": Baselines,
    "variables": Distribution,
    "intervention": Interventions,
    "time": Times,
    "value": Values,
    "solvability": Solvability,
    "manual": ManualCase,
    "steps": ManualStep,
}
"""Records by the key that they stand under, so that the nearest key is one of their own."""
