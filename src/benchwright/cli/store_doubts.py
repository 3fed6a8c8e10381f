"""What `store query` says beside an answer: readings of its window that are doubtful.

The answer itself is what an agent gets and what golds hold; its flags count marks only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchwright.report.words import counted
from benchwright.suites.telemetry.operations.reads import figures
from benchwright.suites.telemetry.operations.times import instant
from benchwright.suites.telemetry.store.open import Store

Doubts = dict[str, dict[str, int]]


def doubts(store: Store, answer: Mapping[str, Any]) -> Doubts:
    """Frozen readings and readings out of range that figures of a window are taken of, by stream.

    Streams without any are absent; so is everything of answers that have no figures of a window.
    """
    if "start" not in answer or "decision" in answer:
        return {}
    start, end = (instant(answer[name], store.zone) for name in ("start", "end"))
    found: Doubts = {}
    for stream in _streams(answer):
        measures = figures(store, stream, start, end).measures
        beyond = measures.range + measures.spike
        ranged = "range" in store.contract.left_out
        said = {"frozen": measures.frozen, "range": 0 if ranged else beyond}
        if any(said.values()):
            found[stream] = {name: number for name, number in said.items() if number}
    return found


def _streams(answer: Mapping[str, Any]) -> Iterator[str]:
    names = ("stream_id", "stream_a", "stream_b")
    yield from (answer[name] for name in names if answer.get(name))
    yield from (one["stream_id"] for one in answer.get("ranked", ()))


def lines(found: Doubts) -> Iterator[str]:
    """A line per stream, for people."""
    words = {"frozen": "frozen", "range": "out of range"}
    for stream, said in found.items():
        parts = " and ".join(f"{n:,} {words[name]}" for name, n in said.items())
        one = counted(sum(said.values()), "reading")
        yield f"note: the figures of {stream} rest on {one} in doubt: {parts}"
