"""Stages that begin a conversation: the first phase, what is withheld, the wording of nearest.

A stage takes a script and gives one, or the same one where it does not apply. It owns what it adds
and touches nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from benchwright.canonical import Json
from benchwright.suites.telemetry.dialogue.model import Phase, Script, Withheld
from benchwright.suites.telemetry.dialogue.modes import mode_of, withheld_slot
from benchwright.suites.telemetry.dialogue.phases import looked_up, required, stated
from benchwright.suites.telemetry.families.inventory import Description
from benchwright.suites.telemetry.families.model import Identity
from benchwright.suites.telemetry.families.select import Chosen
from benchwright.suites.telemetry.operations.times import instant
from benchwright.suites.telemetry.rows.calls import Bench
from benchwright.suites.telemetry.rows.model import Answer, Call, Row
from benchwright.suites.telemetry.rows.wording import (
    initial,
    point_words,
    time_of,
    times_of,
    turns,
)


@dataclass(frozen=True)
class Lifting:
    """What stages work with."""

    row: Row
    chosen: Chosen
    bench: Bench

    @property
    def identity(self) -> Identity:
        """Of the row."""
        return self.row.identity

    @property
    def usual(self) -> bool:
        """Whether the row can be answered."""
        return not self.chosen.kind.negative

    def at(self, text: str) -> int:
        """An instant that an answer states."""
        return instant(text, self.bench.inventory.store.zone)


Apply = Callable[[Script, Lifting], Script]


def opened(work: Lifting) -> Script:
    """The row as a script of one phase, nothing withheld yet."""
    row = work.row
    fields = stated(row.gold.fields)
    last = f"call:{len(row.calls) - 1}"
    own = {"flag": "policy:bad_sensor"}
    origins = {name: own.get(name, last) for name in fields}
    phase = Phase(
        "initial_answer",
        str(row.query["text"]),
        (),
        _state(work),
        required(row.calls, work.bench),
        Answer(row.gold.action, row.gold.reason, fields),
        {"action": "policy:row", "reason": "policy:row", **origins},
    )
    closing = str(turns()["closing"]["text"])
    return Script(mode_of(row.family), None, (phase,), closing)


def clarified(script: Script, work: Lifting) -> Script:
    """Withhold the slot of the mode, and keep the words that reveal it."""
    slot = withheld_slot(script.mode)
    if slot is None:
        return script
    points = _points(work)
    if slot == "site":
        words = turns()["reveal"]["site"].format(point_a=point_words(points[0]))
        named = [str(v) for k, v in points[0].items() if k != "point_class"]
        hidden, form, times = tuple(named), "no_site", times_of(work.chosen, work.bench)
    else:
        words, hidden = _revealed_time(work)
        form, times = "no_time", {}
    text = initial(work.row.family, form, work.identity, points, times)
    first = replace(script.phases[0], text=text)
    return replace(
        script,
        withheld=Withheld(slot, words, hidden),
        phases=(first, *script.phases[1:]),
    )


def nearest_worded(script: Script, work: Lifting) -> Script:
    """Nearest is asked for in case: an exact probe comes first."""
    if script.mode != "implicit-nearest":
        return script
    first = script.phases[0]
    resolve, nearest = first.calls
    at = cast(int, work.identity["at"])
    calls = [resolve, *looked_up(str(nearest.answer["stream_id"]), at, work.bench)]
    moved = {
        name: f"call:{len(calls) - 1}" if origin.startswith("call:") else origin
        for name, origin in first.origins.items()
    }
    changed = replace(first, required=required(calls, work.bench), origins=moved)
    return replace(script, phases=(changed, *script.phases[1:]))


def _points(work: Lifting) -> list[Description]:
    slots = cast(Mapping[str, list[Description]], work.row.query["slots"])
    return slots["points"]


def _revealed_time(work: Lifting) -> tuple[str, tuple[str, ...]]:
    times = times_of(work.chosen, work.bench)
    form = str(time_of(work.chosen)["form"])
    template = turns()["reveal"].get(form, turns()["reveal"]["time"])
    words = str(template).format_map(times)
    return words[0].upper() + words[1:], (times["time"],)


def _state(work: Lifting) -> Mapping[str, Json]:
    """Bindings after the first turn."""
    row, last = work.row, work.row.calls[-1]
    state: dict[str, Json] = {"family": row.family}
    for name in ("at", "local", "period", "first_day", "end"):
        if name in row.identity:
            state[name] = row.identity[name]
    state |= _bound(last, work)
    return state


def _bound(last: Call, work: Lifting) -> dict[str, Json]:
    """What the answer of the primary call binds."""
    bound: dict[str, Json] = {}
    if last.operation == "rank_window":
        ranked = [one["stream_id"] for one in last.answer["ranked"]]
        bound |= {"streams": sorted(ranked), "winner": ranked[0]}
    elif last.operation == "compare_window":
        names = [last.answer["stream_a"], last.answer["stream_b"]]
        winner = last.answer[f"stream_{last.answer['higher']}"]
        bound |= {"streams": names, "winner": winner}
    elif last.operation == "resolve_point":
        bound |= {"streams": [str(p["stream"]) for p in work.row.points]}
    else:
        bound |= {"stream": str(last.arguments["stream_id"])}
    if not last.refused and "start" in last.answer:
        ends: list[Json] = [work.at(last.answer["start"]), work.at(last.answer["end"])]
        quality = last.operation == "inspect_quality_window"
        bound |= (
            {"week": ends, "decision": last.answer["decision"]} if quality else {"window": ends}
        )
    return bound
