"""Words of turns: templates filled from typed values, and references that lead back to bindings."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from benchwright.canonical import Json
from benchwright.suites.telemetry.dialogue.model import Reference
from benchwright.suites.telemetry.families.inventory import Description
from benchwright.suites.telemetry.families.model import Identity, draw
from benchwright.suites.telemetry.rows.calls import Bench
from benchwright.suites.telemetry.rows.times import Told, told
from benchwright.suites.telemetry.rows.wording import calendar_words, group_words, point_words

BINDING: Mapping[str, str] = {
    "same_stream": "stream",
    "same_streams": "streams",
    "same_time": "at",
    "winner": "winner",
    "higher": "winner",
    "decision": "decision",
    "all": "found",
}
"""The binding that each reference means."""


@cache
def turns() -> Mapping[str, Any]:
    """Every template."""
    path = files("benchwright.suites.telemetry") / "prompts" / "turns.toml"
    found: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return found


def chosen(templates: list[str], identity: Identity, what: str) -> str:
    """One of several wordings, by a hash of the identity."""
    return templates[draw({**identity, "wording": what}, len(templates))]


def reference(name: str, period: str = "") -> Reference:
    """Words that mean a binding."""
    return Reference(turns()["reference"][name].format(period=period), BINDING[name])


def time_words(time: Told, bench: Bench) -> dict[str, str]:
    """The slots `time` and `calendar` of a template; instants belong to no calendar."""
    words = told(time, bench.inventory.clock)
    periodic = time.form in ("day", "week", "month")
    calendar = f" (calendar of {calendar_words(bench)})" if periodic else ""
    return {"time": words, "calendar": calendar}


def initial(
    family: str,
    form: str,
    identity: Identity,
    points: list[Description],
    times: Mapping[str, str],
) -> str:
    """The first turn; `form` is full, no_site or no_time."""
    template = chosen(turns()["initial"][family][form], identity, "initial")
    names = {"period": str(identity.get("period", "")), "calendar": "", **times}
    for letter, point in zip("ab", [*points, *points], strict=False):
        names |= {f"point_{letter}": point_words(point), f"class_{letter}": point["point_class"]}
    if family == "ranking":
        names["group"] = group_words(points[0])
    return template.format_map(names)


def turn(kind: str, identity: Identity, names: Mapping[str, str]) -> str:
    """A later turn."""
    return chosen(turns()["turn"][kind], identity, kind).format_map(names)


def resolves(found: Reference, state: Mapping[str, Json]) -> Json:
    """What the words of a reference mean; None where nothing was bound."""
    return state.get(found.binding)
