"""What operations share: known streams, windows with data, handles and flags."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchwright.canonical import digest
from benchwright.storage import nearest
from benchwright.suites.telemetry.contract.aggregate import aggregate, usable
from benchwright.suites.telemetry.contract.measure import Measures, measure
from benchwright.suites.telemetry.contract.periods import Window
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.operations.refusals import refuse
from benchwright.suites.telemetry.operations.times import shown
from benchwright.suites.telemetry.store.observed import Stretch
from benchwright.suites.telemetry.store.open import Store

_HANDLE = 12


@dataclass(frozen=True, slots=True)
class Figures:
    """A window of a stream: its readings, measures and figures; None where there is none."""

    point: Point
    stretch: Stretch
    measures: Measures
    used: int
    left_out: int
    mean: float | None
    least: float
    greatest: float
    change: float | None
    beyond: int
    """Readings out of range, where the contract leaves these out; else 0."""

    @property
    def flags(self) -> dict[str, int]:
        """Counts of marks that are not zero."""
        m = self.measures
        said = {
            "time_adjusted": m.adjusted,
            "dropout": m.dropout,
            "sentinel": m.sentinel,
            "range": self.beyond,
            "left_out": self.left_out,
            "imputed": int(self.point.imputed),
        }
        return {name: count for name, count in said.items() if count}


def known(store: Store, stream: str) -> Point:
    """The point of a stream id."""
    if stream in store.points:
        return store.points[stream]
    if stream in store.unmatched:
        raise refuse("empty", f"{stream!r} is known but cannot be read: {store.unmatched[stream]}.")
    raise refuse("unknown", f"No stream {stream!r}. {nearest(stream, store.points)}")


def figures(store: Store, stream: str, start: int, end: int) -> Figures:
    """Figures of a window that holds at least one reading."""
    point = known(store, stream)
    stretch = store.readings(stream, start, end)
    if not len(stretch.ts):
        raise nothing(store, stream, start, end)
    rules = store.rules(stream)
    kept = usable(stretch.value, stretch.marks, rules.kind, store.contract.left_out)
    found = aggregate(
        stretch.ts,
        stretch.value,
        kept,
        np.array([start, end]),
        store.extent(stream).decimals,
        point.kind,
    )
    measures = measure(stretch.ts, stretch.value, stretch.marks, Window(start, end), rules)
    beyond = measures.range + measures.spike
    return Figures(
        point=point,
        stretch=stretch,
        measures=measures,
        used=int(found.count[0]),
        left_out=int(found.left_out[0]),
        mean=_number(found.mean[0]),
        least=float(found.least[0]),
        greatest=float(found.greatest[0]),
        change=_number(found.change[0]),
        beyond=beyond if "range" in store.contract.left_out else 0,
    )


def nothing(store: Store, stream: str, start: int, end: int) -> Exception:
    """The refusal of a window without readings."""
    extent = store.extent(stream)
    if end <= extent.first or start > extent.last:
        span = f"{shown(extent.first)} to {shown(extent.last)}"
        return refuse("out_of_range", f"{stream!r} has readings from {span} only.")
    return refuse("empty", f"{stream!r} has no reading from {shown(start)} to {shown(end)}.")


def handle(operation: str, arguments: Mapping[str, Any], content: object) -> str:
    """The short handle of a result."""
    said = {"operation": operation, "arguments": dict(arguments), "content": content}
    return f"r{digest(said)[:_HANDLE]}"


def content(stretches: Iterable[Stretch]) -> str:
    """sha256 of the observations that a call read."""
    sha = hashlib.sha256()
    for stretch in stretches:
        sha.update(len(stretch.ts).to_bytes(8, "little"))
        for part in stretch.parts():
            sha.update(part)
    return sha.hexdigest()


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
