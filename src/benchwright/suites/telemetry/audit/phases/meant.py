"""What a canonical call is about, as a call of an agent is held against it (docs/dialogue.md)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from benchwright.suites.telemetry.audit.canonical import milliseconds
from benchwright.suites.telemetry.audit.rows.look import Call
from benchwright.suites.telemetry.audit.world import World

GROUP = ("site", "point_class", "location_type")


def meant(world: World, call: Call) -> dict[str, Any]:
    """Streams, group, window, instant and mode of a call."""
    start, end = _window(world, call)
    ranks = call.operation == "rank_window"
    return {
        "streams": _streams(call),
        "group": {n: call.arguments[n] for n in GROUP if n in call.arguments} if ranks else {},
        "start": start,
        "end": end,
        "at": _instant(call.arguments.get("timestamp")),
        "mode": call.arguments.get("mode"),
    }


def _streams(call: Call) -> list[str]:
    """Named by a call; of a point what it is resolved to; those that cannot be told apart."""
    told = call.answer if call.operation == "resolve_point" else call.arguments
    named = [told[n] for n in ("stream_id", "stream_a", "stream_b") if n in told]
    several: list[dict[str, Any]] = []
    if call.operation in {"resolve_point", "rank_window"}:
        several = [*call.answer.get("candidates", []), *call.answer.get("ranked", [])]
    return [*named, *sorted(one["stream_id"] for one in several)]


def _window(world: World, call: Call) -> tuple[int | None, int | None]:
    given = call.arguments
    if "period" in given:
        period = world.corpus.clock.named(given["period"], given["date"])
        return period.start, period.end
    if "start" in given:
        return milliseconds(given["start"]), milliseconds(given["end"])
    return None, None


def _instant(text: str | None) -> int | None:
    """Of a time with an offset; a wall-clock time in a canonical call is one that never was."""
    if text is None or datetime.fromisoformat(text.replace("Z", "+00:00")).tzinfo is None:
        return None
    return milliseconds(text)
