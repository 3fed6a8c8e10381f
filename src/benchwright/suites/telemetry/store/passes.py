"""Figures of a whole stream that need more than one pass over its pieces, in bounded memory.

Takes pieces; gives exact figures: places of the sorted gaps, how many values differ, the digest of
content, and readings cut at the edges of periods.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchwright.suites.telemetry.contract.model import Period
from benchwright.suites.telemetry.contract.periods import Periods, periods_between
from benchwright.suites.telemetry.corpus.pieces import Pieces
from benchwright.suites.telemetry.corpus.readings import Readings, joined
from benchwright.suites.telemetry.corpus.zones import Zone

Ints = NDArray[np.int64]
_BINS: Final = 1 << 16


def content(pieces: Pieces) -> str:
    """sha256 of instants, values and marks; not of where they came from."""
    sha = hashlib.sha256()
    for name, kind in (("ts", "<i8"), ("value", "<f8"), ("marks", "u1")):
        for piece in pieces.column(name):
            sha.update(np.ascontiguousarray(piece, dtype=kind).tobytes())
    return sha.hexdigest()


def gaps(pieces: Pieces) -> Iterator[Ints]:
    """Times between adjacent readings in ms."""
    last: Ints = np.empty(0, np.int64)
    for ts in pieces.column("ts"):
        yield np.diff(np.concatenate((last, ts)))
        last = ts[-1:]


def in_places(values: Callable[[], Iterator[Ints]], places: Sequence[int], limit: int) -> list[int]:
    """What stands in these places, from 0, of all values sorted; `values` starts a new pass.

    Up to `limit` values are sorted; more are counted in ranges that become narrower.
    """
    count, low, high = 0, 2**62, -(2**62)
    for piece in values():
        if piece.size:
            count += piece.size
            low, high = min(low, int(piece.min())), max(high, int(piece.max()))
    if count <= limit:
        ordered = np.sort(np.concatenate([np.empty(0, np.int64), *values()]))
        return [int(ordered[place]) for place in places]
    return [_in_place(values, place, low, high) for place in places]


def _in_place(values: Callable[[], Iterator[Ints]], place: int, low: int, high: int) -> int:
    while low < high:
        width = (high - low) // _BINS + 1
        counts = np.zeros(_BINS, dtype=np.int64)
        for piece in values():
            inside = piece[(piece >= low) & (piece <= high)]
            counts += np.bincount((inside - low) // width, minlength=_BINS)
        upto = np.cumsum(counts)
        found = int(np.searchsorted(upto, place, side="right"))
        place -= int(upto[found - 1]) if found else 0
        low, high = low + found * width, min(high, low + (found + 1) * width - 1)
    return low


def distinct(pieces: Pieces) -> int:
    """How many different values there are; about four pieces of them are in memory at most."""
    limit = 4 * pieces.size
    found = _different(pieces, 0, 1, limit)
    if found is not None:
        return found
    shares = -(-len(pieces) // limit)
    return sum(_different(pieces, share, shares, None) or 0 for share in range(shares))


def _different(pieces: Pieces, share: int, shares: int, limit: int | None) -> int | None:
    """Different values of one share of all, told by their bits; None once there are too many."""
    seen = np.empty(0)
    for value in pieces.column("value"):
        plain = value + 0.0  # makes 0.0 of -0.0, which is equal to it
        if shares > 1:
            bits = plain.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
            plain = plain[(bits >> np.uint64(40)) % np.uint64(shares) == share]
        seen = np.unique(np.concatenate((seen, np.unique(plain))))
        if limit is not None and seen.size > limit:
            return None
    return int(seen.size)


def whole_periods(pieces: Pieces, period: Period, zone: Zone) -> Iterator[tuple[Readings, Periods]]:
    """Readings with the periods that hold them: each period once, adjacent from first to last.

    Readings wait until their period is complete, so memory is that of the fullest period.
    """
    held: list[Readings] = []
    after: int | None = None
    for piece in pieces:
        (start, *_) = periods_between(int(piece.ts[-1]), int(piece.ts[-1]), period, zone).edges
        cut = int(np.searchsorted(piece.ts, start))
        if not cut and (not held or int(held[-1].ts[-1]) >= start):
            held.append(piece)
            continue
        whole = joined([*held, piece.take(slice(None, cut))])
        held = [piece.take(slice(cut, None))]
        yield whole, _periods(whole, after, period, zone)
        after = int(periods_between(int(whole.ts[-1]), int(whole.ts[-1]), period, zone).edges[1])
    if held:
        whole = joined(held)
        yield whole, _periods(whole, after, period, zone)


def _periods(whole: Readings, after: int | None, period: Period, zone: Zone) -> Periods:
    first = int(whole.ts[0]) if after is None else after
    return periods_between(first, int(whole.ts[-1]), period, zone)
