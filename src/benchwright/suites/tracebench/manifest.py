"""`held/shared/manifest.json`: what a set is made of, in numbers, and how noisy it is.

What a reader needs to judge a set: samples and distinct configurations per split and class
(coverage T12), how many configurations serve one class only (T44), out of how many a policy drew
them, and the signal-to-noise ratio of every channel at every level (T32); where the spec asks for
it, what the audit of shortcuts found in every draw. Ratios are rounded, so that a rebuild on
another machine gives the same file; the audit is a record of what was seen once, and is copied.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchwright.canonical import Json, canonical_json
from benchwright.storage import read_json
from benchwright.storage.records import record
from benchwright.suites.tracebench.plans import Plan
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.snr import spread_of
from benchwright.suites.tracebench.systems import System
from benchwright.tasks.taskset import HeldSet
from benchwright.tasks.writer import CANARY

MANIFEST_FORMAT = "benchwright.tracebench-manifest/1"
_DIGITS: Final = 2
"""Decimals of a ratio in dB, as published."""

Ratios = Mapping[tuple[str, str], NDArray[np.float64]]
"""By system and level: ratios in dB [sample, channel] of every sample at that level."""

AuditHistory = Sequence[Mapping[str, Json]]
"""What the audit of shortcuts found in every draw, the last of which is the set; empty for none."""


def manifest(plans: Sequence[Plan], dynamics: str, snr: Ratios, audit: AuditHistory = ()) -> bytes:
    """The manifest of a set; it has no `audit` where the spec asks for none."""
    systems: dict[str, Json] = {plan.name: _system(plan, snr) for plan in plans}
    head = {"format": MANIFEST_FORMAT, "canary": CANARY, "dynamics": dynamics}
    told: dict[str, Json] = {"audit": [dict(draw) for draw in audit]} if audit else {}
    return canonical_json({**head, **told, "systems": systems})


def audit_of(held: HeldSet) -> AuditHistory:
    """The audit that a set's manifest tells of."""
    told = read_json(held.shared("manifest.json"), form=MANIFEST_FORMAT)
    return record(_Audit, told, held.path / "shared" / "manifest.json").audit


def audit_lines(data: Mapping[str, Any]) -> Iterator[str]:
    """The audit of a manifest as a line of text; none where there was none."""
    draws = data.get("audit", [])
    if draws:
        again = "" if len(draws) == 1 else f"; drawn {len(draws)} times, because it fired before"
        yield f"audit of shortcuts: none found in {draws[-1]['tests']} tests{again}"


@dataclass(frozen=True, slots=True)
class _Audit:
    audit: tuple[Mapping[str, Any], ...] = ()


def snr_lines(data: Mapping[str, Any]) -> Iterator[str]:
    """The signal-to-noise ratios of a manifest as lines of text; none for a level without noise."""
    for name, told in data["systems"].items():
        for level, channels in told["snr"].items():
            known = [c for c in channels if c["mean_db"] is not None]
            words = "; ".join(f"{c['channel']} {_words(c)}" for c in known)
            if words:
                yield f"signal to noise, {name}, {level} noise: {words}"


def _words(channel: Mapping[str, Any]) -> str:
    sd = channel["sd_db"]
    return f"{channel['mean_db']:.1f}{'' if sd is None else f' ± {sd:.1f}'} dB"


def _system(plan: Plan, snr: Ratios) -> Json:
    parts = {
        "test": chain(*plan.split.tests.values()),
        "support": chain(*plan.split.support.values()),
        "heldout": plan.split.heldout,
    }
    splits: dict[str, Json] = {name: counts(recipes) for name, recipes in parts.items()}
    of_level: dict[str, Json] = {
        level: _channels(plan.system, ratios)
        for (name, level), ratios in snr.items()
        if name == plan.name
    }
    pool: Json = plan.pool.told if plan.pool else None
    return {"pool": pool, "splits": splits, "snr": of_level}


def _channels(system: System, ratios: NDArray[np.float64]) -> list[Json]:
    """Per channel mean and spread over the samples, those without a ratio counted apart."""
    rows: list[Json] = []
    for channel, values in zip(system.channels, ratios.T, strict=True):
        found = spread_of(values)
        rows.append(
            {
                "channel": channel.label,
                "mean_db": None if found.mean is None else round(found.mean, _DIGITS),
                "sd_db": None if found.sd is None else round(found.sd, _DIGITS),
                "samples": found.runs,
                "without_effect": found.without_effect,
            }
        )
    return rows


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
