"""How often a stream is read, and since when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.model import Regime
from benchwright.suites.telemetry.corpus.zones import zone


@dataclass(frozen=True, slots=True)
class Step:
    """From the instant `start` on (ms; None: always) a reading is due every `ms`."""

    start: int | None
    ms: int


def steps_of(regimes: tuple[Regime, ...], zone_name: str, where: str) -> tuple[Step, ...]:
    """Declared regimes with their starts as instants; empty where none is declared."""
    return tuple(Step(_instant(r.start, zone_name, where), r.step_s * 1000) for r in regimes)


def _instant(text: str | None, zone_name: str, where: str) -> int | None:
    if text is None:
        return None
    try:
        local = int(np.datetime64(text, "ms").astype(np.int64))
    except ValueError as error:
        raise SpecError(
            "start of a regime is no time",
            value=text,
            where=where,
            hint="Write it as 2024-01-31T04:00:00, in wall-clock time.",
        ) from error
    return zone(zone_name).start_of(local)
