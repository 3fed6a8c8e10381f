"""Words of turns: templates filled from typed values, and references that lead back to bindings."""

from __future__ import annotations

from collections.abc import Mapping

from benchwright.canonical import Json
from benchwright.suites.telemetry.dialogue.model import Reference
from benchwright.suites.telemetry.families.model import Identity
from benchwright.suites.telemetry.rows.wording import turns, worded

BINDING: Mapping[str, str] = {
    "same_stream": "stream",
    "same_streams": "streams",
    "same_time": "at",
    "winner": "winner",
    "higher": "winner",
    "decision": "decision",
    "all": "found",
}
"""The binding that each reference means; `found` is all that was answered, and in no state."""


def reference(name: str, period: str = "") -> Reference:
    """Words that mean a binding."""
    return Reference(turns()["reference"][name].format(period=period), BINDING[name])


def turn(kind: str, identity: Identity, names: Mapping[str, str]) -> str:
    """A later turn."""
    return worded(turns()["turn"][kind], identity, kind).format_map(names)


def resolves(found: Reference, state: Mapping[str, Json]) -> Json:
    """What the words of a reference mean; None where nothing was bound."""
    return state.get(found.binding)
