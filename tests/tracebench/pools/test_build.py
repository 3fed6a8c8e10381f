from __future__ import annotations

from collections import Counter, defaultdict
from concurrent.futures import Executor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from benchwright.errors import MissingExtraError, SpecError
from benchwright.executors import SerialExecutor, open_executor
from benchwright.suites.tracebench.pools.build import build_pool, open_pool, part_path
from benchwright.suites.tracebench.pools.policy import Policy, load_policy
from benchwright.suites.tracebench.pools.report import pool_report
from benchwright.suites.tracebench.pools.table import PROBES, parts, recipes
from benchwright.suites.tracebench.probes import refusals, two_stage
from benchwright.suites.tracebench.recipes import Step, validate
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.systems import SYSTEMS
from tests.tracebench.pools.cluster import two_workers

FAMILIES = 700
"""More than one block."""


def policy(**changes: Any) -> Policy:
    base = load_policy("massslide-paper-like").model_dump()
    return Policy.model_validate({**base, "families": FAMILIES, **changes})


def built(out: Path, chosen: Policy, executor: Executor | None = None) -> dict[str, bytes]:
    build_pool(chosen, out, executor or SerialExecutor())
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pools") / "pool"
    built(out, policy())
    return out


def rows(out: Path) -> list[dict[str, Any]]:
    return [row for path in parts(out) for row in pq.read_table(path).to_pylist()]


def test_a_build_that_was_stopped_goes_on_and_gives_the_same_bytes(
    pool: Path, tmp_path: Path
) -> None:
    whole = {p.relative_to(pool).as_posix(): p.read_bytes() for p in pool.rglob("*.*")}
    out = tmp_path / "pool"

    def stop(done: int, _: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_pool(policy(), out, SerialExecutor(), progress=stop)
    first = part_path(out, 0)
    assert first.is_file() and not part_path(out, 1).is_file() and not (out / "report.md").exists()
    stamp = first.stat().st_mtime_ns
    assert built(out, policy()) == whole
    assert first.stat().st_mtime_ns == stamp


def test_processes_give_the_same_bytes(pool: Path, tmp_path: Path) -> None:
    with open_executor("processes:2") as executor:
        found = built(tmp_path / "pool", policy(), executor)
    assert found == {p.relative_to(pool).as_posix(): p.read_bytes() for p in pool.rglob("*.*")}


@pytest.mark.skipif(find_spec("distributed") is None, reason="the extra dask is not installed")
@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
def test_a_dask_cluster_of_two_workers_gives_the_same_bytes(pool: Path, tmp_path: Path) -> None:
    with two_workers() as address, open_executor(f"dask:{address}") as executor:
        found = built(tmp_path / "pool", policy(), executor)
    assert found == {p.relative_to(pool).as_posix(): p.read_bytes() for p in pool.rglob("*.*")}


@pytest.mark.skipif(find_spec("distributed") is not None, reason="the extra dask is installed")
def test_dask_without_its_extra_says_what_to_install() -> None:
    with pytest.raises(MissingExtraError, match="pip install"), open_executor("dask:tcp://x:1"):
        pass


def test_a_folder_with_another_pool_is_refused(pool: Path) -> None:
    with pytest.raises(SpecError, match="another policy"):
        build_pool(policy(seed=7), pool, SerialExecutor())


def test_kept_recipes_are_valid_and_pass_when_judged_alone(pool: Path) -> None:
    kept = [recipe for _, recipe in recipes(pool, SYSTEMS["MassSlide"])]
    stepped = [recipe for recipe in kept if recipe.step is not None][::40]
    for recipe in stepped:
        validate(recipe)
    assert set(refusals(stepped, dynamics="exact")) == {Reason.KEPT}


def test_rejected_rows_are_rejected_alone_for_the_same_reason(pool: Path) -> None:
    every = [recipe for _, recipe in recipes(pool, SYSTEMS["MassSlide"], kept=False)]
    stepped = [recipe for recipe in every if recipe.step is not None][::60]
    found = [why.text for why in refusals(stepped, dynamics="exact")]
    stored = {
        (row["family"], row["parameter"], row["value"], row["time"]): row["reason"]
        for row in rows(pool)
    }
    by_values = {recipe.digest: why for recipe, why in zip(stepped, found, strict=True)}
    for family, recipe in recipes(pool, SYSTEMS["MassSlide"], kept=False):
        if recipe.digest in by_values:
            step = recipe.step
            assert isinstance(step, Step)
            why = stored[family, step.parameter, step.value, step.time]
            assert why == by_values[recipe.digest] or why == "single_cause"


def test_a_family_gives_samples_only_with_two_causes(pool: Path) -> None:
    causes: dict[int, set[str]] = defaultdict(set)
    baselines: dict[int, bool] = {}
    for row in rows(pool):
        if row["kind"] == "baseline":
            baselines[row["family"]] = row["kept"]
        elif row["kept"]:
            causes[row["family"]].add(row["parameter"])
    assert {len(found) >= 2 for found in causes.values()} == {True}
    assert {family for family, kept in baselines.items() if kept} == set(causes)
    assert 0 < len(causes) < FAMILIES == len(baselines)


def test_the_report_counts_what_the_table_holds(pool: Path) -> None:
    report, table = open_pool(pool).report, rows(pool)
    kinds = Counter(row["kind"] for row in table)
    assert (report["families"], report["candidates"]) == (FAMILIES, kinds["intervention"])
    for entry in report["classes"]:
        assert entry["candidates"] == entry["kept"] + sum(entry["rejected"].values())
    assert sum(e["candidates"] for e in report["classes"][:-1]) == kinds["intervention"]
    assert sum(c["candidates"] for c in report["coverage"]) == kinds["intervention"]
    assert sum(c["kept"] for c in report["coverage"]) == sum(
        row["kept"] for row in table if row["kind"] == "intervention"
    )
    reasons = Counter(row["reason"] for row in table if row["parameter"] == "plane_inclination")
    inclination = next(e for e in report["classes"] if e["label"] == "plane inclination angle")
    assert inclination["rejected"] == {
        why: n for why, n in reasons.items() if why not in ("", "no_valid_value")
    }
    text = (pool / "report.md").read_text()
    assert "paper: least" in text and "no parameter change" in text


def test_manual_cases_come_first_and_are_judged_like_any(tmp_path: Path) -> None:
    values = dict(next(r for _, r in recipes_of_first(tmp_path)).values)
    steps = [
        {"parameter": "gravity_constant", "value": 20.0, "time": 4.0},
        {"parameter": "plane_inclination", "value": 60.0, "time": 5.001},
    ]
    manual = [{"id": "mine", "values": values, "steps": steps}]
    out = tmp_path / "manual"
    build_pool(policy(families=3, manual=manual), out, SerialExecutor())
    made = [row for row in rows(out) if row["family"] == -1]
    assert [row["kind"] for row in made] == ["baseline", "intervention", "intervention"]
    assert [row["time"] for row in made[1:]] == [4.0, 5.02]
    assert {row["family"] for row in rows(out)} == {-1, 0, 1, 2}


def recipes_of_first(folder: Path) -> Any:
    out = folder / "first"
    build_pool(policy(families=3), out, SerialExecutor())
    return recipes(out, SYSTEMS["MassSlide"], kept=False)


def test_a_configuration_is_kept_with_two_causes_and_dropped_with_one(pool: Path) -> None:
    families = defaultdict(list)
    for row in rows(pool):
        families[row["family"]].append(row)
    seen = set()
    for family in families.values():
        passed = [row for row in family if row["reason"] in ("", "single_cause")]
        causes = {row["parameter"] for row in passed} - {None, ""}
        steps = [row for row in passed if row["kind"] == "intervention"]
        assert {row["kept"] for row in steps} <= {len(causes) >= 2}
        seen.add(min(len(causes), 3))
    assert seen == {0, 1, 2, 3}


def test_the_two_stage_mode_decides_and_counts_where_it_differs(tmp_path: Path) -> None:
    chosen = policy(families=4, solvability={"sigma": "two_stage", "kappa": 40.0})
    out = tmp_path / "pool"
    report = build_pool(chosen, out, SerialExecutor()).report
    asked = [row for row in rows(out) if row["two_stage"] is not None]
    assert report["two_stage"]["asked"] == len(asked) > 0
    for row in asked:
        assert row["two_stage"] == (row["reason"] in ("", "single_cause"))
    one = next(
        recipe
        for family, recipe in recipes(out, SYSTEMS["MassSlide"], kept=False)
        if recipe.step and (family, recipe.step.value) == (asked[0]["family"], asked[0]["value"])
    )
    assert two_stage([one], 40.0, "exact") == (asked[0]["two_stage"],)
    assert "verdicts differ" in (out / "report.md").read_text()
    closed = {id(row): all(max(ratios(row, probe)) > 2 for probe in PROBES) for row in asked}
    differ = sum(row["two_stage"] != closed[id(row)] for row in asked)
    assert report["two_stage"]["differ"] == differ
    turned = [turn_verdicts(part) for part in parts(out)]
    assert sum(turned) == len(asked)
    assert pool_report(chosen, out)["two_stage"]["differ"] == len(asked) - differ > 0


def ratios(row: dict[str, Any], probe: str) -> list[float]:
    """Of one probe, 0 where an earlier reason made a ratio needless."""
    found = [row[f"ratio_{probe}_{channel}"] for channel in (1, 2, 3)]
    return [0.0 if ratio is None or np.isnan(ratio) else ratio for ratio in found]


def turn_verdicts(part: Path) -> int:
    """Make every verdict of the Monte Carlo in one file of a table the other one; how many."""
    table = pq.read_table(part)
    place, column = table.schema.get_field_index("two_stage"), table["two_stage"]
    pq.write_table(table.set_column(place, table.schema.field(place), pc.invert(column)), part)
    return len(column) - column.null_count


def test_a_veto_that_is_off_rejects_nothing(tmp_path: Path) -> None:
    off = policy(families=60, solvability={"off": ["never_slides_again"]})
    build_pool(off, tmp_path / "off", SerialExecutor())
    build_pool(policy(families=60), tmp_path / "on", SerialExecutor())
    counts = [Counter(row["reason"] for row in rows(tmp_path / name)) for name in ("off", "on")]
    assert counts[0]["never_slides_again"] == 0 < counts[1]["never_slides_again"]
    assert counts[0][""] > counts[1][""]
