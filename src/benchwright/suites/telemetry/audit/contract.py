"""The corpus file: classes and contract, with the defaults that docs/telemetry.md lists."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.audit.clock import Clock
from benchwright.suites.telemetry.audit.findings import UnusableInput

FIGURES = ("instant", "setpoint", "derived", "cumulative")
MEANS = ("instant", "setpoint", "derived")
SPLITS = ("train", "dev", "test")

_BOUND = {"at_least": None, "at_most": None}
DEFAULTS: Mapping[str, Any] = {
    "calendar": "local",
    "left_out": ["dropout", "sentinel"],
    "nearest_steps": 1.0,
    "tie": "earlier",
    "dev_every": 5,
    "quality": {
        "answer": {
            "coverage": {**_BOUND, "quantile": 0.25, "at_most": 0.95},
            "gap_ratio": {**_BOUND, "quantile": 0.75, "at_least": 4.0},
        },
        "caution": {
            "coverage": {**_BOUND, "quantile": 0.1, "at_most": 0.83},
            "gap_ratio": {**_BOUND, "quantile": 0.9, "at_least": 22.0},
        },
        "dropout_share": 0.05,
        "frozen_share": 0.5,
        "seasons": [],
    },
    "eligibility": {
        "coverage": {**_BOUND, "quantile": 0.1},
        "absolute_mean": {**_BOUND, "quantile": 0.995},
        "margin": {**_BOUND, "quantile": 0.5},
        "group": 3,
    },
    "held_out": {},
    "family": [],
    "tolerances": {"value": 0.00005, "offset_ms": 1},
}
FAMILY: Mapping[str, Any] = {
    "site": "site",
    "held_out": None,
    "quota": {"train": 40, "dev": 10, "test": 10},
    "negative": {"train": 4, "dev": 1, "test": 1},
    "caps": {"cell": 4, "stream": 3, "winner": 3, "offset_bucket": 8},
}


@dataclass(frozen=True, slots=True)
class ValueClass:
    """What the values of a class mean; times in ms, `low` and `high` in its unit."""

    kind: str
    unit: str | None = None
    low: float | None = None
    high: float | None = None
    sentinels: tuple[float, ...] = ()
    zero: str = "value"
    frozen_ms: int = 0


@dataclass(frozen=True, slots=True)
class Family:
    """One family of the contract; `sites` are the fields that a question may call the site."""

    name: str
    sites: tuple[str, ...]
    held_out: str | None
    quota: Mapping[str, int]
    negative: Mapping[str, int]
    caps: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus file as read: the raw table, its classes, its contract and the two clocks."""

    raw: Mapping[str, Any]
    classes: Mapping[str, ValueClass]
    rules: Mapping[str, Any]
    families: tuple[Family, ...]
    zone: Clock
    clock: Clock

    @property
    def sites(self) -> tuple[str, ...]:
        """Every field that some family, or nobody in particular, calls the site."""
        return tuple(dict.fromkeys(["site", *(s for f in self.families for s in f.sites)]))


def load(path: Path) -> Corpus:
    """The corpus file of a set; refuses one that is no TOML or no corpus."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        return parse(raw)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise UnusableInput(f"no corpus file that can be used: {error!r} ({path})") from error


def parse(raw: Mapping[str, Any]) -> Corpus:
    """Classes and rules of a corpus table, defaults filled in."""
    rules = _merged(DEFAULTS, raw.get("contract", {}))
    zone = Clock(raw["zone"])
    return Corpus(
        raw=raw,
        classes={table["name"]: _value_class(table) for table in raw.get("class", [])},
        rules=rules,
        families=tuple(map(_family, rules["family"])),
        zone=zone,
        clock=zone if rules["calendar"] == "local" else Clock("UTC"),
    )


def _merged(default: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(default)
    for name, value in given.items():
        old = made.get(name)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        made[name] = _merged(old, value) if both else value  # type: ignore[arg-type]
    return made


def _value_class(table: Mapping[str, Any]) -> ValueClass:
    low, high = table.get("range", (None, None))
    return ValueClass(
        kind=table["kind"],
        unit=table.get("unit"),
        low=low,
        high=high,
        sentinels=tuple(table.get("sentinels", ())),
        zero=table.get("zero", "value"),
        frozen_ms=int(table.get("frozen_hours", 0.0) * 3_600_000),
    )


def _family(table: Mapping[str, Any]) -> Family:
    full = _merged(FAMILY, table)
    sites = full["site"]
    return Family(
        name=full["name"],
        sites=(sites,) if isinstance(sites, str) else tuple(sites),
        held_out=full["held_out"],
        quota=full["quota"],
        negative=full["negative"],
        caps=full["caps"],
    )
