"""Labels of a real run: what was planned, and findings whose pointers are followed into it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchwright.diagnosis.labels.file import write_labels
from benchwright.diagnosis.labels.model import Labels, Subject
from benchwright.episodes.folder import RunFolder
from tests.cli.commands import benchwright
from tests.diagnosis.tables.made import label


@pytest.fixture
def labelled(card_run: RunFolder, tmp_path: Path) -> Path:
    """The first closed episode, by two raters who spell one place in two ways."""
    closed = [p for p in card_run.plan if (card_run.folder(p.id) / "episode.json").is_file()]
    one = closed[0]
    files = sorted(p for p in (card_run.folder(one.id) / "artifacts").rglob("*") if p.is_file())
    name = files[0].relative_to(card_run.folder(one.id) / "artifacts").as_posix()
    for rater, at in (("Ada", "1"), ("Bo", "bytes 0-2")):
        own = (label("A.1", (f"artifact:{name}", at)), label("D.4", ("artifact:gone.md", "1")))
        about = Subject(one.id, one.task_id, one.agent.name, kind="direct")
        write_labels(tmp_path, Labels("arft-45", about, rater, "human", "valid", own))
    return tmp_path


def test_every_planned_episode_without_labels_is_missing(
    card_run: RunFolder, made_round: Path, labelled: Path
) -> None:
    for planned in (card_run.path, made_round):
        words = ("diagnose", "tables", labelled, "--rater", "Ada", "--planned", planned, "--json")
        told = json.loads(benchwright(*words).out)
        assert told["labelled"] == 1
        assert told["planned"] == len(told["missing"]) + 1 > 1
    plan = {planned.id for planned in card_run.plan}
    assert set(told["missing"]) < plan


def test_findings_are_matched_where_followed_pointers_overlap(
    card_run: RunFolder, labelled: Path
) -> None:
    words = ("diagnose", "agree", labelled, "--against", "Ada", "--level", "finding", "--json")
    (written,) = json.loads(benchwright(*words).out)["found"]
    (found,) = json.loads(benchwright(*words, "--run", card_run.path).out)["found"]
    assert (written["counts"]["right"], written["unfollowed"]) == (1, 4)
    assert (found["counts"]["right"], found["unfollowed"]) == (1, 0)
    assert (written["alike"]["pattern"], found["alike"]["pattern"]) == (1, 1)
    assert found["placeless"] == [1, 1]
