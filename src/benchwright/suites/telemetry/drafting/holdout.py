"""A default contract: families, and what is held out for the test.

Takes the points of a draft and the days that they span; gives the lines of the contract. One thing
is held out where there are three or more; families about several streams, and all of them where
there are fewer things, hold out the last fifth of the time, cut at a Monday.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from benchwright.suites.telemetry.contract.model import FAMILIES
from benchwright.suites.telemetry.drafting.lines import check, text

_SEVERAL = ("point_disambiguation", "pairwise_comparison", "ranking")


@dataclass(frozen=True, slots=True)
class Drafted:
    """A point of the draft: what groups are made by."""

    stream: str
    point_class: str
    equipment: str
    has_mean: bool


def contract_lines(points: Sequence[Drafted], days: tuple[date, date]) -> list[str]:
    """The table `contract`."""
    things = sorted({point.equipment for point in points})
    window = _window(days)
    lines = ["[contract]", "version = 1", ""]
    if len(things) >= 3:
        lines += check(
            f"one of {len(things)} things is kept for the test: its questions are in no other "
            "split. Any other will do."
        )
        lines += [
            "[contract.held_out.thing]",
            'field = "equipment"',
            f"values = [{text(things[-1])}]",
        ]
        lines += [""]
    lines += check(
        "the last fifth of the time, from a Monday on, is kept for the test."
        if window[0] > days[0]
        else f"{(days[1] - days[0]).days + 1} days are too few to keep a fifth of whole weeks: "
        "all of it is kept for the test, and no question is left to train on."
    )
    shown = ", ".join(text(day.isoformat()) for day in window)
    lines += ["[contract.held_out.end]", f"windows = [[{shown}]]", ""]
    for family in _families(points):
        alone = family not in _SEVERAL and len(things) >= 3
        site = '"equipment"' if family not in _SEVERAL else '["site", "equipment"]'
        lines += ["[[contract.family]]", f"name = {text(family)}", f"site = {site}"]
        lines += [f'held_out = "{"thing" if alone else "end"}"', ""]
    return lines[:-1]


def _window(days: tuple[date, date]) -> tuple[date, date]:
    """The Monday before the last fifth, and a day that is past the end in every zone."""
    first, last = days
    border = first + timedelta(days=round(0.8 * ((last - first).days + 1)))
    monday = border - timedelta(days=border.weekday())
    return max(monday, first), last + timedelta(days=2)


def _families(points: Sequence[Drafted]) -> list[str]:
    """Families that these points could have questions for."""
    by_class: dict[str, list[Drafted]] = {}
    for point in points:
        by_class.setdefault(point.point_class, []).append(point)
    means = any(point.has_mean for point in points)
    pairs = any(len({p.equipment for p in group if p.has_mean}) > 1 for group in by_class.values())
    three = any(sum(p.has_mean for p in group) > 2 for group in by_class.values())
    several = any(len(group) > 1 for group in by_class.values())
    wanted = {
        "point_disambiguation": several,
        "window_mean": means,
        "daily_aggregate": means,
        "period_aggregate": means,
        "pairwise_comparison": pairs,
        "ranking": three,
    }
    return [family for family in FAMILIES if wanted.get(family, True)]
