"""Policies: declared functions of what is known, by which a script gets values that no call gives.

`reporting` and `preferred` are tables; `request` chooses the instant of a revised question. Each is
named in the origins of the values that it gave, and preflight recomputes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, cast

import numpy as np

from benchwright.suites.telemetry.dialogue.model import Reading
from benchwright.suites.telemetry.families.inventory import Flags, Inventory
from benchwright.suites.telemetry.families.model import Identity, draw
from benchwright.suites.telemetry.families.readings import FRACTIONS, Whole
from benchwright.suites.telemetry.rows.gold import FAULTS
from benchwright.suites.telemetry.rows.model import Action

Preference = Literal["strict", "lenient"]
Reported = tuple[Action, str]
_READ: Final[Mapping[Reading, str]] = {
    "exact": "exact_and_complete",
    "nearest": "nearest_but_acceptable",
    "not_asked": "complete",
}
_MISSING: Final[Mapping[Reading, Reported]] = {
    "faulty": ("abstain", "faulty_reading"),
    "too_far": ("re_clarify", "nearest_too_far"),
    "none": ("re_clarify", "no_observation"),
}
PREFERENCES: Final[tuple[Preference, ...]] = ("strict", "lenient")
MINUTES: Final = (0, -1, 1, -2, 2, -3, 3)
"""The published order of probes, from the full minute on."""
_MINUTE_MS: Final = 60_000


def reporting(reading: Reading, decision: str | None) -> Reported:
    """Action and reason from the latest reading and the latest decision on quality.

    `decision` is None where no quality was asked for. A caution is reported with its caveat.
    """
    missing = _MISSING.get(reading)
    if decision == "abstain":
        return _abstained(reading)
    if missing is not None:
        return missing
    caveat = "_with_caveat" if decision == "caution" else ""
    return "answer", _READ[reading] + caveat


def _abstained(reading: Reading) -> Reported:
    if reading == "faulty":
        return _MISSING[reading]
    if reading == "none":
        return "abstain", "no_observation"
    if reading == "too_far":
        return "abstain", "nearest_too_far_and_quality_insufficient"
    return "abstain", "quality_insufficient"


def preferred(decision: str, preference: Preference) -> Reported:
    """What an operator who does or does not take a caveat wants done with a week."""
    if decision == "abstain":
        return "abstain", "quality_insufficient"
    if decision == "caution" and preference == "strict":
        return "abstain", "caveat_not_wanted"
    return "answer", "caveat_accepted" if decision == "caution" else "no_caveat"


def preference_of(identity: Identity) -> Preference:
    """The preference of an operator, by a hash of the identity."""
    return PREFERENCES[draw({**identity, "policy": "preference"}, len(PREFERENCES))]


def reading_of(answer: Mapping[str, object] | None) -> Reading:
    """What kind of reading a look-up gave."""
    if answer is None:
        return "not_asked"
    if "error" in answer:
        return "none"
    if fault_of(answer) is not None:
        return "faulty"
    if not answer["acceptable"]:
        return "too_far"
    return "exact" if answer["matched"] == "exact" else "nearest"


def fault_of(answer: Mapping[str, object]) -> str | None:
    """The mark of a reading that is no measurement."""
    flags = cast("Mapping[str, int]", answer.get("flags") or {})
    return next((name for name in FAULTS if name in flags), None)


def acting(answer: Mapping[str, object]) -> Reported:
    """What a reply to a single look-up does."""
    if "error" in answer:
        return _MISSING["none"]
    fault = fault_of(answer)
    if fault is not None:
        return "abstain", fault
    far = reading_of(answer) == "too_far"
    return ("re_clarify", "nearest_too_far") if far else ("answer", "complete")


def request(
    stream: Whole,
    window: tuple[int, int],
    near: int | None,
    identity: Identity,
    inventory: Inventory,
) -> int | None:
    """An instant between two neighbours in a window, with no reading; None where there is none.

    By `timestamp_revision` of the contract. `fraction`: a gap beside the reading at `near`, or, for
    None, one drawn from the window, and a fraction of it by a hash of the identity; one time in six
    a gap too wide for either neighbour to be near, where there is one. `minute`: the minutes around
    the reading at `near`, or around the one after the middle of the window.
    """
    ts = stream.stretch.ts
    a, b = np.searchsorted(ts, window).tolist()
    if b - a < 2:
        return None
    if inventory.contract.timestamp_revision == "minute":
        return _minute(ts[a:b].tolist(), sum(window) // 2 if near is None else near)
    gaps = np.diff(ts[a:b])
    steps = np.maximum(stream.steps[a : b - 1], stream.steps[a + 1 : b])
    wide = gaps > 2 * inventory.contract.nearest_steps * steps + 2
    seed = {**identity, "policy": "request"}
    choice = draw(seed, len(FRACTIONS) + 1)
    if choice == len(FRACTIONS) and wide.any():
        place = _drawn(wide, seed)
        return int(ts[a + place]) + int(gaps[place]) // 2
    usual = ~wide & (gaps > len(FRACTIONS))
    if near is not None:
        beside = usual & ((ts[a : b - 1] == near) | (ts[a + 1 : b] == near))
        usual = beside if beside.any() else usual
    if not usual.any():
        return None
    place = _drawn(usual, seed)
    over, under = FRACTIONS[choice % len(FRACTIONS)]
    return int(ts[a + place]) + over * int(gaps[place]) // under


def _drawn(admitted: Flags, seed: Identity) -> int:
    places = np.flatnonzero(admitted)
    return int(places[draw({**seed, "gap": True}, len(places))])


def _minute(ts: list[int], around: int) -> int | None:
    there = set(ts)
    source = next((t for t in ts if t >= around), ts[-1])
    floor = source // _MINUTE_MS * _MINUTE_MS
    probes = (floor + minute * _MINUTE_MS for minute in MINUTES)
    return next((at for at in probes if at not in there and ts[0] < at < ts[-1]), None)
