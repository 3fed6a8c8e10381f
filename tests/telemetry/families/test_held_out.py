"""What is held out is touched by test rows alone, whatever a row reads, names or could mean."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from benchwright.errors import SpecError
from benchwright.suites.telemetry.build import refuse_idle
from benchwright.suites.telemetry.corpus.points import Point
from benchwright.suites.telemetry.operations import operations
from benchwright.suites.telemetry.operations.resolve import site_fields
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.session import answered
from tests.telemetry.corpora import channel, wide, written
from tests.telemetry.questions import DAY, ask, at, steady
from tests.telemetry.sets import Built, Gold, reads


def windows(store: Store, part: str | None = None) -> list[tuple[int, int]]:
    """Held-out windows in ms, by the clock of the corpus; of one part or of all."""
    zone = ZoneInfo(store.zone.name)
    chosen = [h for n, h in store.contract.held_out.items() if part in (None, n)]
    return [
        tuple(int(datetime.fromisoformat(d).replace(tzinfo=zone).timestamp() * 1000) for d in pair)
        for held in chosen
        for pair in held.windows
    ]


def only_in_test(store: Store) -> set[str]:
    """Streams that some family holds out."""
    return {
        p.stream
        for p in store.points.values()
        for held in store.contract.held_out.values()
        if held.field is not None and getattr(p, held.field) in held.values
    }


def could_mean(store: Store, gold: Gold) -> Iterator[Point]:
    """Every point that the words of a row fit, and for a ranking its whole group."""
    fields = site_fields(store.contract)
    for said in gold["query"]["slots"]["points"]:
        rest = {k: v for k, v in said.items() if k not in ("site", "location_type")}
        for point in store.points.values():
            named = all(getattr(point, name) == value for name, value in rest.items())
            kind = said.get("location_type", point.location_type) == point.location_type
            if named and kind and any(getattr(point, f) == said["site"] for f in fields):
                yield point


def touched(built: Built, gold: Gold) -> set[str]:
    """Every stream of a row and its turns: named, read, or fitting the words."""
    store = built.store
    found = {*gold["identity"]["streams"], *gold["evidence"]["streams"]}
    found |= {p["stream"] for p in gold["points"]}
    found |= {p.stream for p in could_mean(store, gold)}
    return found | {stream for stream, _, _ in reads(gold)}


def refuse_leaks(built: Built) -> None:
    store, alone = built.store, only_in_test(built.store)
    held = windows(store)
    rows = [g for g in built.golds.values() if g["split"] in ("train", "dev")]
    assert len(rows) > 100 and (alone or held)
    for gold in rows:
        assert not touched(built, gold) & alone, gold["identity"]
        spans = [(a, b) for _, a, b in reads(gold)]
        spans += [(t, t + 1) for t in _instants(gold)]
        assert not any(a < end and b > start for a, b in spans for start, end in held), gold


def _instants(gold: Gold) -> Iterator[int]:
    identity = gold["identity"]
    yield from (identity[name] for name in ("at",) if name in identity)
    if "end" in identity:
        yield from (identity["end"] - DAY, identity["end"] - 1)
    if "first_day" in identity:
        yield at(identity["first_day"]) + DAY // 2
    if "local" in identity:
        yield at(identity["local"])


def refuse_strays(built: Built) -> None:
    """Test rows are of held-out streams, or read inside a held-out window of their family."""
    store = built.store
    parts = {f.name: f.held_out for f in store.contract.family}
    rows = [g for g in built.golds.values() if g["split"] == "test"]
    assert len(rows) > 50
    for gold in rows:
        name = parts[gold["identity"]["family"]]
        held = store.contract.held_out[name]
        if held.field is not None:
            named = {getattr(store.points[s], held.field) for s in gold["identity"]["streams"]}
            assert named <= set(held.values)
            continue
        spans = [(a, b) for _, a, b in reads(gold)] + [(t, t + 1) for t in _instants(gold)]
        assert any(
            all(start <= a and b <= end for a, b in spans) for start, end in windows(store, name)
        ), gold["identity"]


def test_the_building_leaks_nothing(demo_set: Built) -> None:
    refuse_leaks(demo_set)
    refuse_strays(demo_set)


def test_the_substations_leak_nothing(stations_set: Built) -> None:
    refuse_leaks(stations_set)
    refuse_strays(stations_set)


@pytest.mark.slow
def test_the_campus_leaks_nothing(campus_set: Built) -> None:
    refuse_leaks(campus_set)
    refuse_strays(campus_set)


def test_alternates_that_the_operation_lists_are_no_test_streams(demo_set: Built) -> None:
    store = demo_set.store
    resolve = {one.name: one for one in operations(store)}["resolve_point"]
    for gold in demo_set.of("point_disambiguation", "unresolvable"):
        (said,) = gold["query"]["slots"]["points"]
        answer = answered(resolve, said).model_dump(mode="json")
        listed = {c["stream_id"] for c in answer["candidates"]}
        assert listed == set(gold["identity"]["streams"])
        if gold["split"] != "test":
            assert not listed & only_in_test(store)


@pytest.mark.parametrize(
    ("first", "after", "parts"),
    [
        ("2024-01-08", "2024-01-15", ["rest", "test", "rest"]),
        ("2024-01-10", "2024-01-12", ["rest", None, "rest"]),
        ("2024-01-14", "2024-01-16", ["rest", None, None]),
        ("2024-01-01", "2024-01-22", ["test", "test", "test"]),
    ],
    ids=["a whole week", "inside a week", "across two", "all"],
)
def test_the_part_of_a_question_by_a_window(
    tmp_path: Path, first: str, after: str, parts: list[str | None]
) -> None:
    contract = {"held_out": {"w": {"windows": [[first, after]]}}}
    family = {"name": "exact_value", "held_out": "w"}
    found = ask(tmp_path, {"t": steady("2024-01-01", 21 * 24)}, [family], contract=contract)
    told = {c.reach.start: c.part for c in found.found("exact_value")}
    starts = [at(f"2024-01-{d:02d}") for d in (1, 8, 15)]
    assert [told.get(start) for start in starts] == parts
    assert found.sink("exact_value").counts.across == parts.count(None)


def test_what_another_family_holds_out_is_in_no_split_but_its_own_test(tmp_path: Path) -> None:
    contract = {
        "held_out": {
            "unit": {"field": "equipment", "values": ["b"]},
            "week": {"windows": [["2024-01-08", "2024-01-15"]]},
        }
    }
    families = [
        {"name": "exact_value", "held_out": "unit"},
        {"name": "quality_gate", "held_out": "week"},
    ]
    series = {s: steady("2024-01-01", 28 * 24) for s in "ab"}
    found = ask(tmp_path, series, families, contract=contract)

    def told(family: str) -> dict[tuple[str, int], str]:
        return {
            (c.identity["streams"][0], (c.reach.start - at("2024-01-01")) // (7 * DAY)): c.part
            for c in found.found(family)
        }

    assert told("exact_value") == {
        **{("a", week): "rest" for week in (0, 2, 3)},
        **{("b", week): "test" for week in (0, 1, 2, 3)},
    }
    assert told("quality_gate") == {("a", 1): "test", ("b", 1): "test", ("a", 2): "rest"}


def test_a_part_that_no_family_names_holds_nothing_out(tmp_path: Path) -> None:
    contract = {
        "held_out": {
            "unit": {"field": "equipment", "values": ["b"]},
            "week": {"windows": [["2024-01-08", "2024-01-15"]]},
        }
    }
    series = {s: steady("2024-01-01", 21 * 24) for s in "ab"}
    found = ask(tmp_path, series, ["exact_value"], contract=contract)
    assert [c.part for c in found.found("exact_value")] == ["rest"] * 6
    floor = next(t for t in found.store.thresholds if t.name == "coverage_floor")
    assert floor.count == 2 * 21


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ({"field": "equipment", "values": ["a", "Unit"]}, ("no equipment", "'Unit'", "Did you")),
        ({"field": "location", "values": ["x"]}, ("no location", "No point has a location.")),
        (
            {"windows": [["2024-01-03", "2024-02-01"], ["2025-01-01", "2025-02-01"]]},
            ("outside of the data", "'2025-01-01'", "from 2024-01-01 to 2024-01-07."),
        ),
        ({"windows": [["2023-12-01", "2024-01-01"]]}, ("outside of the data", "2023-12-01")),
    ],
)
def test_what_holds_nothing_out_is_refused_with_the_nearest_that_would(
    held: dict[str, object], words: tuple[str, ...], tmp_path: Path
) -> None:
    said = written(
        tmp_path,
        {"x.csv": "time,t,u\n" + "".join(f"2024-01-0{d} 00:00,{d},{d}\n" for d in range(1, 8))},
        wide(channel=[channel("t", equipment="a"), channel("u", equipment="unit")]),
        contract={"held_out": {"kept": held}, "family": [{"name": "ranking", "held_out": "kept"}]},
    )
    with pytest.raises(SpecError) as refused:
        refuse_idle(Store(build_store(said, tmp_path / "store")), said.where)
    line = str(refused.value)
    assert "corpus.toml: contract: held_out kept" in line and "\n" not in line
    assert all(word in line for word in words), line
