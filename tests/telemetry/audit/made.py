"""Small streams, points and corpora for facts that can be worked out by hand."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from benchwright.suites.telemetry.audit.contract import Corpus, ValueClass, parse
from benchwright.suites.telemetry.audit.points import Point
from benchwright.suites.telemetry.audit.stream import Regimes, Stream

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
# Monday 2024-01-08, 00:00 UTC.
MONDAY = 1_704_672_000_000


def point(name: str = "a", **more: Any) -> Point:
    base = {
        "site": "S",
        "point_class": "T",
        "kind": "instant",
        "unit": "K",
        "equipment": "E " + name,
    }
    return Point(**{"stream": name, **base, **more})


def stream(
    values: Sequence[float],
    *,
    start: int = MONDAY,
    step: int = HOUR,
    times: Sequence[int] | None = None,
    marks: bytes | None = None,
    rules: ValueClass | None = None,
    regimes: Regimes | None = None,
    left_out: tuple[str, ...] = ("dropout", "sentinel"),
) -> Stream:
    """Values a step apart from `start`, or at `times`."""
    at = list(times) if times is not None else [start + i * step for i in range(len(values))]
    return Stream(
        point=point(kind=(rules or ValueClass("instant")).kind),
        rules=rules or ValueClass("instant"),
        times=array("q", at),
        values=array("d", values),
        marks=bytearray(marks or bytes(len(values))),
        regimes=[(None, step)] if regimes is None else regimes,
        left_out=left_out,
    )


def corpus(zone: str = "Europe/Berlin", **contract: Any) -> Corpus:
    """A corpus of class T, a kind of reading without rules of its own."""
    raw = {"zone": zone, "class": [{"name": "T", "kind": "instant", "unit": "K"}], "source": []}
    return parse({**raw, "contract": contract})
