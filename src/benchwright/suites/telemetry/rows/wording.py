"""The words of a question: from its typed parts, by the templates in `prompts/turns.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, cast

from benchwright.canonical import Json
from benchwright.suites.telemetry.families.inventory import Description
from benchwright.suites.telemetry.families.model import Identity, draw
from benchwright.suites.telemetry.families.select import Chosen
from benchwright.suites.telemetry.rows.calls import Bench
from benchwright.suites.telemetry.rows.times import Form, Told, told


def query_of(chosen: Chosen, points: Sequence[Description], bench: Bench) -> dict[str, Json]:
    """Text and slots of a question in full; slots hold all that the text says."""
    identity = chosen.candidate.identity
    slots: dict[str, Json] = {"points": [dict(p) for p in points]}
    text = initial(chosen.kind.family.name, "full", identity, points, times_of(chosen, bench))
    return {"text": text, "slots": {**slots, "time": dict(time_of(chosen))}}


def initial(
    family: str,
    form: str,
    identity: Identity,
    points: Sequence[Description],
    times: Mapping[str, str],
) -> str:
    """A question; `form` is full, no_site or no_time."""
    template = worded(turns()["initial"][family][form], identity, "initial")
    names = {"period": str(identity.get("period", "")), "calendar": "", **times}
    for letter, point in zip("ab", [*points, *points], strict=False):
        names |= {f"point_{letter}": point_words(point), f"class_{letter}": point["point_class"]}
    if family == "ranking":
        names["group"] = group_words(points[0])
    return template.format_map(names)


def times_of(chosen: Chosen, bench: Bench) -> dict[str, str]:
    """The words of the time that a question names."""
    time = time_of(chosen)
    if "local" in time:
        return {"time": str(time["local"]), "calendar": ""}
    return time_words(Told(cast(Form, time["form"]), cast("int | str", time["value"])), bench)


def time_words(time: Told, bench: Bench) -> dict[str, str]:
    """The slots `time` and `calendar` of a template; instants belong to no calendar."""
    words = told(time, bench.inventory.clock)
    periodic = time.form in ("day", "week", "month")
    calendar = f" (calendar of {calendar_words(bench)})" if periodic else ""
    return {"time": words, "calendar": calendar}


def time_of(chosen: Chosen) -> dict[str, Json]:
    """Form and value of the time that a question names; a local time stands as it is."""
    identity = chosen.candidate.identity
    if "local" in identity:
        return {"form": "local", "local": identity["local"]}
    if "at" in identity:
        return {"form": "instant", "value": identity["at"]}
    if "end" in identity:
        return {"form": "trailing", "value": identity["end"]}
    return {"form": identity.get("period", "week"), "value": identity["first_day"]}


def point_words(point: Description) -> str:
    """A point by its class and all that tells it apart."""
    rest = [f"{name} {point[name]}" for name in ("equipment", "location") if name in point]
    rest += [point["qualifiers"]] if "qualifiers" in point else []
    return ", ".join([f"the {point['point_class']} of {point['site']}", *rest])


def group_words(point: Description) -> str:
    """All points of a class on a site, by the kind of their location where it is named."""
    words = f"all {point['point_class']} streams of {point['site']}"
    return (
        f"{words} at locations of type {point['location_type']}"
        if "location_type" in point
        else words
    )


def calendar_words(bench: Bench) -> str:
    """Whose days are meant."""
    return "UTC" if bench.inventory.contract.calendar == "utc" else bench.inventory.clock.name


def worded(templates: Sequence[str], identity: Identity, what: str) -> str:
    """One of several wordings, by a hash of the identity."""
    place: int = draw({**identity, "wording": what}, len(templates))
    return templates[place]


@cache
def turns() -> Mapping[str, Any]:
    """Every template."""
    path = files("benchwright.suites.telemetry") / "prompts" / "turns.toml"
    found: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return found
