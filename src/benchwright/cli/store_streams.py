"""`store streams`: what a store holds of every stream, how good it is, and what was left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchwright.cli.output import emit_json, say
from benchwright.report.terminal import tame
from benchwright.suites.telemetry.contract.aggregate import usable
from benchwright.suites.telemetry.store.open import Store

_ABSENT = {
    "no_history": "is in the metadata, and no file has a reading of it",
    "empty": "has no number in its files",
    "no_metadata": "has readings, and no point in the metadata",
}
_QUERY = """
SELECT p.stream, p.point_class, p.unit, i."count", i.first, i.last, q.missing, q.conflicts,
       q.coverage, q.gap_ms, q.frozen, q.dropout, q.sentinel, q.range + q.spike,
       count(*) FILTER (w.outcome = 'answer'), count(*) FILTER (w.outcome = 'caution'),
       count(*) FILTER (w.outcome = 'abstain'),
       mode(w.reason ORDER BY w.reason) FILTER (w.outcome = 'abstain')
FROM points p JOIN raw_stream_index i USING (stream) JOIN stream_quality q USING (stream)
     LEFT JOIN quality_weeks w USING (stream)
GROUP BY ALL ORDER BY p.stream
"""
_FIELDS = (
    *("stream", "point_class", "unit", "count", "first", "last", "missing", "conflicts"),
    *("coverage", "gap_ms", "frozen", "dropout", "sentinel", "range"),
    *("weeks_answer", "weeks_caution", "weeks_abstain", "most_frequent_reason"),
)
_WEEKS = """
SELECT stream, outcome, coalesce(reason, 'none'), count(*) FROM quality_weeks
GROUP BY ALL ORDER BY ALL
"""
_OUTCOMES = ("answer", "caution", "abstain")
_HEAD = (
    *("stream", "class", "unit", "readings", "missing", "conflicts", "first", "last", "coverage"),
    *("longest gap", "frozen", "dropout", "sentinel", "range", "resets", "weeks a/c/n", "why n"),
)


def run(folder: Path, as_json: bool) -> int:
    """Print a line per stream, then the streams that were left out."""
    store = Store(folder)
    found = [dict(zip(_FIELDS, row, strict=True)) for row in store.rows(_QUERY)]
    reasons: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for stream, outcome, why, number in store.rows(_WEEKS):
        reasons[stream, outcome][why] = number
    for one in found:
        name = one["stream"]
        one |= {key: None for key in _unlooked(store, name)}
        one["counter_fell"] = _falls(store, name)
        one["weeks"] = {outcome: reasons[name, outcome] for outcome in _OUTCOMES}
    left = dict(sorted(store.unmatched.items()))
    if as_json:
        emit_json("store.streams", {"streams": found, "left_out": left})
        return 0
    for line in _aligned([_HEAD, *map(_cells, found)]):
        say(tame(line))
    say("")
    say("-: nothing is declared that would be looked for; resets: how often a counter falls")
    say("weeks a/c/n: weeks that may be answered, with caution, not; why n: most frequent reason")
    for stream, reason in left.items():
        say(tame(f"left out: {stream}: {_ABSENT.get(reason, reason)}"))
    if not left:
        say("left out: nothing")
    return 0


def _unlooked(store: Store, stream: str) -> list[str]:
    """Outcomes that nothing is declared for, so that their count says nothing."""
    kind = store.rules(stream).kind
    declared = {
        "frozen": kind.frozen_hours > 0,
        "dropout": kind.zero != "value",
        "sentinel": bool(kind.sentinels),
        "range": kind.range is not None,
    }
    return [name for name, looked in declared.items() if not looked]


def _falls(store: Store, stream: str) -> int | None:
    """How often a counter falls from one kept reading to the next; None for other kinds."""
    if store.points[stream].kind != "cumulative":
        return None
    extent, kind = store.extent(stream), store.rules(stream).kind
    found = store.readings(stream, extent.first, extent.last + 1)
    kept = found.value[usable(found.value, found.marks, kind, store.contract.left_out)]
    return int((np.diff(kept) < 0).sum())


def _counted(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def _cells(one: dict[str, Any]) -> tuple[str, ...]:
    first, last = (
        str(np.datetime64(int(one[k]), "ms").astype("datetime64[D]")) for k in ("first", "last")
    )
    weeks = "/".join(str(one[f"weeks_{name}"]) for name in _OUTCOMES)
    odd = ("frozen", "dropout", "sentinel", "range", "counter_fell")
    return (
        *(one["stream"], one["point_class"], one["unit"] or "-", f"{one['count']:,}"),
        *(
            f"{one['missing']:,}",
            f"{one['conflicts']:,}",
            first,
            last,
            f"{one['coverage']:.3f}",
            _span(one["gap_ms"]),
        ),
        *(_counted(one[name]) for name in odd),
        *(weeks, one["most_frequent_reason"] or "-"),
    )


def _span(ms: int) -> str:
    for name, unit in (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000)):
        if ms >= 2 * unit:
            return f"{ms / unit:.0f} {name}"
    return f"{ms / 1000:g} s"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
