"""The words of a question: from its typed parts, by the templates in `prompts/queries.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, cast

from benchwright.canonical import Json
from benchwright.suites.telemetry.families.inventory import Description
from benchwright.suites.telemetry.families.select import Chosen
from benchwright.suites.telemetry.rows.calls import Bench
from benchwright.suites.telemetry.rows.times import Form, Told, told


def query_of(chosen: Chosen, points: Sequence[Description], bench: Bench) -> dict[str, Json]:
    """Text and slots of a question; slots hold all that the text says."""
    time = time_of(chosen)
    words = time["local"] if "local" in time else told(_typed(time), bench.inventory.clock)
    slots: dict[str, Json] = {"points": [dict(point) for point in points], "time": dict(time)}
    template = templates()[_name(chosen)]
    names = {"time": words, "calendar": calendar_words(bench)}
    for letter, point in zip("ab", [*points, *points], strict=False):
        names[f"point_{letter}"] = point_words(point)
    if chosen.kind.family.name == "ranking":
        names["group"] = group_words(points[0])
    return {"text": template.format_map(names), "slots": slots}


def _name(chosen: Chosen) -> str:
    return chosen.kind.family.name


def _typed(time: Mapping[str, Json]) -> Told:
    return Told(cast(Form, time["form"]), cast("int | str", time["value"]))


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


@cache
def templates() -> Mapping[str, Any]:
    """Templates by family."""
    path = files("benchwright.suites.telemetry") / "prompts" / "queries.toml"
    found: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return found
