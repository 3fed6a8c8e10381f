"""Series of a stream, drawn from a seed: what a building's log holds, its dirt included.

Takes a plan and a stream id; gives times and values. Every draw is keyed by seed and stream id, so
neither the order of streams nor their number changes a series.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

Kind = Literal["analog", "state", "counter", "constant", "empty"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
SENTINEL: Final = -99_999.0
GARBAGE: Final = (5.8e38, -5.6e38, 1.7e38)
"""Numbers that no sensor measures and that logs of buildings hold."""

_SHARES: Final = (0.3, 0.2, 0.1, 0.4, 0.0)
_BY_WORD: Final[tuple[tuple[str, Kind], ...]] = (
    ("status", "state"), ("command", "state"), ("alarm", "state"), ("mode", "state"),
    ("setpoint", "constant"), ("parameter", "constant"), ("limit", "constant"),
    ("energy", "counter"), ("sensor", "analog"),
)  # fmt: skip
_DAY_MS: Final = 86_400_000
_WRAP: Final = 2.0**32 / 100


@dataclass(frozen=True, slots=True)
class SeriesPlan:
    """What is drawn; the same plan and stream id give the same series."""

    seed: int
    days: float = 28.0
    start_ms: int = 1_609_459_200_000
    """2021-01-01 UTC."""
    step_s: float = 600.0
    """Between observations; jitter of up to a twentieth comes on top, in milliseconds."""
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    """Kind per stream id; drawn for those that are not named. `kind_of_class` may give it."""
    empty: float = 0.05
    """Share of streams without a row, whatever their kind."""
    dirty: float = 0.1
    """Share of analog streams with garbage, and of those with a sentinel."""
    outages: int = 2
    """Greatest number of gaps in a stream, of up to three days each."""


@dataclass(frozen=True, slots=True)
class Series:
    """One stream; both arrays have the same length, which may be 0."""

    stream: str
    kind: Kind
    time_ms: npt.NDArray[np.int64]
    """Ascending; a few instants of some streams stand twice."""
    value: npt.NDArray[np.float64]


def generator(seed: int, *parts: str) -> np.random.Generator:
    """Counter-based draws of their own for every seed and list of words."""
    key = hashlib.sha256("\0".join((str(seed), *parts)).encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(key[:16], "little")))


def kind_of_class(name: str) -> Kind:
    """What a point of a Brick class usually logs: `Zone_Air_Temperature_Sensor` is `analog`."""
    words = name.lower().split("_")
    return next((kind for word, kind in _BY_WORD if word in words), "constant")


def series(plan: SeriesPlan, stream: str) -> Series:
    """The series of one stream."""
    draw = generator(plan.seed, stream)
    drawn = KINDS[int(draw.choice(len(KINDS), p=_SHARES))]
    kind = "empty" if draw.random() < plan.empty else plan.kinds.get(stream, drawn)
    time = _times(plan, draw) if kind != "empty" else np.zeros(0, dtype=np.int64)
    value = _VALUES[kind](time, draw, plan)
    if len(time) > 2 and draw.random() < 0.1:
        twice = np.sort(draw.integers(0, len(time), 2))
        time, value = np.insert(time, twice, time[twice]), np.insert(value, twice, value[twice])
    return Series(stream, kind, time, value)


def _times(plan: SeriesPlan, draw: np.random.Generator) -> npt.NDArray[np.int64]:
    step = plan.step_s * 1000.0
    count = int(plan.days * _DAY_MS / step)
    jitter = draw.uniform(0.0, step / 20, count)
    time = plan.start_ms + np.floor(np.arange(count) * step + jitter).astype(np.int64)
    kept = np.ones(count, dtype=bool)
    for _ in range(int(draw.integers(0, plan.outages + 1))):
        begin = plan.start_ms + draw.uniform(0, plan.days) * _DAY_MS
        kept &= (time < begin) | (time >= begin + draw.uniform(0.05, 3.0) * _DAY_MS)
    running: npt.NDArray[np.int64] = time[kept]
    return running


Values = npt.NDArray[np.float64]


def _analog(time: npt.NDArray[np.int64], draw: np.random.Generator, plan: SeriesPlan) -> Values:
    """A level with a daily and a weekly swing, in four decimals; some streams are dirty."""
    days = (time - plan.start_ms) / _DAY_MS
    level, daily, weekly = draw.uniform(5, 60), draw.uniform(0.2, 6), draw.uniform(0, 2)
    shift = draw.uniform(0, 1)
    swing = daily * np.sin(2 * np.pi * (days - shift)) + weekly * np.sin(2 * np.pi * days / 7)
    value = np.round(level + swing + draw.normal(0, 0.15, len(time)), 4)
    if len(time) and draw.random() < plan.dirty:
        value[draw.integers(0, len(time), 3)] = GARBAGE
    if len(time) and draw.random() < plan.dirty:
        value[draw.integers(0, len(time), 2)] = SENTINEL
    return value


def _state(time: npt.NDArray[np.int64], draw: np.random.Generator, _: SeriesPlan) -> Values:
    """0 and 1, or a few levels, held for a while."""
    most = int(draw.choice([1, 1, 3]))
    turns = draw.random(len(time)) < 0.02
    levels: Any = draw.integers(0, most + 1, len(time) + 1)
    return np.asarray(levels[np.cumsum(turns)], dtype=np.float64)


def _counter(time: npt.NDArray[np.int64], draw: np.random.Generator, _: SeriesPlan) -> Values:
    """A running total that begins again at the limit of its 32 bits of hundredths."""
    near = _WRAP - draw.uniform(0, len(time) / 2)
    start = near if draw.random() < 0.2 else draw.uniform(0, 1e6)
    return np.asarray(np.round((start + np.cumsum(draw.exponential(1.0, len(time)))) % _WRAP, 2))


def _constant(time: npt.NDArray[np.int64], draw: np.random.Generator, _: SeriesPlan) -> Values:
    return np.full(len(time), float(np.round(draw.uniform(0, 100), 1)))


_VALUES: Final = {
    "analog": _analog,
    "state": _state,
    "counter": _counter,
    "constant": _constant,
    "empty": _constant,
}
