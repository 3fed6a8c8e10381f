"""Points: what metadata says about streams, whichever form it came in.

A point is one stream as an agent may be asked about it. A stream that metadata gives to several
owners is one point: the representative owner names its equipment, all owners stay listed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.columns import Column
from benchwright.suites.telemetry.corpus.model import Kind

LONGEST: Final = 300
"""Characters of a name, as operations take them."""
_OPTIONAL: Final = ("equipment", "location", "location_type", "qualifiers")


@dataclass(frozen=True, slots=True)
class Owner:
    """What a stream is said to belong to."""

    name: str
    kind: str | None
    """Its class, where metadata names one."""
    role: str
    """`equipment` or `location`."""
    representative: bool


@dataclass(frozen=True, slots=True)
class Point:
    """One stream in the words of its metadata."""

    stream: str
    site: str
    point_class: str
    kind: Kind
    equipment: str
    location: str | None
    location_type: str | None
    unit: str | None
    """Only where metadata or the corpus file gives one."""
    qualifiers: str
    """What else tells it apart, as `name=text; ...`; empty where nothing does."""
    device: str | None
    imputed: bool
    owners: tuple[Owner, ...]

    @property
    def descriptor(self) -> tuple[str | None, ...]:
        """What an agent can say to mean this point."""
        return (
            self.site,
            self.point_class,
            self.equipment,
            self.location,
            self.location_type,
            self.qualifiers,
        )


def point_of(column: Column) -> Point:
    """The point that a mapped column is."""
    return Point(
        stream=column.stream,
        site=column.site,
        point_class=column.kind.name,
        kind=column.kind.kind,
        equipment=column.equipment,
        location=column.location,
        location_type=column.location_type,
        unit=column.unit,
        qualifiers="",
        device=column.channel.device,
        imputed=column.channel.imputed,
        owners=(Owner(column.equipment, None, "equipment", True),),
    )


def single(points: Iterable[Point]) -> dict[str, Point]:
    """Points by stream; the same point may come from several files.

    Raises:
        SpecError: two files describe one stream differently, or no operation takes a name.
    """
    found: dict[str, Point] = {}
    for point in points:
        _refuse_unsayable(point)
        other = found.setdefault(point.stream, point)
        if other != point:
            names = [
                f.name for f in fields(Point) if getattr(other, f.name) != getattr(point, f.name)
            ]
            raise SpecError(
                "one stream is described in two ways",
                value=point.stream,
                where=f"{names[0]}: {getattr(other, names[0])!r} and {getattr(point, names[0])!r}",
                hint="Give the two columns different stream ids, or the same description.",
            )
    return found


def _refuse_unsayable(point: Point) -> None:
    """Operations take names of one to `LONGEST` characters."""
    for name in ("stream", "site", "point_class", *_OPTIONAL):
        text = getattr(point, name) or ""
        if len(text) > LONGEST or not (text or name in _OPTIONAL):
            raise SpecError(
                f"name has {len(text)} characters",
                value=text[:60],
                where=f"{name} of stream {point.stream[:60]!r}",
                hint=f"Give it a name of 1 to {LONGEST} characters.",
            )
