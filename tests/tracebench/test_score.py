"""The scorer on planted episodes: behaviours 1 to 12 of the facts, section 17."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchwright.canonical import plain
from benchwright.episodes.model import AgentRecord, End, Episode, Usage
from benchwright.scoring.model import ScoreSheet
from benchwright.scoring.sheets import sheet_bytes
from benchwright.suites.tracebench.golds import GOLD_FORMAT
from benchwright.suites.tracebench.score import SCORING, metrics, score
from benchwright.suites.tracebench.shipped import shipped
from benchwright.tasks.model import Gold, Submission, Task, TaskLimits

LABELS = ("coefficient of restitution", "mass", "gravity acceleration", "no parameter change")
TEST = {
    "a.parquet": "mass",
    "b.parquet": "gravity acceleration",
    "c.parquet": "mass",
    "d.parquet": "mass",
}
HELD = {"x.parquet": "mass", "y.parquet": "coefficient of restitution"}
AXES = {"system": "BallDrop", "noise": "low", "context": "full", "shots": "0", "seed": "0"}
LIMITS = TaskLimits()
RECIPES = {recipe.label: recipe for recipe in shipped("BallDrop")}
RIGHT = {name: [label] for name, label in TEST.items()}


def task(folder: Path, mode: Any = "direct", heldout: int = len(HELD)) -> Task:
    file = "results.json" if mode == "direct" else "rule.py"
    contract = Submission(mode, file, LABELS, tuple(TEST), heldout)
    return Task("t", "d", "tracebench", "c", {**AXES, "mode": mode}, "", folder, contract, LIMITS)


def gold(folder: Path, held: Mapping[str, str] | None) -> Gold:
    heldout = {"file": "f", "digest": "0" * 64, "truth": held} if held else None
    data = {
        "format": GOLD_FORMAT,
        "truth": TEST,
        "recipes": {name: plain(RECIPES[label]) for name, label in TEST.items()},
        "heldout": heldout,
        "dynamics": "exact",
    }
    folder.mkdir()
    (folder / "gold.json").write_text(json.dumps(data))
    return Gold("t", "d", folder)


def episode(folder: Path, files: Mapping[str, str]) -> Episode:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    agent = AgentRecord("a", None, False, "bwrap", "1")
    usage = Usage(*[None] * 8)
    return Episode("e", "t", "d", agent, 0, End("returned"), None, usage, folder)


def direct(tmp_path: Path, answers: Any) -> ScoreSheet:
    text = answers if isinstance(answers, str) else json.dumps(answers)
    closed = episode(tmp_path / "e", {"artifacts/results.json": text})
    return score(task(tmp_path), gold(tmp_path / "gold", None), closed)


def by_rule(
    tmp_path: Path, answers: Mapping[str, Any], held: Mapping[str, str] | None = HELD
) -> ScoreSheet:
    record = {"format": "benchwright.answers/1", "answers": answers}
    files = {"artifacts/rule.py": "", "answers.json": json.dumps(record)}
    closed = episode(tmp_path / "e", files)
    asked = task(tmp_path, "programmatic", len(held or ()))
    return score(asked, gold(tmp_path / "gold", held), closed)


def values(sheet: ScoreSheet) -> dict[str, float | None]:
    return {score.metric: score.value for score in sheet.scores}


def statuses(sheet: ScoreSheet) -> set[str]:
    return {score.status for score in sheet.scores}


def test_right_answers_score_one_with_a_passed_check_per_sample(tmp_path: Path) -> None:
    sheet = direct(tmp_path, RIGHT)
    assert values(sheet) == {"top1": 1.0, "shortlist": 1.0}
    assert [(c.name, c.outcome, c.expected, c.got) for c in sheet.checks] == [
        (name, "pass", label, [label]) for name, label in TEST.items()
    ]


def test_a_second_place_earns_half_a_shortlist_point_and_no_top1(tmp_path: Path) -> None:
    sheet = direct(tmp_path, {**RIGHT, "a.parquet": ["gravity acceleration", "mass"]})
    assert values(sheet) == {"top1": 0.75, "shortlist": 0.875}
    assert sheet.checks[0].outcome == "fail" and sheet.checks[0].got == [
        "gravity acceleration",
        "mass",
    ]


def test_an_extra_label_costs_shortlist_and_leaves_top1(tmp_path: Path) -> None:
    sheet = direct(tmp_path, {**RIGHT, "a.parquet": ["mass", "gravity acceleration"]})
    assert values(sheet) == {"top1": 1.0, "shortlist": 0.875}


@pytest.mark.parametrize("form", ["{}", "{}.parquet", "test_samples/{}.parquet"])
def test_samples_may_be_named_with_or_without_suffix_and_folder(tmp_path: Path, form: str) -> None:
    answers = {form.format(name.removesuffix(".parquet")): RIGHT[name] for name in RIGHT}
    assert values(direct(tmp_path, answers)) == {"top1": 1.0, "shortlist": 1.0}


def test_a_plain_string_is_a_list_of_one(tmp_path: Path) -> None:
    assert values(direct(tmp_path, TEST)) == {"top1": 1.0, "shortlist": 1.0}


@pytest.mark.parametrize("spelling", ["Mass ", "MASS", "  mass"])
def test_case_and_outer_space_of_a_label_are_forgiven(tmp_path: Path, spelling: str) -> None:
    assert values(direct(tmp_path, {**RIGHT, "a.parquet": [spelling]}))["top1"] == 1.0


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({**RIGHT, "a": ["mass"]}, "a.parquet"),
        ({k: v for k, v in RIGHT.items() if k != "a.parquet"}, "a.parquet"),
        ({**RIGHT, "z.parquet": ["mass"]}, "z.parquet"),
        ({**RIGHT, "a.parquet": ["weight"]}, "weight"),
        ({**RIGHT, "a.parquet": ["mass", "Mass"]}, "twice"),
        ({**RIGHT, "a.parquet": []}, "a list of labels"),
        ({**RIGHT, "a.parquet": [""]}, "label is not text"),
        ({**RIGHT, "a.parquet": None}, "list of labels"),
        ([], "top level"),
        ("{", "not JSON"),
        ('{"a.parquet": NaN}', "NaN"),
        ('{"a.parquet": "mass", "a.parquet": "mass"}', "key stands twice"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_file_that_breaks_the_contract_scores_zero_and_is_flagged(
    tmp_path: Path, answers: Any, reason: str
) -> None:
    sheet = direct(tmp_path, answers)
    assert values(sheet) == {"top1": 0.0, "shortlist": 0.0}
    assert statuses(sheet) == {"invalid"}
    assert all(reason in (s.reason or "") for s in sheet.scores)
    assert [c.outcome for c in sheet.checks] == ["fail"] * 4
    assert all(c.got is None and c.reason for c in sheet.checks)


def test_a_file_of_200_megabytes_scores_zero_and_is_flagged(tmp_path: Path) -> None:
    closed = episode(tmp_path / "e", {"artifacts/results.json": "{}"})
    with (tmp_path / "e/artifacts/results.json").open("r+b") as file:
        file.truncate(200 * 1024 * 1024)
    sheet = score(task(tmp_path), gold(tmp_path / "gold", None), closed)
    assert statuses(sheet) == {"invalid"} and set(values(sheet).values()) == {0.0}


@pytest.mark.parametrize("mode", ["direct", "programmatic"])
def test_nothing_delivered_is_invalid_and_not_missing(tmp_path: Path, mode: Any) -> None:
    closed = episode(tmp_path / "e", {})
    asked = task(tmp_path, mode)
    sheet = score(asked, gold(tmp_path / "gold", HELD), closed)
    assert statuses(sheet) == {"invalid"} and set(values(sheet).values()) == {0.0}
    assert tuple(values(sheet)) == metrics(asked)


def test_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(json.dumps(RIGHT))
    closed = episode(tmp_path / "e", {"artifacts/other": ""})
    (tmp_path / "e/artifacts/results.json").symlink_to(tmp_path / "secret")
    with_link = score(task(tmp_path), gold(tmp_path / "gold", None), closed)
    assert statuses(with_link) == {"invalid"}


def test_a_rule_is_scored_on_test_and_heldout_samples_apart(tmp_path: Path) -> None:
    answers = {**RIGHT, "x.parquet": ["mass"], "y.parquet": ["mass", "coefficient of restitution"]}
    sheet = by_rule(tmp_path, {name: {"labels": labels} for name, labels in answers.items()})
    assert values(sheet) == {
        "top1": 1.0,
        "shortlist": 1.0,
        "heldout_top1": 0.5,
        "heldout_shortlist": 0.75,
    }
    assert [check.name for check in sheet.checks] == [*TEST, *HELD]


def test_an_error_on_one_sample_costs_that_sample_alone(tmp_path: Path) -> None:
    answers: dict[str, Any] = {name: {"labels": [label]} for name, label in (TEST | HELD).items()}
    answers["b.parquet"] = {"error": "ValueError: no label"}
    sheet = by_rule(tmp_path, answers)
    assert values(sheet)["top1"] == values(sheet)["shortlist"] == 0.75
    assert statuses(sheet) == {"scored"}
    assert sheet.scores[0].reason == "1 of 4 samples failed"
    broken = sheet.checks[1]
    assert (broken.outcome, broken.got, broken.reason) == ("fail", None, "ValueError: no label")


def test_a_rule_that_fails_everywhere_is_invalid(tmp_path: Path) -> None:
    sheet = by_rule(tmp_path, {name: {"error": "ImportError: x"} for name in TEST | HELD})
    assert statuses(sheet) == {"invalid"} and set(values(sheet).values()) == {0.0}
    assert "ImportError: x" in (sheet.scores[0].reason or "")


def test_a_sample_without_an_answer_counts_as_wrong(tmp_path: Path) -> None:
    sheet = by_rule(
        tmp_path, {"a.parquet": {"labels": ["mass"]}, "x.parquet": {"labels": ["mass"]}}
    )
    assert values(sheet)["top1"] == 0.25 and values(sheet)["heldout_top1"] == 0.5


def test_without_heldout_samples_their_metrics_are_unscorable_and_never_a_number(
    tmp_path: Path,
) -> None:
    sheet = by_rule(tmp_path, {name: {"labels": [label]} for name, label in TEST.items()}, None)
    assert values(sheet) == {
        "top1": 1.0,
        "shortlist": 1.0,
        "heldout_top1": None,
        "heldout_shortlist": None,
    }


def test_a_rule_that_was_never_executed_is_not_scored(tmp_path: Path) -> None:
    closed = episode(tmp_path / "e", {"artifacts/rule.py": "", "artifacts/answers.json": "{}"})
    sheet = score(task(tmp_path, "programmatic"), gold(tmp_path / "gold", HELD), closed)
    assert statuses(sheet) == {"unscorable"} and set(values(sheet).values()) == {None}


def test_direct_tasks_are_never_asked_about_heldout_samples(tmp_path: Path) -> None:
    closed = episode(tmp_path / "e", {"artifacts/results.json": json.dumps(RIGHT)})
    sheet = score(task(tmp_path), gold(tmp_path / "gold", HELD), closed)
    assert {check.name for check in sheet.checks} == set(TEST)


def test_scoring_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    closed = episode(tmp_path / "e", {"artifacts/results.json": json.dumps(RIGHT)})
    key = gold(tmp_path / "gold", None)
    assert sheet_bytes(score(task(tmp_path), key, closed)) == sheet_bytes(
        SCORING.score(task(tmp_path), key, closed)
    )
