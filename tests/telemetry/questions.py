"""What a small corpus asks: stores made of a few series, and their candidates by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.families.enumerate import enumerated
from benchwright.suites.telemetry.families.model import Candidate
from benchwright.suites.telemetry.families.sink import Sink
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.open import Store
from tests.telemetry.corpora import ENERGY, TEMPERATURE, channel, make, wide

HOUR, DAY, WEEK = 3_600_000, 86_400_000, 604_800_000
Series = Mapping[int, float]
"""Instants in ms to readings."""
NOBODY: dict[str, Any] = {"field": "equipment", "values": ["nobody"]}
CLASSES = [
    {**TEMPERATURE, "sentinels": [-9.0]},
    ENERGY,
    {"name": "Flow", "kind": "instant", "unit": "l/s", "zero": "dropout"},
    {"name": "Fan", "kind": "state"},
]


def at(text: str) -> int:
    """Milliseconds of a time in UTC; 1 January 2024 is a Monday."""
    return int(np.datetime64(text, "ms").astype(np.int64))


def steady(
    start: str, count: int, value: Callable[[int], float] = lambda i: 20 + i % 7, step: int = HOUR
) -> dict[int, float]:
    """`count` readings a step apart."""
    return {at(start) + i * step: value(i) for i in range(count)}


def without(series: Series, *spans: tuple[str, str]) -> dict[int, float]:
    """The same without the readings from each first time up to the second."""
    return {
        t: v for t, v in series.items() if not any(at(a) <= t < at(b) for a, b in spans)
    }  # fmt: skip


def corpus(
    folder: Path,
    series: Mapping[str, Series],
    families: Sequence[str | Mapping[str, Any]],
    points: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    contract: Mapping[str, Any] | None = None,
    **more: Any,
) -> Corpus:
    """A corpus of these streams, one file, times in UTC; a family is held out by nothing."""
    rows = sorted({t for one in series.values() for t in one})
    lines = ["time," + ",".join(series)]
    for t in rows:
        cells = (repr(one[t]) if t in one else "" for one in series.values())
        lines.append(f"{np.datetime64(t, 'ms')}," + ",".join(cells))
    said = points or {}
    channels = [channel(name, **{"equipment": name, **said.get(name, {})}) for name in series]
    source = wide(channel=channels, **more.pop("source", {}))
    held = {"nobody": NOBODY, **(contract or {}).get("held_out", {})}
    named = [{"name": f} if isinstance(f, str) else dict(f) for f in families]
    rules = {
        **(contract or {}),
        "held_out": held,
        "family": [{"held_out": "nobody", **family} for family in named],
    }
    files = {"rows.csv": "\n".join(lines) + "\n"}
    return make(folder, files, source, **{"class": CLASSES, "contract": rules, **more})


class Asked:
    """Every question of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.every = enumerated(store)

    def sink(self, family: str, variant: str = "usual") -> Sink:
        """What one kind was offered."""
        return next(
            s for s in self.every.sinks if (s.kind.family.name, s.kind.variant) == (family, variant)
        )

    def found(self, family: str, variant: str = "usual") -> list[Candidate]:
        """Candidates that a split may hold."""
        return self.sink(family, variant).found

    def told(self, key: str, family: str, variant: str = "usual") -> list[Any]:
        """One part of every identity."""
        return [c.identity[key] for c in self.found(family, variant)]


def ask(folder: Path, *given: Any, **more: Any) -> Asked:
    """Build the store of a corpus in `folder`, and ask everything."""
    return Asked(Store(build_store(corpus(folder / "data", *given, **more), folder / "store")))
