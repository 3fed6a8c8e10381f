"""Small drawings of a specimen: series as SVG paths that need no script and no data file.

Takes a `Specimen`; gives one `Strip` per channel, with a common scale for all its curves. Series
are thinned like those of a viewer, only more coarsely, and rounded to the units of the drawing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from benchwright.report.page import Specimen
from benchwright.report.viewer import Trace, thin

WIDTH, HEIGHT = 720, 150
"""Units of a drawing; the page stretches it to the place that there is."""

BUCKETS = 150
_MARGIN = 0.05


@dataclass(frozen=True, slots=True)
class Curve:
    """One series in one strip."""

    kind: str
    """Class of the style sheet: `level-0`, ... for levels, the role for probes."""
    path: str


@dataclass(frozen=True, slots=True)
class Strip:
    """One channel with every curve that can be shown in it."""

    label: str
    hint: str
    span: str
    """Lowest to highest value of any level, as text: the scale that is drawn."""
    wide_span: str
    """The same with the probes."""
    shift: float
    stretch: float
    """How to move what is drawn, in units of the height, so that the probes have room too."""
    curves: tuple[Curve, ...]
    mark: int | None
    """Where the change is, in units of the width."""


def strips(specimen: Specimen) -> tuple[Strip, ...]:
    """The channels of `specimen` as strips below each other."""
    return tuple(_strip(specimen, channel) for channel in range(len(specimen.axes)))


def ticks(specimen: Specimen) -> tuple[str, str, str]:
    """Times at the left end, the middle and the right end, in seconds."""
    rows = specimen.levels[0].values.shape[1]
    end = specimen.start_s + specimen.step_s * (rows - 1)
    return "0", f"{end / 2:.2g}", f"{end:.2g} s"


def outline(values: NDArray[np.float32], low: float, high: float) -> str:
    """A series as an SVG path in whole units, `high` at the top; every visible peak is kept."""
    kept = thin(values, BUCKETS)
    x = np.rint(kept * (WIDTH / max(len(values) - 1, 1))).astype(int)
    y = np.rint((high - values[kept].astype(float)) * (HEIGHT / (high - low))).astype(int)
    points = _without_straights(list(zip(x.tolist(), y.tolist(), strict=True)))
    moves = (_pair(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))
    return f"M{_pair(*points[0])}l" + _joined(moves)


def _strip(specimen: Specimen, channel: int) -> Strip:
    axis = specimen.axes[channel]
    own = _range(specimen.levels, channel)
    wide = _range((*specimen.levels, *specimen.probes), channel)
    (low, high), (lowest, highest) = _roomy(*own), _roomy(*wide)
    named = [(f"level-{i}", trace) for i, trace in enumerate(specimen.levels)]
    named += [(trace.role.replace("_", "-"), trace) for trace in specimen.probes]
    return Strip(
        label=f"{axis.label} ({axis.unit})" if axis.unit else axis.label,
        hint=axis.hint,
        span=_words(*own),
        wide_span=_words(*wide),
        shift=round((highest - high) / (highest - lowest) * HEIGHT, 2),
        stretch=round((high - low) / (highest - lowest), 4),
        curves=tuple(
            Curve(kind, outline(trace.values[channel], low, high)) for kind, trace in named
        ),
        mark=_mark(specimen),
    )


def _mark(specimen: Specimen) -> int | None:
    if specimen.mark_s is None:
        return None
    rows = int(specimen.levels[0].values.shape[1])
    row = (specimen.mark_s - specimen.start_s) / specimen.step_s
    return round(row * WIDTH / max(rows - 1, 1))


def _range(traces: Sequence[Trace], channel: int) -> tuple[float, float]:
    found = [trace.values[channel] for trace in traces]
    return min(float(v.min()) for v in found), max(float(v.max()) for v in found)


def _without_straights(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """`points` without repeats and without those on the straight way between their neighbours."""
    kept = points[:1]
    for after in points[1:]:
        if after == kept[-1]:
            continue
        if len(kept) > 1 and _straight(kept[-2], kept[-1], after):
            kept.pop()
        kept.append(after)
    return kept if len(kept) > 1 else [*kept, points[-1]]


def _straight(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    first, second = (b[0] - a[0], b[1] - a[1]), (c[0] - b[0], c[1] - b[1])
    cross = first[0] * second[1] - first[1] * second[0]
    return cross == 0 and first[0] * second[0] + first[1] * second[1] >= 0


def _pair(x: int, y: int) -> str:
    return f"{x}{'' if y < 0 else ' '}{y}"


def _joined(moves: Iterator[str]) -> str:
    text = ""
    for move in moves:
        text += move if not text or move.startswith("-") else f" {move}"
    return text


def _roomy(low: float, high: float) -> tuple[float, float]:
    room = _MARGIN * (high - low) or 1.0
    return low - room, high + room


def _words(low: float, high: float) -> str:
    """A range as text, as precise as its width deserves."""
    digits = 1 - math.floor(math.log10(high - low)) if high > low else 1
    return f"{_number(low, digits)} to {_number(high, digits)}"


def _number(value: float, digits: int) -> str:
    shown = round(value, digits)
    text = f"{shown / 1000:g}k" if abs(shown) >= 10_000 else f"{shown:g}"
    return text.replace("-", "−") if shown else "0"
