"""From one stream to its rows in every table, a piece of the stream at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.contract.aggregate import MEAN_KINDS, Sums, aggregate, usable
from benchwright.suites.telemetry.contract.measure import (
    Measures,
    Measuring,
    Rules,
    due,
    expected,
    measure,
    whole_step,
)
from benchwright.suites.telemetry.contract.model import Contract, Period
from benchwright.suites.telemetry.contract.periods import Periods, Window
from benchwright.suites.telemetry.corpus.merge import Stream
from benchwright.suites.telemetry.corpus.model import ValueClass
from benchwright.suites.telemetry.corpus.pieces import Pieces
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.corpus.readings import Readings, joined
from benchwright.suites.telemetry.corpus.regimes import Step
from benchwright.suites.telemetry.corpus.zones import DAY_MS, Zone
from benchwright.suites.telemetry.store.passes import (
    content,
    distinct,
    gaps,
    in_places,
    whole_periods,
)

Columns = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Gaps:
    """Times between adjacent readings of a whole stream, in ms."""

    median: float
    """0 for fewer than two readings."""
    p95: int | None
    greatest: int


@dataclass(frozen=True, slots=True)
class Subject:
    """A stream with everything that its rows depend on."""

    point: Point
    stream: Stream
    rules: Rules
    gaps: Gaps
    window: Window
    """From its first reading to its last, both inside."""
    calendars: Mapping[str, Zone]
    """`utc` and `local`."""
    contract: Contract

    def kept(self, readings: Readings) -> NDArray[np.bool_]:
        """Which readings figures are taken of."""
        rules = self.contract.left_out
        return usable(readings.value, readings.marks, self.rules.kind, rules)


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
    between = _gaps(stream.pieces)
    rules = Rules(known, steps, between.median)
    return Subject(point, stream, rules, between, _extent(stream.pieces), calendars, contract)


def _gaps(pieces: Pieces) -> Gaps:
    count = len(pieces) - 1
    if count < 1:
        return Gaps(0.0, None, 0)
    places = ((count - 1) // 2, count // 2, -(-95 * count // 100) - 1, count - 1)
    low, high, p95, greatest = in_places(partial(gaps, pieces), places, pieces.size)
    return Gaps((low + high) / 2, p95, greatest)


def _extent(pieces: Pieces) -> Window:
    ends = [(int(ts[0]), int(ts[-1])) for ts in pieces.column("ts") if len(ts)]
    return Window(ends[0][0], ends[-1][1] + 1)


def index_row(s: Subject, part: int) -> Columns:
    """Of `raw_stream_index`."""
    files: set[int] = set()
    for piece in s.stream.pieces.column("file"):
        files.update(np.unique(piece).tolist())
    return {
        "stream": [s.stream.id],
        "count": [len(s.stream.pieces)],
        "first": [s.window.start],
        "last": [s.window.end - 1],
        "decimals": [s.stream.decimals],
        "content": [content(s.stream.pieces)],
        "greatest_gap_ms": [s.gaps.greatest],
        "part": [part],
        "files": [",".join(map(str, sorted(files)))],
        "repeats": [s.stream.repeats],
    }


def stream_row(s: Subject) -> Columns:
    """Of `stream_quality`: the whole stream as one window."""
    measuring = Measuring(s.window, s.rules, whole_step(s.rules))
    for r in s.stream.pieces:
        measuring.add(r.ts, r.value, r.marks)
    return {
        "stream": [s.stream.id],
        "median_ms": [s.gaps.median],
        "p95_ms": [s.gaps.p95],
        "missing": [s.stream.missing],
        "early": [s.stream.early],
        "conflicts": [s.stream.conflicts],
        "distinct": [distinct(s.stream.pieces)],
        **{name: [value] for name, value in asdict(measuring.measures()).items()},
    }


def week_measures(s: Subject) -> Iterator[tuple[list[Window], list[Measures]]]:
    """Every week of the contract's calendar that the stream reaches into, some at a time."""
    zone = s.calendars[s.contract.calendar]
    for r, periods in whole_periods(s.stream.pieces, "week", zone):
        at = np.searchsorted(r.ts, periods.edges).tolist()
        windows = periods.windows()
        yield (
            windows,
            [
                measure(r.ts[a:b], r.value[a:b], r.marks[a:b], w, s.rules)
                for a, b, w in zip(at[:-1], at[1:], windows, strict=True)
            ],
        )


def period_rows(s: Subject, period: Period, calendar: str) -> Iterator[Columns]:
    """Of `aggregates_<period>`; periods without a reading have no row."""
    for r, periods in whole_periods(s.stream.pieces, period, s.calendars[calendar]):
        yield _period_rows(s, r, periods, calendar)


def _period_rows(s: Subject, r: Readings, periods: Periods, calendar: str) -> Columns:
    found = aggregate(r.ts, r.value, s.kept(r), periods.edges, s.stream.decimals, s.point.kind)
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
        "coverage": np.minimum(1.0, every / _due(s, r.ts, periods))[there],
    }


def _due(s: Subject, ts: NDArray[np.int64], periods: Periods) -> NDArray[np.float64]:
    if s.rules.steps:
        return due(periods.edges, s.rules)
    at = np.searchsorted(ts, periods.edges).tolist()
    return np.array(
        [
            expected(window, ts[a:b], s.rules)
            for a, b, window in zip(at[:-1], at[1:], periods.windows(), strict=True)
        ]
    )


def profile_rows(s: Subject) -> Columns:
    """Of `calendar_profiles`; nothing for kinds without a mean."""
    sums = Sums(s.stream.decimals)
    for r in s.stream.pieces if s.point.kind in MEAN_KINDS else ():
        kept = s.kept(r)
        value, local = r.value[kept], s.calendars["local"].local(r.ts[kept])
        days, rest = np.divmod(local, DAY_MS)
        code = (days + 3) % 7 * 24 + rest // 3_600_000  # 1970-01-01 was a Thursday
        order = np.argsort(code, kind="stable")
        codes, starts = np.unique(code[order], return_index=True)
        groups = np.split(value[order], starts[1:])
        for one, group in zip(codes.tolist(), groups, strict=False):
            sums.add(one, group)
    means = sums.means()
    return {
        "stream": [s.stream.id] * len(means),
        "day_of_week": [group // 24 for group, _, _ in means],
        "hour": [group % 24 for group, _, _ in means],
        "count": [count for _, count, _ in means],
        "mean": np.array([mean for _, _, mean in means], dtype=np.float64),
    }


def preview_rows(s: Subject) -> Columns:
    """Of `previews`: at most `preview` readings of each end, none twice."""
    k, count = s.contract.preview, len(s.stream.pieces)
    first = last = None
    for piece in s.stream.pieces:
        if first is None or len(first) < k:
            first = piece.take(slice(None, k)) if first is None else _head(first, piece, k)
        last = _tail(last, piece, k)
    assert first is not None and last is not None
    last = last.take(slice(max(0, len(last) - (count - len(first))), None))
    ends = joined([first, last])
    return {
        "stream": [s.stream.id] * len(ends),
        "end": ["first"] * len(first) + ["last"] * len(last),
        "at": ends.ts,
        "value": ends.value,
    }


def _head(first: Readings, piece: Readings, k: int) -> Readings:
    return joined([first, piece.take(slice(None, k - len(first)))])


def _tail(last: Readings | None, piece: Readings, k: int) -> Readings:
    whole = piece.take(slice(max(0, len(piece) - k), None))
    whole = whole if last is None else joined([last, whole])
    return whole.take(slice(max(0, len(whole) - k), None))
