"""Sets and runs made by other hands: tasks, golds, sheets and series that do not fit together."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright.canonical import plain
from benchwright.errors import BenchwrightError, FormatError, SpecError, TaskSetError
from benchwright.scoring.model import Check, Score, ScoreSheet
from benchwright.suites.tracebench.golds import GOLD_FORMAT, read_gold, sample_path, true_answers
from benchwright.suites.tracebench.score import check_sheet, metrics
from benchwright.suites.tracebench.series import (
    heldout_bytes,
    read_heldout,
    read_sample,
    sample_bytes,
)
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.systems import get_system
from benchwright.tasks.model import Gold, Submission, Task, TaskLimits

SYSTEM = get_system("BallDrop")
RECIPES = {recipe.label: recipe for recipe in shipped("BallDrop")}
TRUTH = {"a.parquet": "mass", "b.parquet": "gravity acceleration", "c.parquet": SYSTEM.labels[-1]}
AXES = {
    "system": "BallDrop", "noise": "low", "mode": "programmatic", "context": "full", "shots": "0",
    "seed": "0",
}  # fmt: skip
ASKED = Submission("programmatic", "rule.py", SYSTEM.labels, tuple(TRUTH), 1)
TASK = Task("t", "d", "tracebench", "c", AXES, "", Path("x"), ASKED, TaskLimits())
CONTENT: dict[str, Any] = {
    "format": GOLD_FORMAT,
    "truth": TRUTH,
    "recipes": {name: plain(RECIPES[label]) for name, label in TRUTH.items()},
    "heldout": {"file": "h.parquet", "digest": "0" * 64, "truth": {"h": "mass"}},
    "dynamics": "exact",
}


def gold(folder: Path, **changes: Any) -> Gold:
    (folder / "gold.json").write_text(json.dumps({**CONTENT, **changes}), encoding="utf-8")
    return Gold("t", "d", folder)


def test_a_gold_that_fits_its_task_is_read(tmp_path: Path) -> None:
    answers = true_answers(TASK, gold(tmp_path))
    assert answers.truth == TRUTH
    assert {name: r.label for name, r in answers.recipes.items()} == TRUTH


def recipe(name: str, **changes: Any) -> dict[str, Any]:
    return {**CONTENT["recipes"], name: {**CONTENT["recipes"][name], **changes}}


GOLDS: dict[str, tuple[dict[str, Any], str]] = {
    "a sample too few": ({"truth": {"a.parquet": "mass"}}, "other samples"),
    "another truth than its recipe": (
        {"truth": {**TRUTH, "a.parquet": "gravity acceleration"}}, "recipe",
    ),
    "no recipe of a sample": ({"recipes": {}}, "other samples"),
    "a recipe without its step": ({"recipes": recipe("a.parquet", step=None)}, "recipe"),
    "a recipe that does not say": (
        {"recipes": {"a.parquet": {"system": "BallDrop", "values": {}}}}, "step",
    ),
    "a recipe outside its interval": (
        {"recipes": recipe("a.parquet", values={**RECIPES["mass"].values, "mass": 1e9})},
        "interval",
    ),
    "a recipe of no system": ({"recipes": recipe("a.parquet", system="Pendulum")}, "Pendulum"),
    "unknown dynamics": ({"dynamics": "guessed"}, "guessed"),
    "no held-out samples": ({"heldout": None}, "held-out"),
    "a held-out sample that is a test sample": (
        {"heldout": {**CONTENT["heldout"], "truth": {"a.parquet": "mass"}}}, "held-out",
    ),
    "a held-out label that is none": (
        {"heldout": {**CONTENT["heldout"], "truth": {"h": "colour"}}}, "colour",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "word"), GOLDS.values(), ids=GOLDS)
def test_a_gold_that_does_not_fit_is_one_line(
    tmp_path: Path, changes: dict[str, Any], word: str
) -> None:
    with pytest.raises((FormatError, TaskSetError, SpecError), match=word):
        true_answers(TASK, gold(tmp_path, **changes))


@pytest.mark.parametrize("axis", AXES)
def test_a_task_without_one_of_its_axes_is_refused(axis: str) -> None:
    axes = {name: value for name, value in AXES.items() if name != axis}
    with pytest.raises(FormatError, match=f"lacks a key: '{axis}'"):
        metrics(replace(TASK, axes=axes))


@pytest.mark.parametrize(
    "changes", [{"system": "Pendulum"}, {"mode": "direct"}, {"context": "some"}, {"seed": "x"}]
)
def test_a_task_whose_axes_say_something_else_is_refused(changes: dict[str, str]) -> None:
    with pytest.raises(BenchwrightError):
        metrics(replace(TASK, axes={**AXES, **changes}))


def test_a_sample_s_name_cannot_lead_out_of_its_task(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="leaves its folder"):
        sample_path(tmp_path, "../../held/gold.json")


def sheet(**changes: Any) -> ScoreSheet:
    """Two test samples of three right, the held-out one wrong."""
    got = {**TRUTH, "c.parquet": "mass", "h": "mass"}
    truth = {**TRUTH, "h": "gravity acceleration"}
    checks = [
        Check(name, "pass" if got[name] == label else "fail", label, [got[name]])
        for name, label in truth.items()
    ]
    scores = [Score("top1", 2 / 3, "scored"), Score("shortlist", 2 / 3, "scored")]
    scores += [Score("heldout_top1", 0.0, "scored"), Score("heldout_shortlist", 0.0, "scored")]
    whole = {"scores": tuple(scores), "checks": tuple(checks), **changes}
    return ScoreSheet("e", "tracebench/1", **whole)


def first(**changes: Any) -> tuple[Check, ...]:
    checks = sheet().checks
    return (replace(checks[0], **changes), *checks[1:])


SHEETS: dict[str, Callable[[], ScoreSheet]] = {
    "a better score": lambda: sheet(scores=(Score("top1", 1.0, "scored"), *sheet().scores[1:])),
    "a score that is none": lambda: sheet(
        scores=(Score("top1", None, "unscorable", "why"), *sheet().scores[1:])
    ),
    "a sample left out": lambda: sheet(checks=sheet().checks[1:]),
    "a held-out sample left out": lambda: sheet(checks=sheet().checks[:-1]),
    "a sample too many": lambda: sheet(
        checks=(*sheet().checks, replace(sheet().checks[-1], name="x"))
    ),
    "an outcome that does not follow": lambda: sheet(checks=first(outcome="fail")),
    "an answer that is none": lambda: sheet(checks=first(got=["colour"])),
    "an answer of another kind": lambda: sheet(checks=first(got=3)),
    "a truth that is none": lambda: sheet(checks=first(expected="colour")),
    "scores without checks": lambda: sheet(checks=()),
}


def test_a_sheet_that_follows_from_its_checks_is_taken() -> None:
    check_sheet(TASK, sheet())


@pytest.mark.parametrize("made", SHEETS.values(), ids=SHEETS)
def test_a_sheet_that_does_not_follow_is_refused(made: Callable[[], ScoreSheet]) -> None:
    with pytest.raises(FormatError, match="sheet tracebench/1 of e"):
        check_sheet(TASK, made())


def test_an_episode_without_a_score_has_a_sheet_without_checks() -> None:
    blank = tuple(Score(name, None, "unscorable", "sandbox: it died") for name in metrics(TASK))
    check_sheet(TASK, sheet(scores=blank, checks=()))


FLOATS = pa.table(
    {name: pa.array([1.0, 2.0], pa.float32()) for name in ("col1", "col2", "col3", "col4")}
)
TABLES = {
    "a column too few": FLOATS.drop(["col4"]),
    "64-bit numbers": FLOATS.set_column(0, "col1", pa.array([1.0, 2.0], pa.float64())),
    "text": FLOATS.set_column(0, "col1", pa.array(["a", "b"])),
    "a gap": FLOATS.set_column(0, "col1", pa.array([1.0, None], pa.float32())),
    "NaN": FLOATS.set_column(0, "col1", pa.array([1.0, float("nan")], pa.float32())),
    "no rows": FLOATS.slice(0, 0),
}  # fmt: skip


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_file_that_is_no_sample_is_one_line(tmp_path: Path, table: Any) -> None:
    pq.write_table(table, tmp_path / "s.parquet")
    with pytest.raises(FormatError, match=r"no series: .*s\.parquet"):
        read_sample(tmp_path / "s.parquet")


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("kind", ["sample", "held-out"])
def test_a_part_of_a_series_file_is_one_line(tmp_path: Path, kind: str, part: float) -> None:
    path = tmp_path / "s.parquet"
    signals, time = np.ones((3, 50), np.float32), np.arange(50.0)
    data = {
        "sample": sample_bytes(signals, time),
        "held-out": heldout_bytes(["a", "b"], np.stack([signals] * 2), time),
    }[kind]
    path.write_bytes(data[: int(len(data) * part)])
    with pytest.raises(FormatError, match=r"s\.parquet"):
        read_sample(path) if kind == "sample" else list(read_heldout(path))


def test_a_gold_with_another_kind_of_value_names_file_and_key(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"gold\.json: truth\.a\.parquet"):
        read_gold(gold(tmp_path, truth={**TRUTH, "a.parquet": ""}))
