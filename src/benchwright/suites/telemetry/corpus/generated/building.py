"""A building that never was: four air handlers, their rooms and a weather mast, with known faults.

Takes a seed and a number of days; gives a wide CSV per air handler and one for the weather, in the
wall clock of Berlin, both changes of the clock included. Every number comes from whole numbers, so
the bytes are the same everywhere. `faults` lists what was planted, where and for how long.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.storage import write_text
from benchwright.suites.telemetry.corpus.generated.draws import Ints, draws, triangle
from benchwright.suites.telemetry.corpus.zones import DAY_MS, zone

FIRST: Final = int(np.datetime64("2023-09-01", "ms").astype(np.int64))
_MONDAY: Final = FIRST + 3 * DAY_MS
_ZONE: Final = "Europe/Berlin"
STEP_MS: Final = 900_000
UNITS: Final = (1, 2, 3, 4)
_WORDS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
_SENTINEL: Final = -400
_SPIKE: Final = 80_000


@dataclass(frozen=True, slots=True)
class Fault:
    """One planted fault: instants from `start` up to `end`, in ms."""

    unit: int
    column: str
    """`*` for all columns of the unit."""
    kind: str
    """frozen, dropout, sentinel, spike or gap."""
    start: int
    end: int


def faults(seed: int, days: int) -> list[Fault]:
    """Every fault of a building; five a unit, each from a Monday on and in a week of its own."""
    kinds = (
        ("room_a", "frozen", 5 * DAY_MS),
        ("*", "gap", 3 * DAY_MS),
        ("supply", "sentinel", 6 * STEP_MS),
        ("*", "dropout", DAY_MS),
        ("power", "spike", STEP_MS),
    )
    weeks = (days // 7 - 3) // len(kinds)
    found = []
    for unit in UNITS:
        place = draws(seed, f"faults {unit}", len(kinds), 0, max(0, weeks - 1))
        for index, (column, kind, length) in enumerate(kinds):
            week = 1 + index * weeks + int(place[index])
            start = zone(_ZONE).start_of(_MONDAY + week * 7 * DAY_MS)
            found.append(Fault(unit, column, kind, start, start + length))
    return found


def write_building(folder: Path, seed: int, days: int) -> None:
    """Write `ahu-1.csv` to `ahu-4.csv` and `weather.csv` into `folder`."""
    ts = FIRST + STEP_MS * np.arange(days * DAY_MS // STEP_MS, dtype=np.int64)
    outside = _outside(seed, ts)
    for unit in UNITS:
        columns = _unit(seed, unit, ts, outside)
        kept = np.ones(len(ts), dtype=bool)
        for fault in faults(seed, days):
            if fault.unit == unit:
                _plant(fault, ts, columns, kept)
        _write(folder / f"ahu-{unit}.csv", ts[kept], {k: v[kept] for k, v in columns.items()})
    wind = draws(seed, "wind", len(ts), 0, len(_WORDS) - 1)
    told = {"outside": _tenths(outside), "wind": np.array(_WORDS, dtype=object)[wind]}
    _write(folder / "weather.csv", ts, told)


def _outside(seed: int, ts: Ints) -> Ints:
    """Tenths of a degree: colder towards January, warmest in the afternoon."""
    since = (ts - FIRST) // 60_000
    year = 200 - triangle(since, 365 * 1440, 220)
    return year + triangle(since + 1440 - 240, 1440, 70) + draws(seed, "outside", len(ts), -6, 6)


def _unit(seed: int, unit: int, ts: Ints, outside: Ints) -> dict[str, NDArray[np.object_]]:
    count, minute = len(ts), (ts - FIRST) // 60_000
    hour, weekend = minute // 60 % 24, (minute // 1440 + 4) % 7 >= 5
    running = (hour >= 5) & (hour < 19) & ~weekend
    load = _weekly(seed, f"load {unit}", ts, 8, 13)
    need = np.maximum(0, 210 - outside) * running
    power = need * load // 10 + draws(seed, f"power {unit}", count, 0, 9) * running
    room = 205 + triangle(minute + 360, 1440, 12) + _weekly(seed, f"rooms {unit}", ts, -6, 6)
    rooms = {
        name: room
        + _weekly(seed, f"week {name} {unit}", ts, -4, 4)
        + draws(seed, f"{name} {unit}", count, -4, 4)
        for name in ("room_a", "room_b", "room_c")
    }
    supply = 180 + need // 8 + _weekly(seed, f"supply week {unit}", ts, -5, 5)
    filters = {
        name: 800 * running + draws(seed, f"{name} {unit}", count, 0, 60) + minute // 20_000
        for name in ("filter_1", "filter_2")
    }
    # Power is in tenths of a kW; four readings an hour make the counter in hundredths of a kWh.
    energy = np.cumsum(power * 10 // 4) + 100_000 * unit
    return {
        "supply": _tenths(supply + draws(seed, f"supply {unit}", count, -5, 5)),
        "setpoint": _tenths(np.where(running, 220, 170)),
        "fan": running.astype(np.int64).astype(object),
        "power": _tenths(power),
        "energy": _hundredths(energy),
        **{name: _tenths(value) for name, value in (rooms | filters).items()},
    }


def _weekly(seed: int, name: str, ts: Ints, low: int, high: int) -> Ints:
    """One drawn number a week, so that no unit and no room is always the highest."""
    week = (ts - FIRST) // (7 * DAY_MS)
    found: Ints = draws(seed, name, int(week[-1]) + 1, low, high)[week]
    return found


def _plant(
    fault: Fault, ts: Ints, columns: dict[str, NDArray[np.object_]], kept: NDArray[np.bool_]
) -> None:
    where = (ts >= fault.start) & (ts < fault.end)
    if fault.kind == "gap":
        kept &= ~where
    elif fault.kind == "dropout":
        for column in columns.values():
            column[where] = "0.0"
    elif fault.kind == "frozen":
        column = columns[fault.column]
        column[where] = column[where][0]
    else:
        value = _SENTINEL if fault.kind == "sentinel" else _SPIKE
        columns[fault.column][where] = _tenths(np.array([value]))[0]


def _tenths(value: Ints) -> NDArray[np.object_]:
    return np.array([f"{v / 10:.1f}" for v in value.tolist()], dtype=object)


def _hundredths(value: Ints) -> NDArray[np.object_]:
    return np.array([f"{v // 100}.{v % 100:02d}" for v in value.tolist()], dtype=object)


def _write(path: Path, ts: Ints, columns: dict[str, NDArray[np.object_]]) -> None:
    local = zone(_ZONE).local(ts).astype("datetime64[ms]").astype("datetime64[s]")
    cells = [[str(at).replace("T", " ") for at in local], *(v.tolist() for v in columns.values())]
    rows = (",".join(map(str, row)) for row in zip(*cells, strict=True))
    write_text(path, "\n".join([",".join(["time", *columns]), *rows]) + "\n")
