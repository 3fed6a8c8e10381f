"""Look-ups and readings of a turn, and the instant that a revision asks about."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from operator import sub
from typing import Any

from benchwright.suites.telemetry.audit.candidates.values import FRACTIONS
from benchwright.suites.telemetry.audit.canonical import Identity, draw, instant
from benchwright.suites.telemetry.audit.rows import look
from benchwright.suites.telemetry.audit.rows.look import Call
from benchwright.suites.telemetry.audit.stream import Stream

MINUTE = 60_000
PROBES = (0, -1, 1, -2, 2, -3, 3)


@dataclass(slots=True)
class Gold:
    """What the reply to a turn must state."""

    action: str
    reason: str
    fields: dict[str, Any]


def look_up(stream: Stream, at: int, steps: float) -> list[Call]:
    """An exact call, and a nearest one where that is refused."""
    low, high = stream.span(at, at + 1)
    if low < high:
        return [look.exact(stream, at)]
    if 0 < low < len(stream):
        return [refused(stream, at), look.nearest(stream, at, steps)]
    return [refused(stream, at), refused(stream, at, "nearest")]


def refused(stream: Stream, at: int, mode: str = "exact") -> Call:
    """A look-up that is refused: there is no reading there, or the stream is not so long."""
    arguments = {"stream_id": stream.id, "timestamp": instant(at), "mode": mode}
    error = "empty" if 0 < stream.span(at, at)[0] < len(stream) else "out_of_range"
    return Call("lookup_observation", arguments, {"error": error, "candidates": []})


def flag(answer: dict[str, Any]) -> str | None:
    """What is wrong with a reading, drop-outs first."""
    return next(
        (name for name in ("dropout", "sentinel", "range") if name in answer["flags"]), None
    )


def kind(call: Call) -> str:
    """Faulty, too_far, exact or nearest; `none` for a refusal."""
    answer = call.answer
    if "error" in answer:
        return "none"
    if flag(answer):
        return "faulty"
    return str(answer["matched"]) if answer["acceptable"] else "too_far"


def stated(call: Call) -> Gold:
    """The gold of a turn that asks for a reading."""
    answer = call.answer
    if "error" in answer:
        return Gold("re_clarify", "no_observation", {"error": answer["error"]})
    fields = {
        "stream": answer["stream_id"],
        "observed": answer["observed"],
        "value": answer["value"],
    }
    if answer["matched"] != "exact":
        fields["offset_s"] = answer["offset_s"]
    wrong = flag(answer)
    if wrong:
        return Gold("abstain", wrong, {**fields, "flag": wrong})
    if not answer["acceptable"]:
        return Gold("re_clarify", "nearest_too_far", fields)
    return Gold("answer", "complete", fields)


def chosen_instant(
    identity: Identity, stream: Stream, window: tuple[int, int], steps: float, beside: int | None
) -> int | None:
    """The instant of a revision by fractions; `beside` is the reading of an exact value."""
    low, high = stream.span(*window)
    gaps: list[int] = list(map(sub, stream.times[low + 1 : high], stream.times[low:high]))
    wide, usual = [], []
    for index, gap in enumerate(gaps, low):
        before, behind = stream.times[index], stream.times[index + 1]
        limit = steps * max(stream.step_at(before), stream.step_at(behind))
        if gap > 2 * limit + 2:
            wide.append(index)
        elif gap > 5:
            usual.append(index)
    seed = {**identity, "policy": "request"}
    case = draw(seed, 6)
    picked = {**seed, "gap": True}
    if case == 5 and wide:
        index = wide[draw(picked, len(wide))]
        return stream.times[index] + gaps[index - low] // 2
    if beside is not None:
        own = stream.span(beside, beside + 1)[0]
        usual = [i for i in usual if i in (own - 1, own)] or usual
    if not usual:
        return None
    index = usual[draw(picked, len(usual))]
    return stream.times[index] + floor(FRACTIONS[case % 5] * gaps[index - low])


def probed_minute(stream: Stream, window: tuple[int, int], beside: int | None) -> int | None:
    """The instant of a revision by `minute`: a full minute near a reading, without one of its own.

    The reading is that of an exact value, else the first of the window at or after its middle, and
    failing that its last.
    """
    low, high = stream.span(*window)
    own = beside
    if own is None:
        if low == high:
            return None
        behind = stream.span((window[0] + window[1]) // 2, window[1])[0]
        own = stream.times[min(behind, high - 1)]
    for offset in PROBES:
        at = own // MINUTE * MINUTE + offset * MINUTE
        taken, last = stream.span(at, at + 1)
        if taken == last and 0 < taken < len(stream):
            return at
    return None
