"""`resolve_point`: the one stream that a description means, or what else it can mean."""

from __future__ import annotations

from collections.abc import Iterable

from benchwright.storage import nearest
from benchwright.suites.telemetry.contract.model import Contract
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.operations.arguments import ResolvePoint
from benchwright.suites.telemetry.operations.reads import handle
from benchwright.suites.telemetry.operations.refusals import Refusal, Refused, refuse
from benchwright.suites.telemetry.operations.results import PointResult
from benchwright.suites.telemetry.operations.times import shown
from benchwright.suites.telemetry.store.open import Store

_ASKED = ("equipment", "location", "qualifiers")
_SHOWN = 50


def resolve_point(store: Store, a: ResolvePoint) -> PointResult:
    """Find the stream of a site, class and, where needed, equipment, location or qualifiers.

    A site may be named by whatever field of points the contract's families call their site. `none`
    means a point that has no such field.
    """
    found = at_site(store, a.site, a.point_class)
    for field in _ASKED:
        wanted = getattr(a, field)
        if wanted is not None:
            found = _narrowed(found, field, wanted)
    if len(found) > 1:
        raise _ambiguous(found)
    point, extent = found[0], store.extent(found[0].stream)
    return PointResult(
        handle=handle("resolve_point", a.model_dump(), point),
        unit=point.unit,
        count=1,
        coverage=None,
        flags={"imputed": 1} if point.imputed else {},
        stream_id=point.stream,
        site=point.site,
        point_class=point.point_class,
        kind=point.kind,
        equipment=point.equipment,
        location=point.location,
        location_type=point.location_type,
        qualifiers=point.qualifiers,
        owners=tuple(owner.name for owner in point.owners),
        first=shown(extent.first),
        last=shown(extent.last),
    )


def at_site(store: Store, site: str, point_class: str) -> list[Point]:
    """Points of a class on a site, by stream id; at least one."""
    fields = site_fields(store.contract)
    points = store.points.values()
    there = [p for p in points if any(getattr(p, field) == site for field in fields)]
    if not there:
        names = {str(getattr(p, f)) for p in points for f in fields}
        raise refuse("unknown", f"No site {site!r}. {nearest(site, names)}")
    found = [p for p in there if p.point_class == point_class]
    if not found:
        names = {p.point_class for p in there}
        raise refuse("unknown", f"No {point_class!r} on {site!r}. {nearest(point_class, names)}")
    return found


def site_fields(contract: Contract) -> set[str]:
    """Fields of points by which a site may be named."""
    return {"site", *(field for family in contract.family for field in family.sites)}


def _narrowed(points: list[Point], field: str, wanted: str) -> list[Point]:
    """Points with that field; a place or owner that is not the representative one counts too."""
    if wanted == "none":
        found = [p for p in points if getattr(p, field) in (None, "", "none")]
    else:
        found = [p for p in points if wanted == getattr(p, field)]
    if not found and field != "qualifiers":
        found = [p for p in points if any(o.name == wanted for o in p.owners if o.role == field)]
    if not found:
        names = {str(getattr(p, field) or "none") for p in points}
        raise refuse("unknown", f"No {field} {wanted!r} there. {nearest(wanted, names)}")
    return found


def _ambiguous(points: Iterable[Point]) -> Refused:
    every = list(points)
    fields = ("site", "point_class", *_ASKED)
    ask = tuple(f for f in _ASKED if len({getattr(p, f) for p in every}) > 1)
    told = tuple(
        {"stream_id": p.stream, **{f: getattr(p, f) for f in fields}} for p in every[:_SHOWN]
    )
    more = f"; the first {_SHOWN} are listed" if len(every) > _SHOWN else ""
    message = f"{len(every)} streams fit{more}. " + (
        f"Say also: {', '.join(ask)}." if ask else "Nothing in the metadata tells them apart."
    )
    return Refused(Refusal(error="ambiguous", message=message, candidates=told, ask=ask))
