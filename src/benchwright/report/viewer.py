"""`Viewer`: series of one sample that can be laid over each other, and how they are thinned.

Takes arrays; gives records and the text of data files. A data file is named by the digest of its
content, so that a trace that many pages show stands on disk once. Browsers refuse to fetch from
`file://`; the files are scripts that hand one object to the page.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benchwright.canonical import canonical_json, digest_bytes

Role = Literal["observed", "clean", "no_change", "static"]

BUCKETS = 500
"""Buckets per channel; each keeps its ends, lowest and highest row, and those beside a peak."""
_ASTRAY = 0.02
"""How far from its value a row beside a peak may be drawn, as a share of the channel's range."""

READING = (
    "Drag to zoom, double-click to reset. Long series are thinned for drawing: each of "
    f"{BUCKETS} stretches keeps its lowest and highest row, so no peak is lost."
)


@dataclass(frozen=True, slots=True)
class Axis:
    """One channel: what it measures, and in which unit."""

    label: str
    unit: str
    hint: str = ""
    """What else is to be said of it; shown on hovering."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One run of the system: values [channel, row] as float32."""

    name: str
    role: Role
    values: NDArray[np.float32]
    hint: str = ""
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Viewer:
    """Traces on a common regular time grid, channels below each other, and one marked instant."""

    title: str
    axes: tuple[Axis, ...]
    traces: tuple[Trace, ...]
    start_s: float
    step_s: float
    mark_s: float | None = None
    """Time of the change; None when nothing changes."""
    note: str = ""


def thin(values: NDArray[np.float32], buckets: int = BUCKETS) -> NDArray[np.intp]:
    """Rows to keep of one channel, in order: no single-row peak of any bucket is lost.

    Short channels are kept whole. Rows inside a run of equal values say nothing and are left out.
    """
    rows = len(values)
    kept = np.arange(rows) if rows <= 4 * buckets else _extremes(values, -(-rows // buckets))
    level = values[kept]
    inner = (level[1:-1] == level[:-2]) & (level[1:-1] == level[2:])
    return kept[np.concatenate(([True], ~inner, [True]))] if len(kept) > 2 else kept


def trace_file(trace: Trace) -> tuple[str, str]:
    """Key and JavaScript text of one trace; equal values give the same key whatever the name."""
    channels = [_packed(channel) for channel in trace.values]
    body = canonical_json({"channels": channels}).decode()
    key = digest_bytes(body.encode())[:20]
    return key, f'benchwright.trace("{key}",{body});\n'


def config(viewer: Viewer, keys: tuple[str, ...]) -> dict[str, Any]:
    """What the page's script needs to draw `viewer`; `keys` are its traces' data files."""
    return {
        "title": viewer.title,
        "axes": [{"label": a.label, "unit": a.unit, "hint": a.hint} for a in viewer.axes],
        "traces": [
            {"key": key, "name": trace.name, "role": trace.role, "shown": trace.shown}
            for key, trace in zip(keys, viewer.traces, strict=True)
        ],
        "start": viewer.start_s,
        "step": viewer.step_s,
        "mark": viewer.mark_s,
    }


def _extremes(values: NDArray[np.float32], width: int) -> NDArray[np.intp]:
    rows = len(values)
    first = np.arange(0, rows, width)
    padded = np.pad(values, (0, len(first) * width - rows), mode="edge").reshape(-1, width)
    low, high = padded.argmin(1) + first, padded.argmax(1) + first
    kept = np.unique(np.minimum(np.concatenate((first, low, high, first + width - 1)), rows - 1))
    # Without the rows beside it a peak of one row would be drawn as wide as its bucket.
    beside = np.clip(np.concatenate((low - 1, low + 1, high - 1, high + 1)), 0, rows - 1)
    astray = np.abs(values[beside] - np.interp(beside, kept, values[kept]))
    return np.unique(np.concatenate((kept, beside[astray > _ASTRAY * np.ptp(values)])))


def _packed(channel: NDArray[np.float32]) -> dict[str, str]:
    kept = thin(channel)
    return {
        "rows": base64.b64encode(kept.astype("<u2").tobytes()).decode(),
        "values": base64.b64encode(channel[kept].astype("<f4").tobytes()).decode(),
    }
