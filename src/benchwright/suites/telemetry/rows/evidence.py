"""What an answer rests on: streams, handles, and the readings that calls read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from benchwright.suites.telemetry.operations.times import instant
from benchwright.suites.telemetry.rows.calls import Bench
from benchwright.suites.telemetry.rows.model import Call, Evidence, Read
from benchwright.suites.telemetry.store.observed import Stretch


def evidence_of(calls: list[Call], bench: Bench) -> Evidence:
    """Evidence of a row: every handle that its calls gave, and every stretch that they read."""
    reads = tuple(read for call in calls for read in reads_of(call, bench))
    streams = {read.stream for read in reads}
    streams |= {str(c["stream_id"]) for call in calls for c in call.answer.get("candidates", ())}
    streams |= {str(call.answer["stream_id"]) for call in calls if "stream_id" in call.answer}
    handles = tuple(str(call.answer["handle"]) for call in calls if "handle" in call.answer)
    return Evidence(tuple(sorted(streams)), handles, reads)


def reads_of(call: Call, bench: Bench) -> Iterator[Read]:
    """The readings that a call read; none where it was refused."""
    store, answer = bench.inventory.store, call.answer
    if call.refused or call.operation == "resolve_point":
        return
    if call.operation == "lookup_observation":
        at = instant(answer["requested"], store.zone)
        around = store.around(answer["stream_id"], at)
        first, last = around[0][0], around[-1][0]
        yield read_of(bench, answer["stream_id"], first, last + 1)
        return
    start, end = (instant(answer[name], store.zone) for name in ("start", "end"))
    if call.operation == "compare_window":
        streams = [answer["stream_a"], answer["stream_b"]]
    elif call.operation == "rank_window":
        streams = sorted(one["stream_id"] for one in answer["ranked"])
    else:
        streams = [answer["stream_id"]]
    for stream in streams:
        yield read_of(bench, stream, start, end)


def read_of(bench: Bench, stream: str, start: int, end: int) -> Read:
    """A stretch of a stream with the digest of its readings."""
    stretch = bench.inventory.store.readings(stream, start, end)
    return Read(stream, start, end, len(stretch.ts), content_of(stretch))


def content_of(stretch: Stretch) -> str:
    """sha256 of instants, values and marks, as little-endian arrays one after the other."""
    return hashlib.sha256(b"".join(stretch.parts())).hexdigest()
