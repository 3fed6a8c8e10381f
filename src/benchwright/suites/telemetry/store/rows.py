"""From one stream to its rows in every table."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.contract.aggregate import (
    MEAN_KINDS,
    aggregate,
    mean_of_groups,
    usable,
)
from benchwright.suites.telemetry.contract.measure import (
    Measures,
    Rules,
    due,
    expected,
    measure,
)
from benchwright.suites.telemetry.contract.model import Contract, Period
from benchwright.suites.telemetry.contract.periods import Periods, Window, periods_between
from benchwright.suites.telemetry.corpus.merge import Stream
from benchwright.suites.telemetry.corpus.model import ValueClass
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.corpus.readings import Readings
from benchwright.suites.telemetry.corpus.regimes import Step
from benchwright.suites.telemetry.corpus.zones import DAY_MS, Zone

Columns = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Subject:
    """A stream with everything that its rows depend on."""

    point: Point
    stream: Stream
    rules: Rules
    kept: NDArray[np.bool_]
    """Readings that figures are taken of."""
    calendars: Mapping[str, Zone]
    """`utc` and `local`."""
    contract: Contract


def subject_of(
    point: Point,
    stream: Stream,
    steps: tuple[Step, ...],
    kind: ValueClass | None,
    calendars: Mapping[str, Zone],
    contract: Contract,
) -> Subject:
    """The stream ready to be measured; a class that the corpus does not declare has no rules."""
    known = kind or ValueClass(name=point.point_class, kind=point.kind)
    r = stream.readings
    typical = float(np.median(np.diff(r.ts))) if len(r) > 1 else 0.0
    kept = usable(r.value, r.marks, known, contract.left_out)
    return Subject(point, stream, Rules(known, steps, typical), kept, calendars, contract)


def content(readings: Readings) -> str:
    """sha256 of instants, values and marks; not of where they came from."""
    sha = hashlib.sha256()
    for array, kind in ((readings.ts, "<i8"), (readings.value, "<f8"), (readings.marks, "u1")):
        sha.update(np.ascontiguousarray(array, dtype=kind).tobytes())
    return sha.hexdigest()


def index_row(s: Subject, part: int) -> Columns:
    """Of `raw_stream_index`."""
    r = s.stream.readings
    return {
        "stream": [s.stream.id],
        "count": [len(r)],
        "first": [int(r.ts[0])],
        "last": [int(r.ts[-1])],
        "decimals": [s.stream.decimals],
        "content": [content(r)],
        "greatest_gap_ms": [int(np.diff(r.ts).max()) if len(r) > 1 else 0],
        "part": [part],
        "files": [",".join(map(str, sorted(set(r.file.tolist()))))],
        "repeats": [s.stream.repeats],
    }


def stream_row(s: Subject) -> Columns:
    """Of `stream_quality`: the whole stream as one window."""
    r = s.stream.readings
    window = Window(int(r.ts[0]), int(r.ts[-1]) + 1)
    found = measure(r.ts, r.value, r.marks, window, s.rules)
    gaps = np.sort(np.diff(r.ts))
    return {
        "stream": [s.stream.id],
        "median_ms": [s.rules.typical_ms],
        "p95_ms": [int(gaps[-(-95 * len(gaps) // 100) - 1]) if len(gaps) else None],
        "missing": [s.stream.missing],
        "early": [s.stream.early],
        "conflicts": [s.stream.conflicts],
        "distinct": [int((np.diff(np.sort(r.value)) != 0).sum()) + 1],
        **{name: [value] for name, value in asdict(found).items()},
    }


def week_measures(s: Subject) -> tuple[list[Window], list[Measures]]:
    """Every week of the contract's calendar that the stream reaches into."""
    r = s.stream.readings
    zone = s.calendars[s.contract.calendar]
    periods = periods_between(int(r.ts[0]), int(r.ts[-1]), "week", zone)
    at = np.searchsorted(r.ts, periods.edges).tolist()
    windows = periods.windows()
    return windows, [
        measure(r.ts[a:b], r.value[a:b], r.marks[a:b], w, s.rules)
        for a, b, w in zip(at[:-1], at[1:], windows, strict=True)
    ]


def period_rows(s: Subject, period: Period, calendar: str) -> Columns:
    """Of `aggregates_<period>`; periods without a reading have no row."""
    r = s.stream.readings
    periods = periods_between(int(r.ts[0]), int(r.ts[-1]), period, s.calendars[calendar])
    found = aggregate(r.ts, r.value, s.kept, periods.edges, s.stream.decimals, s.point.kind)
    every = found.count + found.left_out
    there = every > 0
    labels = np.array(periods.labels(), dtype=object)
    return {
        "stream": [s.stream.id] * int(there.sum()),
        "calendar": [calendar] * int(there.sum()),
        "first_day": labels[there].tolist(),
        "start": periods.edges[:-1][there],
        "end": periods.edges[1:][there],
        "count": found.count[there],
        "left_out": found.left_out[there],
        "mean": found.mean[there],
        "least": found.least[there],
        "greatest": found.greatest[there],
        "change": found.change[there],
        "coverage": np.minimum(1.0, every / _due(s, periods))[there],
    }


def _due(s: Subject, periods: Periods) -> NDArray[np.float64]:
    if s.rules.steps:
        return due(periods.edges, s.rules)
    ts = s.stream.readings.ts
    at = np.searchsorted(ts, periods.edges).tolist()
    return np.array(
        [
            expected(window, ts[a:b], s.rules)
            for a, b, window in zip(at[:-1], at[1:], periods.windows(), strict=True)
        ]
    )


def profile_rows(s: Subject) -> Columns:
    """Of `calendar_profiles`; nothing for kinds without a mean."""
    r = s.stream.readings
    local = s.calendars["local"].local(r.ts[s.kept])
    value = r.value[s.kept] if s.point.kind in MEAN_KINDS else r.value[:0]
    local = local[: len(value)]
    days, rest = np.divmod(local, DAY_MS)
    code = (days + 3) % 7 * 24 + rest // 3_600_000  # 1970-01-01 was a Thursday
    order = np.argsort(code, kind="stable")
    codes, starts, counts = np.unique(code[order], return_index=True, return_counts=True)
    means = mean_of_groups(value[order], starts, s.stream.decimals) if len(value) else value
    return {
        "stream": [s.stream.id] * len(codes),
        "day_of_week": codes // 24,
        "hour": codes % 24,
        "count": counts,
        "mean": means,
    }


def preview_rows(s: Subject) -> Columns:
    """Of `previews`: at most `preview` readings of each end, none twice."""
    r, k = s.stream.readings, s.contract.preview
    first = list(range(min(k, len(r))))
    last = list(range(max(len(first), len(r) - k), len(r)))
    places = np.array(first + last, dtype=np.int64)
    return {
        "stream": [s.stream.id] * len(places),
        "end": ["first"] * len(first) + ["last"] * len(last),
        "at": r.ts[places],
        "value": r.value[places],
    }
