"""The words of every turn: templates of `prompts/turns.toml`, filled by docs/dialogue.md, once."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.audit.canonical import Identity, draw, instant, milliseconds
from benchwright.suites.telemetry.audit.phases.duties import withheld
from benchwright.suites.telemetry.audit.phases.make import Phase
from benchwright.suites.telemetry.audit.rows.expect import Asked, Row

FOLLOWED = {"pairwise_comparison": "higher", "ranking": "winner"}
SEVERAL = ("pairwise_comparison", "ranking")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
MODES = {"site": "clarify-site", "time": "clarify-time", None: "implicit-nearest"}


@cache
def templates() -> dict[str, Any]:
    """All wordings, as they are shipped."""
    path = Path(__file__).resolve().parents[2] / "prompts" / "turns.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Said:
    """What an operator says in a conversation."""

    question: str
    """In full, as the row has it."""
    texts: list[str]
    """Turn by turn."""
    slot: dict[str, Any] | None
    """The slot that is left out, the words that reveal it, and what the first turn must not say."""
    mode: str
    closing: str


def said(asked: Asked, row: Row, phases: Sequence[Phase]) -> Said:
    """All words of a conversation."""
    identity, slot = asked.identity, withheld(asked.identity["family"])
    times = _times(asked, row.time)
    full = _initial(row, identity, "full", times)
    left_out, first = None, full
    if slot == "site":
        point = row.words[0]
        hidden = [value for name, value in point.items() if name != "point_class"]
        words = templates()["reveal"]["site"].format_map({"point_a": _point(point)})
        left_out = {"slot": slot, "words": words, "hidden": sorted(hidden)}
        first = _initial(row, identity, "no_site", times)
    elif slot == "time":
        reveal = templates()["reveal"]
        words = reveal.get(row.time["form"], reveal["time"]).format_map(times)
        words = words[:1].upper() + words[1:]
        left_out = {"slot": slot, "words": words, "hidden": [times["time"]]}
        first = _initial(row, identity, "no_time", {})
    later = [_turn(asked, phases, place) for place in range(1, len(phases))]
    return Said(full, [first, *later], left_out, MODES[slot], templates()["closing"]["text"])


def _initial(row: Row, identity: Identity, form: str, times: Mapping[str, str]) -> str:
    points = [*row.words, *row.words][:2]
    names = {"period": str(identity.get("period", "")), "calendar": "", **times}
    for letter, point in zip("ab", points, strict=True):
        names |= {f"point_{letter}": _point(point), f"class_{letter}": point["point_class"]}
    names["group"] = _group(points[0])
    return _one(templates()["initial"][identity["family"]][form], identity, "initial", names)


def _one(some: Sequence[str], identity: Identity, what: str, names: Mapping[str, str]) -> str:
    """One of several wordings, filled."""
    return some[draw({**identity, "wording": what}, len(some))].format_map(names)


def _point(point: Mapping[str, str]) -> str:
    words = [f"the {point['point_class']} of {point['site']}"]
    words += [f"{name} {point[name]}" for name in ("equipment", "location") if name in point]
    words += [point["qualifiers"]] if "qualifiers" in point else []
    return ", ".join(words)


def _group(point: Mapping[str, str]) -> str:
    words = f"all {point['point_class']} streams of {point['site']}"
    kind = point.get("location_type")
    return words if kind is None else f"{words} at locations of type {kind}"


def _times(asked: Asked, time: Mapping[str, Any]) -> dict[str, str]:
    """A time in one of the five forms, or the wall-clock text; and whose calendar is meant."""
    form = time["form"]
    if form == "local":
        return {"time": time["local"], "calendar": ""}
    if form in {"instant", "trailing"}:
        before = "the 24 hours up to " if form == "trailing" else ""
        return {"time": before + instant(time["value"]), "calendar": ""}
    day = date.fromisoformat(time["value"])
    month = f"{MONTHS[day.month - 1]} {day.year}"
    words = month if form == "month" else f"{day.day} {month}"
    corpus = asked.world.corpus
    zone = "UTC" if corpus.rules["calendar"] == "utc" else corpus.zone.name
    monday = "the week from Monday " if form == "week" else ""
    return {"time": monday + words, "calendar": f" (calendar of {zone})"}


def _turn(asked: Asked, phases: Sequence[Phase], place: int) -> str:
    """A later turn: its kind, or the wording that stands for it, with what it refers to."""
    phase, identity = phases[place], asked.identity
    kind, reference, names = phase.kind, "same_stream", {"reference": ""}
    if kind == "revise_point":
        reference = "same_time"
        names["point_b"] = _point(asked.words(asked.streams[1]))
    elif kind == "revise_window":
        reference = "same_streams" if identity["family"] in SEVERAL else "same_stream"
        names |= _times(asked, _next(asked, phase))
    elif kind == "revise_timestamp":
        reference = _followed(asked, phases[:place])
        at = milliseconds(phase.calls[-1].arguments["timestamp"])
        names |= _times(asked, {"form": "instant", "value": at})
        kind = "corrected_time" if identity["variant"] == "no_such_local_time" else kind
    elif kind == "quality_check":
        reference = _followed(asked, phases[:place])
        start = milliseconds(phase.calls[-1].arguments["start"])
        week = asked.world.corpus.clock.period_of("week", start)
        names |= _times(asked, {"form": "week", "value": week.first_day})
    elif kind == "preference_decision":
        reference = "decision"
        kind = ("strict", "lenient")[draw({**identity, "policy": "preference"}, 2)]
    else:
        reference = {"reporting_commitment": "all", "rationale": "decision"}.get(kind, "all")
    phrase = templates()["reference"][reference].format_map({"period": identity.get("period", "")})
    return _one(templates()["turn"][kind], identity, kind, {**names, **_as_said(kind, phrase)})


def _as_said(kind: str, phrase: str) -> dict[str, str]:
    if kind == "revise_window":
        return {"reference": f"for {phrase}"}
    return {"reference": phrase.capitalize() if kind == "corrected_time" else phrase}


def _next(asked: Asked, phase: Phase) -> dict[str, Any]:
    if asked.identity["family"] == "window_mean":
        end = milliseconds(phase.calls[-1].arguments["end"])
        return {"form": "trailing", "value": end}
    then = asked.world.corpus.clock.after(asked.period())
    return {"form": then.kind, "value": then.first_day}


def _followed(asked: Asked, before: Sequence[Phase]) -> str:
    """Which stream is meant: the winner, until a turn was about its reading."""
    told = any(phase.kind == "revise_timestamp" for phase in before)
    return "same_stream" if told else FOLLOWED.get(asked.identity["family"], "same_stream")
