"""Sets of telemetry by the command line: built, checked, and what is refused."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import pytest

from tests.cli.commands import benchwright, refused_fully, tree
from tests.telemetry.conftest import Made
from tests.telemetry.house import house
from tests.telemetry.sets import Built, build_into


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("small")
    return build_into(house(folder / "data"), folder / "set")


def test_the_demo_is_built_and_found_sound(demo_made: Made) -> None:
    said, built = demo_made.said, demo_made.built
    assert said.err == ""
    first, *kinds, flown, last = said.out.splitlines()
    number = len(built.golds)
    assert flown == f"preflight: {number} of {number} rows released"
    assert first == f"{len(built.golds)} tasks in demo, set {built.tasks.digest[:12]}"
    assert (
        len([line for line in kinds if not line.startswith("  ")]) == 14
        and last == "next: benchwright check demo"
    )
    checked = benchwright("check", built.path, "--only", "structure,rebuild")
    assert checked.code == 0
    assert (
        f"{len(built.golds)} of {len(built.golds)} tasks and golds are made again, to the byte"
        in (checked.out)
    )


def test_a_missing_quota_is_printed_and_is_the_truth(demo_set: Built) -> None:
    lines = json.loads(demo_set.shared("candidates.json"))["families"]
    for line in lines:
        rows = demo_set.of(line["family"], line["variant"])
        family = next(f for f in demo_set.store.contract.family if f.name == line["family"])
        quota = family.quota if line["variant"] == "usual" else family.negative
        for split in ("train", "dev", "test"):
            kept = sum(row["split"] == split for row in rows)
            assert line["retained"][split] == kept
            assert line["shortfall"][split] == getattr(quota, split) - kept >= 0
            assert kept <= line["available"][split]
        assert line["candidates"] == line["eligible"] + sum(line["missed"].values())
        assert line["eligible"] == line["of_no_split"] + sum(line["available"].values())


def test_why_rows_are_missing_adds_up_to_what_is_missing(demo_set: Built) -> None:
    lines = json.loads(demo_set.shared("candidates.json"))["families"]
    said = tomllib.loads((demo_set.path / "held" / "shared" / "build.toml").read_text())["account"]
    assert [(o["family"], o["variant"]) for o in said] == [
        (o["family"], o["variant"]) for o in lines
    ]
    for why, line in zip(said, lines, strict=True):
        assert sum(why["not_eligible"].values()) == sum(line["missed"].values())
        short = {split: n for split, n in line["shortfall"].items() if n}
        assert {split: one["rows"] for split, one in why["missing"].items()} == short
        for split, one in why["missing"].items():
            kept = line["retained"][split]
            assert one["available"] == line["available"][split]
            assert sum(one["beyond_cap"].values()) == one["available"] - kept


def test_build_says_why_in_text_and_as_json(tmp_path: Path) -> None:
    house(tmp_path / "data")
    said = benchwright("build", tmp_path / "data" / "corpus.toml", "--out", tmp_path / "a")
    assert said.code == 0 and "\n  rows missing: " in said.out
    again = benchwright(
        "build", tmp_path / "data" / "corpus.toml", "--out", tmp_path / "b", "--json"
    )
    families = json.loads(again.out)["families"]
    short = {f"{o['family']}/{o['variant']}": o["missing"] for o in families}
    assert any(short.values())


def test_a_set_whose_golds_were_changed_is_not_sound(small: Built, tmp_path: Path) -> None:
    shutil.copytree(small.path, tmp_path / "set")
    golds = sorted((tmp_path / "set" / "held").glob("*/gold.json"))
    for gold in golds:
        gold.write_text(gold.read_text().replace('"value":', '"value": '))
    said = benchwright("check", tmp_path / "set", "--only", "structure")
    assert said.code == 1
    problems = [line for line in said.out.splitlines() if line.startswith("  PROBLEM")]
    assert len(problems) == 21 and "more problems of this check" in problems[-1]
    said = benchwright("check", tmp_path / "set", "--only", "structure", "--json")
    every = json.loads(said.out)["problems"]
    assert len(every) > 21 and f"{len(every) - 20} more problems" in problems[-1]


def test_a_data_file_that_differs_stops_the_build(tmp_path: Path) -> None:
    corpus = house(tmp_path / "data")
    (tmp_path / "data" / "B0.csv").write_text("time,t\n2024-01-01,1\n")
    before = tree(tmp_path)
    said = benchwright("build", corpus.where, "--out", tmp_path / "set")
    refused_fully(said, "B0.csv")
    assert said.out == "" and tree(tmp_path) == before
    assert {p.name for p in tmp_path.iterdir()} == {"data"}


@pytest.mark.parametrize(
    ("spec", "words"),
    [("nothing.toml", "no such spec"), ("telemetry/dmeo", "demo")],
    ids=["a path", "a name"],
)
def test_a_corpus_that_does_not_exist(tmp_path: Path, spec: str, words: str) -> None:
    said = benchwright("build", spec, "--out", "set", cwd=tmp_path)
    refused_fully(said, spec.removeprefix("telemetry/"), words)
    assert said.out == "" and list(tmp_path.iterdir()) == []


def test_a_folder_of_others_and_another_set_stay_as_they_are(small: Built, tmp_path: Path) -> None:
    corpus = house(tmp_path / "data", {("A.t", 1704067200000): "19.9"})
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("ten years of work")
    shutil.copytree(small.path, tmp_path / "other")
    before = tree(tmp_path)
    for name in ("mine", "other"):
        said = benchwright("build", corpus.where, "--out", name, cwd=tmp_path)
        refused_fully(said, "output folder exists and holds something else", name)
        assert tree(tmp_path) == before
    assert {p.name for p in tmp_path.iterdir()} == {"data", "mine", "other"}


def test_the_same_line_again_replaces_a_set_by_itself(small: Built, tmp_path: Path) -> None:
    corpus = house(tmp_path / "data")
    shutil.copytree(small.path, tmp_path / "set")
    assert benchwright("build", corpus.where, "--out", tmp_path / "set").code == 0
    assert Built(tmp_path / "set").identity == small.identity


def test_a_selection_that_differs_is_one_line_and_leaves_nothing(
    small: Built, tmp_path: Path
) -> None:
    corpus = house(tmp_path / "data")
    lines = small.shared("selection.txt").splitlines(keepends=True)
    Path(corpus.where).with_suffix(".selection.txt").write_text("".join(lines[:-1]))
    said = benchwright("build", corpus.where, "--out", tmp_path / "set")
    refused_fully(said, "identity is not in the frozen selection", "corpus.toml: selection")
    assert {p.name for p in tmp_path.iterdir()} == {"data"}


def test_rules_of_others_are_not_taken_for_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_text('suite = "telemetry"\nname = "x"\n')
    said = benchwright("build", "spec.toml", "--out", "set", cwd=tmp_path)
    refused_fully(said, "spec.toml")
    assert {p.name for p in tmp_path.iterdir()} == {"spec.toml"}
