"""What no digest covers has no place in a set; what a set says of itself is made again too."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from benchwright.cli.check import check_set
from tests.quality.planting import Plant, change_toml, planted, tasks_of

TOLD = '{"answers": "in plain sight"}'


def first(copy: Path) -> Path:
    return tasks_of(copy)[0]


def edit(copy: Path, change: Any) -> None:
    change_toml(copy / "taskset.toml", change)


def file_at_the_top(copy: Path) -> None:
    (copy / "answers.json").write_text(TOLD)


def file_between_the_tasks(copy: Path) -> None:
    (copy / "tasks" / "answers.json").write_text(TOLD)


def folder_between_the_tasks(copy: Path) -> None:
    (copy / "tasks" / "shared").mkdir()
    (copy / "tasks" / "shared" / "answers.json").write_text(TOLD)


def file_beside_the_instruction(copy: Path) -> None:
    (first(copy) / "answers.json").write_text(TOLD)


def empty_folder_among_the_samples(copy: Path) -> None:
    (first(copy) / "files" / "test_samples" / "mass").mkdir()


def pipe_among_the_samples(copy: Path) -> None:
    os.mkfifo(first(copy) / "files" / "mass")


def key_in_the_list_of_tasks(copy: Path) -> None:
    edit(copy, lambda data: data.update(answers="in plain sight"))


def comment_in_the_list_of_tasks(copy: Path) -> None:
    with (copy / "taskset.toml").open("a") as file:
        file.write("# answers: in plain sight\n")


def comment_in_a_task(copy: Path) -> None:
    with (first(copy) / "task.toml").open("a") as file:
        file.write("# answers: in plain sight\n")


def name_of_another_task(copy: Path) -> None:
    change_toml(first(copy) / "task.toml", lambda data: data.update(id="mass"))


def file_beside_the_held_series(copy: Path) -> None:
    (copy / "held" / "shared" / "notes.txt").write_text(TOLD)


def loses_the_manifest(copy: Path) -> None:
    (copy / "held" / "shared" / "manifest.json").unlink()


def loses_the_sample_table(copy: Path) -> None:
    (copy / "held" / "shared" / "samples.parquet").unlink()


def appends_to_the_sample_table(copy: Path) -> None:
    with (copy / "held" / "shared" / "samples.parquet").open("ab") as file:
        file.write(b"\n")


SHARED: tuple[tuple[Plant, str], ...] = (
    (loses_the_manifest, "manifest.json"),
    (loses_the_sample_table, "samples.parquet"),
    (appends_to_the_sample_table, "samples.parquet"),
)
STRANGE: tuple[tuple[Plant, str], ...] = (
    (file_at_the_top, "answers.json"),
    (file_between_the_tasks, "tasks/answers.json"),
    (folder_between_the_tasks, "tasks/shared"),
    (file_beside_the_instruction, "/answers.json"),
    (empty_folder_among_the_samples, "files/test_samples/mass"),
    (pipe_among_the_samples, "files/mass"),
    (key_in_the_list_of_tasks, "taskset.toml"),
    (comment_in_the_list_of_tasks, "taskset.toml"),
    (comment_in_a_task, "task.toml"),
    (name_of_another_task, "task.toml"),
    (file_beside_the_held_series, "held/shared/notes.txt"),
)


@pytest.mark.parametrize(("plant", "place"), STRANGE + SHARED)
def test_structure_names_what_has_no_place_and_what_changed(
    sound: Path, tmp_path: Path, plant: Plant, place: str
) -> None:
    copy = planted(sound, tmp_path / "set", plant, right=False)
    found = check_set(copy, "structure", "bwrap").problems
    assert [problem.where for problem in found if problem.where.endswith(place)], found


@pytest.mark.parametrize(("plant", "place"), SHARED)
def test_rebuild_reads_the_shared_files_and_not_only_their_digests(
    sound: Path, tmp_path: Path, plant: Plant, place: str
) -> None:
    copy = planted(sound, tmp_path / "set", plant, right=False)
    found = check_set(copy, "rebuild", "bwrap").problems
    assert any(place in problem.where + problem.problem for problem in found), found


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda data: data["marks"].update(public=False), "marks differ: public"),
        (lambda data: data["marks"].update(dynamics="released"), "marks differ: dynamics"),
        (lambda data: data["spec"].update(noise=["high"]), "spec differ: noise"),
        (lambda data: data["spec"].update(audit=True), "spec differ: audit"),
    ],
)
def test_rebuild_compares_what_a_set_says_of_itself(
    sound: Path, tmp_path: Path, change: Any, named: str
) -> None:
    copy = planted(sound, tmp_path / "set", lambda c: edit(c, change), right=True)
    found = check_set(copy, "rebuild", "bwrap").problems
    assert [problem.problem for problem in found] == [named]
