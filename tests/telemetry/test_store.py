"""The store: the same whatever order, cut, threads, zone or locale; right in every figure."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright.canonical import digest_tree
from benchwright.errors import FormatError, SpecError
from benchwright.suites.telemetry.contract.measure import measure
from benchwright.suites.telemetry.contract.periods import Window, window_of
from benchwright.suites.telemetry.corpus.load import Corpus, load_corpus
from benchwright.suites.telemetry.corpus.pieces import Bounds
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.exports import export_lines
from benchwright.suites.telemetry.store.open import Store
from benchwright.suites.telemetry.store.tables import BY_NAME, LOGICAL
from benchwright.suites.telemetry.store.thresholds import quantile
from tests.telemetry.corpora import channel, make, wide

DAYS = 40
H = 3_600_000
ZONE = {"column": "time", "zone": "Europe/Berlin", "repeated": "earlier", "skipped": "forward"}
CONTRACT: dict[str, Any] = {
    "held_out": {"unit": {"field": "equipment", "values": ["B"]}},
    "family": [{"name": "window_mean", "held_out": "unit"}],
}


def lines(unit: int) -> list[str]:
    """Rows of two channels every hour from 1 March 2024 on, with gaps and a frozen stretch."""
    luck = random.Random(unit)
    rows = []
    for hour in range(DAYS * 24):
        at = np.datetime64("2024-03-01T00:00:00") + np.timedelta64(hour, "h")
        if hour % 97 in (5, 6) or str(at) == "2024-03-31T02:00:00":
            continue
        t = 20.0 if 200 <= hour < 260 else luck.randrange(100, 300) / 10
        f = repr(luck.random() * 9) if hour % 31 else ""
        rows.append(f"{str(at).replace('T', ' ')},{t},{f}\n")
    return rows


def source(**more: Any) -> dict[str, Any]:
    rules = [channel(c, "{unit}." + c, equipment="{unit}") for c in ("t", "f")]
    base = wide(pattern=r"(?P<unit>[AB])\d*\.csv$", time=ZONE, channel=rules, **more)
    return {**base, "regimes": [{"step_s": 3600}]}


def corpus(folder: Path, *, cut: bool = False, mixed: bool = False, edit: str = "") -> Corpus:
    folder.mkdir(exist_ok=True)
    files = {}
    for number, unit in enumerate("AB"):
        rows = lines(number)
        if edit and unit == "A":
            rows[300] = rows[300].replace(rows[300].split(",")[1], edit)
        if mixed:
            random.Random(9).shuffle(rows)
        parts = [rows[:311], rows[311:]] if cut else [rows]
        for index, part in enumerate(parts):
            files[f"{unit}{index}.csv"] = "time,t,f\n" + "".join(part)
    return make(folder, files, source(), zone="Europe/Berlin", contract=CONTRACT)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("small")
    return Store(build_store(corpus(folder / "data"), folder / "store"))


def test_rows_in_another_order_and_files_in_pieces_give_the_same_exports(
    small: Store, tmp_path: Path
) -> None:
    made = build_store(corpus(tmp_path / "data", cut=True, mixed=True), tmp_path / "store")
    other = Store(made)
    assert other.marks["exports"] == small.marks["exports"]
    assert len(other.marks["exports"]) == len(LOGICAL) == 14
    files = "SELECT text FROM build_record WHERE name = 'files'"
    assert other.rows(files) != small.rows(files)


BUILD = """
import sys
from pathlib import Path
import pyarrow
from tests.telemetry.test_store import corpus
from benchwright.suites.telemetry.store.build import build_store
pyarrow.set_cpu_count(int(sys.argv[2]))
build_store(corpus(Path(sys.argv[1]) / "data"), Path(sys.argv[1]) / "store")
"""


@pytest.mark.parametrize(
    ("zone", "locale", "threads"), [("Asia/Tokyo", "de_DE.UTF-8", 1), ("America/New_York", "C", 4)]
)
def test_zone_locale_and_threads_of_the_process_change_nothing(
    small: Store, tmp_path: Path, root: Path, zone: str, locale: str, threads: int
) -> None:
    env = {**os.environ, "TZ": zone, "LC_ALL": locale, "PYTHONPATH": f"{root}/src:{root}"}
    command = [sys.executable, "-c", BUILD, str(tmp_path), str(threads)]
    subprocess.run(command, check=True, env={**env, "PYTHONHASHSEED": "7"}, cwd=tmp_path)
    assert Store(tmp_path / "store").marks["exports"] == small.marks["exports"]


@pytest.mark.parametrize(("spooled", "piece"), [(40, 7), (500, 33), (900, 400), (10_000, 10_000)])
def test_how_much_is_in_memory_changes_nothing(
    small: Store, tmp_path: Path, spooled: int, piece: int
) -> None:
    data, bounds = corpus(tmp_path / "data", cut=True, mixed=True), Bounds(spooled, piece)
    other = Store(build_store(data, tmp_path / "store", bounds))
    assert other.marks["exports"] == small.marks["exports"]
    assert {p.name for p in other.folder.iterdir()} == {
        "store.toml",
        "store.duckdb",
        "observations",
    }


def test_one_changed_cell_changes_only_what_depends_on_it(small: Store, tmp_path: Path) -> None:
    made = build_store(corpus(tmp_path / "data", edit="29.9"), tmp_path / "store")
    other = Store(made)

    def rows(store: Store, table: str) -> set[bytes]:
        return set(export_lines(store.connection, BY_NAME[table]))

    changed = {t.name: rows(other, t.name) - rows(small, t.name) for t in LOGICAL}
    days = {line.split(b'"')[1] for line in changed["aggregates_day"]}
    assert days == {b"A.t"}
    assert {name: len(found) for name, found in changed.items() if found} == {
        **{"raw_stream_index": 1, "aggregates_day": 2},
        **{"aggregates_week": 2, "aggregates_month": 2, "calendar_profiles": 1},
    } | {name: len(changed[name]) for name in ("thresholds",) if changed[name]}


def test_a_store_is_never_written_by_reading(small: Store) -> None:
    before = digest_tree(small.folder)
    small.readings("A.t", 0, 2**50)
    with pytest.raises(FormatError, match="read-only"):
        small.rows("CREATE TABLE x (a INT)")
    assert digest_tree(small.folder) == before


def test_a_connection_has_one_thread_and_writes_nothing_into_answers(small: Store) -> None:
    names = ("threads", "enable_progress_bar")
    found = small.rows("SELECT " + ", ".join(f"current_setting('{name}')" for name in names))
    assert found == [(1, False)]


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    broken = corpus(tmp_path / "data")
    (tmp_path / "data" / "B0.csv").write_text("time,t,f\nnever,1,2\n")
    with pytest.raises(SpecError):
        build_store(broken, tmp_path / "store")
    assert [p.name for p in tmp_path.iterdir()] == ["data"]


def test_a_folder_that_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"store\.toml"):
        Store(tmp_path)


def by_hand(store: Store, stream: str, window: Window) -> Any:
    r = store.readings(stream, window.start, window.end)
    return r, measure(r.ts, r.value, r.marks, window, store.rules(stream))


def test_stored_aggregates_and_weeks_are_what_the_readings_give(small: Store) -> None:
    query = 'SELECT stream, start, "end", "count", mean, coverage FROM aggregates_day'
    for stream, start, end, count, mean, coverage in small.rows(query):
        r, m = by_hand(small, stream, Window(start, end))
        assert (len(r.ts), m.coverage) == (count, coverage)
        assert mean == pytest.approx(float(np.mean(r.value)), abs=1e-12)
    weeks = 'SELECT stream, start, "end", frozen, gap_ratio FROM quality_weeks'
    for stream, start, end, frozen, gap_ratio in small.rows(weeks):
        _, m = by_hand(small, stream, Window(start, end))
        assert (m.frozen, m.gap_ratio) == (frozen, gap_ratio)


def test_both_calendars_are_there_and_differ(small: Store) -> None:
    starts = small.rows(
        "SELECT calendar, start FROM aggregates_day "
        "WHERE stream = 'A.t' AND first_day = '2024-03-05'"
    )
    hours = {calendar: start // H % 24 for calendar, start in starts}
    assert hours == {"utc": 0, "local": 23}


def test_profiles_are_by_the_local_clock(small: Store) -> None:
    first = small.readings("A.t", 0, 2**50)
    local = small.zone.local(first.ts)
    hit = (local // H % 24 == 7) & ((local // (24 * H) + 3) % 7 == 2)
    stored = small.rows(
        'SELECT "count", mean FROM calendar_profiles '
        "WHERE stream = 'A.t' AND hour = 7 AND day_of_week = 2"
    )
    assert stored == [(int(hit.sum()), pytest.approx(float(first.value[hit].mean())))]


def test_thresholds_come_from_the_training_part_alone(small: Store) -> None:
    weeks = small.rows(
        "SELECT coverage FROM quality_weeks WHERE training AND stream LIKE 'A.%' AND \"count\" > 0"
    )
    assert small.rows(
        "SELECT count(*) FROM quality_weeks WHERE training AND stream LIKE 'B.%'"
    ) == [(0,)]
    (count,) = {t.count for t in small.thresholds if t.name == "answer_coverage"}
    assert count == len(weeks) > 0
    floor = next(t for t in small.thresholds if t.name == "coverage_floor" and "day" in t.scope)
    days = small.rows(
        "SELECT coverage FROM aggregates_day WHERE calendar = 'local' AND stream LIKE 'A.%'"
    )
    assert (floor.value, floor.count) == (quantile([c for (c,) in days], 0.1), len(days))


@pytest.mark.parametrize(("q", "value"), [(0.0, 1), (0.1, 1), (0.25, 3), (0.5, 5), (1.0, 10)])
def test_a_quantile_is_a_value_that_occurs(q: float, value: int) -> None:
    assert quantile([float(v) for v in range(10, 0, -1)], q) == value


def test_ambiguity_names_what_tells_streams_apart(small: Store) -> None:
    assert small.rows("SELECT * FROM ambiguity") == [("S", "Temperature", 4, 0, "equipment")]


def test_the_nearest_readings_of_any_instant_are_found(small: Store) -> None:
    extent = small.extent("A.t")
    every = small.readings("A.t", 0, 2**50).ts
    luck = random.Random(5)
    for _ in range(60):
        at = luck.randrange(extent.first - 5 * H, extent.last + 5 * H)
        low, high = every[every <= at], every[every >= at]
        wanted = sorted({*low[-1:].tolist(), *high[:1].tolist()})
        assert [row[0] for row in small.around("A.t", at)] == wanted
    assert [row[0] for row in small.around("A.t", int(every[7]))] == [every[7]]


def test_every_reading_can_be_followed_to_its_cell(tmp_path: Path) -> None:
    made = build_store(corpus(tmp_path / "data", cut=True, mixed=True), tmp_path / "store")
    store, luck = Store(made), random.Random(8)
    every = store.readings("B.t", 0, 2**50)
    for place in luck.sample(range(len(every.ts)), 40):
        origin = store.origin("B.t", int(every.ts[place]))
        assert origin is not None
        row = (tmp_path / "data" / origin.file).read_text().splitlines()[origin.row]
        assert float(row.split(",")[origin.column]) == every.value[place]
    assert store.origin("B.t", int(every.ts[0]) + 1) is None


@pytest.fixture(scope="module")
def heat(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    corpus = load_corpus("xai4heat", shared / "data")
    return Store(build_store(corpus, tmp_path_factory.mktemp("heat") / "store"))


def test_value_checks_find_the_bad_weeks_that_coverage_lets_through(heat: Store) -> None:
    bad = '(frozen >= 0.5 * "count" OR dropout >= 0.5 * "count" OR sentinel >= 0.1 * "count")'
    plain, falsely, good, still = heat.rows(
        f"SELECT count(*) FILTER (coverage >= 0.826 AND gap_ratio <= 22), "
        f"count(*) FILTER (coverage >= 0.826 AND gap_ratio <= 22 AND {bad}), "
        f"count(*) FILTER (outcome <> 'abstain'), count(*) FILTER (outcome <> 'abstain' AND {bad}) "
        "FROM quality_weeks JOIN points USING (stream) "
        "WHERE kind = 'instant' AND point_class LIKE '%Temperature%' AND NOT imputed"
    )[0]
    assert 0.05 < falsely / plain < 0.08
    assert (still, good > 2_500) == (0, True)


def test_a_real_month_that_one_spike_ruins_is_told_as_a_spike(heat: Store) -> None:
    november = window_of(np.datetime64("2021-11-06").item(), "week", heat.zone)
    found = heat.rows(
        "SELECT outcome, reason FROM quality_weeks WHERE stream = 'L17.pe' AND start = ?",
        [november.start],
    )
    assert found == [("abstain", "spike")]
    mean = heat.rows(
        "SELECT mean FROM aggregates_month WHERE stream = 'L17.pe' AND calendar = 'utc' "
        "AND first_day = '2021-11-01'"
    )[0][0]
    assert 20_000 < mean < 25_000


def test_real_outdoor_days_differ_between_utc_and_the_local_clock(heat: Store) -> None:
    rows = heat.rows(
        "SELECT a.mean, b.mean FROM aggregates_day a "
        "JOIN aggregates_day b USING (stream, first_day) "
        "WHERE stream = 'L4.t_amb' AND a.calendar = 'utc' AND b.calendar = 'local' "
        "AND a.mean IS NOT NULL AND b.mean IS NOT NULL"
    )
    differing = sum(abs(a - b) > 1e-4 for a, b in rows)
    assert differing / len(rows) > 0.9
