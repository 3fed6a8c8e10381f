"""A run folder that was touched: verifying says so, and what is newer or other is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.cli import exit_code
from benchwright.suites.specs import build_set
from tests.cli.commands import benchwright, refused_fully, tree
from tests.quality.conftest import SPEC
from tests.quality.planting import (
    change_gold,
    change_toml,
    golds_of,
    make_digests_right,
    rewrite_samples,
    tasks_of,
)

Change = Callable[[Path], None]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a set and a finished run of three agents on it."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "spec.toml").write_text(SPEC)
    build_set(str(folder / "spec.toml"), folder / "set", "serial")
    said = benchwright(*RUN, cwd=folder)
    assert said.code == 0, said
    return folder


RUN = [
    "run",
    "set",
    "--agent",
    "constant",
    "--agent",
    "oracle",
    "--agent",
    "forger",
    "--out",
    "run",
]


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Path:
    shutil.copytree(finished, tmp_path / "copy")
    place = str(tmp_path / "copy" / "set")
    change_toml(
        tmp_path / "copy" / "run" / "run.toml", lambda run: run["taskset"].update(path=place)
    )
    return tmp_path / "copy"


def episode(folder: Path, agent: str) -> Path:
    found = [path for path in (folder / "run" / "episodes").iterdir() if f"-{agent}-" in path.name]
    assert len(found) == 1
    return found[0]


def change_json(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    content = json.loads(file.read_text())
    change(content)
    file.write_text(json.dumps(content))


LOOKS = (["score", "run", "--verify"], ["show", "run"], ["report", "run", "--out", "page"], RUN)


def takes_the_answers_of_the_oracle(folder: Path) -> None:
    source = episode(folder, "oracle") / "artifacts" / "results.json"
    shutil.copy(source, episode(folder, "constant") / "artifacts" / "results.json")


def loses_an_artifact(folder: Path) -> None:
    (episode(folder, "constant") / "artifacts" / "results.json").unlink()


def gains_an_artifact(folder: Path) -> None:
    (episode(folder, "constant") / "artifacts" / "extra.txt").write_text("x")


def turns_an_artifact_into_a_link(folder: Path) -> None:
    file = episode(folder, "constant") / "artifacts" / "results.json"
    file.unlink()
    file.symlink_to(episode(folder, "oracle") / "artifacts" / "results.json")


def raises_a_score(folder: Path) -> None:
    file = episode(folder, "constant") / "scores" / "tracebench-1.json"
    change_json(file, lambda sheet: sheet["scores"][0].update(value=1.0))


def hides_that_an_answer_was_invalid(folder: Path) -> None:
    file = episode(folder, "forger") / "scores" / "tracebench-1.json"
    change_json(file, lambda sheet: sheet["scores"][0].update(status="scored", value=1))


def damages_a_sheet(folder: Path) -> None:
    (episode(folder, "constant") / "scores" / "tracebench-1.json").write_text("{")


def loses_every_sheet(folder: Path) -> None:
    for file in (folder / "run" / "episodes").glob("*/scores/*.json"):
        file.unlink()


def says_that_nothing_was_collected(folder: Path) -> None:
    change_json(episode(folder, "constant") / "collected.json", lambda data: data.update(files={}))


TOUCHED = (
    takes_the_answers_of_the_oracle,
    loses_an_artifact,
    gains_an_artifact,
    turns_an_artifact_into_a_link,
    raises_a_score,
    hides_that_an_answer_was_invalid,
    damages_a_sheet,
    says_that_nothing_was_collected,
)


def test_an_untouched_run_verifies(copied: Path) -> None:
    before = tree(copied / "run" / "episodes")
    said = benchwright("score", "run", "--verify", cwd=copied)
    assert said.code == 0, said
    assert tree(copied / "run" / "episodes") == before


@pytest.mark.parametrize("change", TOUCHED, ids=[change.__name__ for change in TOUCHED])
def test_a_touched_run_does_not_verify(copied: Path, change: Change) -> None:
    change(copied)
    before = tree(copied / "run" / "episodes")
    said = benchwright("score", "run", "--verify", cwd=copied)
    assert said.code in (1, 2), said
    assert "Traceback" not in said.everything
    assert any(agent in said.everything for agent in ("-constant-", "-forger-")), said
    assert tree(copied / "run" / "episodes") == before


DIFFERING: dict[Change, tuple[str, ...]] = {
    takes_the_answers_of_the_oracle: ("-constant-",),
    raises_a_score: ("-constant-",),
    hides_that_an_answer_was_invalid: ("-forger-",),
    damages_a_sheet: ("-constant-",),
    loses_every_sheet: ("-constant-", "-forger-", "-oracle-"),
}


@pytest.mark.parametrize("change", DIFFERING, ids=[change.__name__ for change in DIFFERING])
def test_verifying_lists_everything_that_differs_and_says_no(
    copied: Path, change: Change, capsys: pytest.CaptureFixture[str]
) -> None:
    change(copied)
    assert exit_code(["score", str(copied / "run"), "--verify", "--json"]) == 1
    differing = json.loads(capsys.readouterr().out)["differing"]
    assert len(differing) == len(DIFFERING[change])
    for agent, line in zip(DIFFERING[change], sorted(differing), strict=True):
        assert agent in line


@pytest.mark.parametrize("look", LOOKS, ids=["score", "show", "report", "run"])
def test_a_run_of_another_scorer_is_refused(copied: Path, look: list[str]) -> None:
    change_toml(copied / "run" / "run.toml", lambda run: run.update(scorer="tracebench/2"))
    refused_fully(benchwright(*look, cwd=copied), "another scorer", "tracebench/2")


def test_what_an_agent_wrote_beside_its_answer_counts_for_nothing(finished: Path) -> None:
    folder = episode(finished, "forger")
    assert (folder / "artifacts" / "episode.json").exists(), "the forger must have forged"
    sheet = json.loads((folder / "scores" / "tracebench-1.json").read_text())
    assert {score["value"] for score in sheet["scores"]} == {0}
    assert json.loads((folder / "episode.json").read_text())["agent"]["name"] == "forger"


NEWER = {
    "run.toml": ("run.toml", "benchwright.run-record/1", "benchwright.run-record/2"),
    "plan.jsonl": ("plan.jsonl", "benchwright.plan/1", "benchwright.plan/9"),
    "a closing record": ("episodes/*-oracle-*/episode.json", "episode/1", "episode/2"),
    "a sheet": ("episodes/*-oracle-*/scores/*.json", "score-sheet/1", "score-sheet/7"),
}


@pytest.mark.parametrize("look", LOOKS, ids=["score", "show", "report", "run"])
@pytest.mark.parametrize(("name", "old", "new"), NEWER.values(), ids=NEWER)
def test_a_run_of_a_newer_version_is_refused_in_one_line(
    copied: Path, look: list[str], name: str, old: str, new: str
) -> None:
    if "episode.json" in name and "show" in look:
        pytest.skip("a table is made from the rows alone")
    for file in (copied / "run").glob(name):
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))
    before = tree(copied / "run" / "episodes")
    said = benchwright(*look, cwd=copied)
    refused_fully(said, new.rpartition(".")[2])
    assert tree(copied / "run" / "episodes") == before
    assert not (copied / "page").exists()


@pytest.mark.parametrize("look", [["score", "run"], RUN], ids=["score", "run"])
def test_a_set_that_differs_from_the_plan_is_refused(copied: Path, look: list[str]) -> None:
    task = tasks_of(copied / "set")[0]
    (task / "instruction.md").write_text("Answer anything.")
    make_digests_right(copied / "set")
    before = tree(copied / "run")
    refused_fully(benchwright(*look, cwd=copied))
    assert tree(copied / "run") == before


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of one agent that left a rule."""
    folder = tmp_path_factory.mktemp("ruled")
    spec = SPEC.replace("direct", "programmatic") + "heldout = 1\n"
    (folder / "spec.toml").write_text(spec)
    build_set(str(folder / "spec.toml"), folder / "set", "serial")
    said = benchwright("run", "set", "--agent", "constant", "--out", "run", cwd=folder)
    assert said.code == 0, said
    return folder


@pytest.mark.parametrize("sheet", ["kept", "removed"])
def test_answers_of_a_rule_that_were_changed_after_closing_are_noticed(
    ruled: Path, tmp_path: Path, sheet: str
) -> None:
    shutil.copytree(ruled, tmp_path / "copy")
    folder = episode(tmp_path / "copy", "constant")
    label = "gravity acceleration"
    text = (folder / "answers.json").read_text()
    first = json.loads((folder / "scores" / "tracebench-1.json").read_text())["checks"][0]["got"][0]
    assert first in text and first != label
    (folder / "answers.json").write_text(text.replace(first, label))
    if sheet == "removed":
        (folder / "scores" / "tracebench-1.json").unlink()
    said = benchwright("score", "run", "--verify", "--tasks", "set", cwd=tmp_path / "copy")
    assert said.code in (1, 2), said
    assert "-constant-" in said.everything
    if sheet == "removed":
        again = benchwright("score", "run", "--tasks", "set", cwd=tmp_path / "copy")
        assert again.code == 2, "scores were made from answers that no rule gave"


def test_a_rule_runs_again_to_the_same_answers(ruled: Path) -> None:
    said = benchwright("score", "run", "--rerun", cwd=ruled)
    assert said.code == 0, said


@pytest.mark.parametrize("verify", [True, False])
def test_a_gold_that_was_changed_after_the_run_is_noticed(copied: Path, verify: bool) -> None:
    rewrite_samples(
        golds_of(copied / "set")[0],
        lambda truth: truth.update(dict.fromkeys(truth, "gravity acceleration")),
    )
    options = ["--verify"] if verify else []
    if not verify:
        (episode(copied, "constant") / "scores" / "tracebench-1.json").unlink()
    refused_fully(benchwright("score", "run", *options, cwd=copied), "gold")


def test_a_gold_that_was_changed_with_its_digests_changes_scores_and_is_noticed(
    copied: Path,
) -> None:
    change_gold(golds_of(copied / "set")[0], lambda gold: gold.update(truth=same(gold["truth"])))
    make_digests_right(copied / "set")
    said = benchwright("score", "run", "--verify", cwd=copied)
    assert said.code in (1, 2), said
    assert "Traceback" not in said.everything


def same(truth: dict[str, str]) -> dict[str, str]:
    return dict.fromkeys(truth, "gravity acceleration")


def test_an_episode_without_closing_record_is_owed_and_runs_again_alone(copied: Path) -> None:
    lost = episode(copied, "constant")
    kept = {name: data for name, data in tree(copied / "run" / "episodes").items()}
    (lost / "episode.json").unlink()
    shown = benchwright("show", "run", "--json", cwd=copied)
    assert shown.code == 0, shown
    again = benchwright(*RUN, "--json", cwd=copied)
    assert again.code == 0, again
    assert (json.loads(again.out)["ran"], json.loads(again.out)["resumed"]) == (1, 2)
    after = tree(copied / "run" / "episodes")
    others = [name for name in kept if not name.startswith(lost.name)]
    assert others
    assert {name: after[name] for name in others} == {name: kept[name] for name in others}


def test_a_run_for_other_agents_is_refused(copied: Path) -> None:
    said = benchwright("run", "set", "--agent", "noop", "--out", "run", cwd=copied)
    refused_fully(said, "plan.jsonl")


def test_a_folder_that_is_no_run_is_not_written_into(finished: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x")
    said = benchwright("run", finished / "set", "--agent", "noop", "--out", tmp_path / "mine")
    refused_fully(said)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "x"
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == ["thesis.txt"]


@pytest.mark.parametrize("agent", ["nobody", "Oracle", ""])
def test_an_unknown_agent_is_refused_before_anything_starts(
    finished: Path, tmp_path: Path, agent: str
) -> None:
    said = benchwright("run", finished / "set", "--agent", agent, "--out", tmp_path / "run")
    refused_fully(said)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "options",
    [
        ["--sandbox", "local"],
        ["--sandbox", "docker"],
        ["--agent", "react"],
    ],
)
def test_options_that_cannot_be_met_are_refused(
    finished: Path, tmp_path: Path, options: list[str]
) -> None:
    line = ["run", finished / "set", "--out", tmp_path / "run", "--agent", "noop", *options]
    refused_fully(benchwright(*line))
    assert list(tmp_path.iterdir()) == []
