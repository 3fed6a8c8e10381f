"""From a chosen candidate to its row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from benchwright.canonical import Json
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.families.inventory import Description, Inventory
from benchwright.suites.telemetry.families.select import Chosen
from benchwright.suites.telemetry.operations import operations
from benchwright.suites.telemetry.rows.alternatives import alternatives
from benchwright.suites.telemetry.rows.calls import Bench, canonical
from benchwright.suites.telemetry.rows.evidence import evidence_of
from benchwright.suites.telemetry.rows.gold import gold_of, verifier_of
from benchwright.suites.telemetry.rows.model import Call, Row
from benchwright.suites.telemetry.rows.wording import query_of
from benchwright.suites.telemetry.store.open import Store

_SHOWN = (
    *("stream", "site", "point_class", "equipment", "location", "location_type"),
    *("qualifiers", "unit", "kind"),
)


def bench_of(store: Store) -> Bench:
    """What rows of a store are made with."""
    return Bench(Inventory(store), {one.name: one for one in operations(store)})


def row_of(chosen: Chosen, bench: Bench) -> Row:
    """The row of a candidate."""
    store, candidate = bench.inventory.store, chosen.candidate
    streams = cast(Sequence[str], candidate.identity["streams"])
    points = [bench.inventory.points[stream] for stream in streams]
    calls = canonical(chosen, points, bench)
    gold = gold_of(chosen.kind, calls)
    return Row(
        identity=candidate.identity,
        key=candidate.key,
        split=chosen.split,
        site=candidate.site,
        points=tuple({name: getattr(p, name) for name in _SHOWN} for p in points),
        query=query_of(chosen, _named(chosen, points, bench), bench),
        calls=tuple(calls),
        alternatives=alternatives(calls, bench),
        gold=gold,
        evidence=evidence_of(calls, bench),
        verifier=verifier_of(gold.fields, store.contract.tolerances),
        source={
            "corpus": store.texts["corpus"],
            "rules": store.texts["rules"],
            "contract": store.contract.digest,
        },
        difficulty=_difficulty(points[0], calls, bench.inventory),
    )


def _named(chosen: Chosen, points: Sequence[Point], bench: Bench) -> list[Description]:
    """The points that the question names."""
    family = chosen.kind.family.name
    if family == "ranking":
        kind = cast("str | None", chosen.candidate.identity["location_type"])
        said = {"site": chosen.candidate.site, "point_class": points[0].point_class}
        return [said if kind is None else {**said, "location_type": kind}]
    named = points if family == "pairwise_comparison" else points[:1]
    return [bench.described(chosen, point) for point in named]


def _difficulty(point: Point, calls: Sequence[Call], inventory: Inventory) -> Mapping[str, Json]:
    alike = sum(
        p.point_class == point.point_class and p.site == point.site
        for p in inventory.points.values()
    )
    answer = calls[-1].answer
    return {
        "confusable": alike,
        "readings": answer.get("count", 0),
        "coverage": answer.get("coverage"),
        "margin": answer.get("margin", answer.get("difference")),
    }
