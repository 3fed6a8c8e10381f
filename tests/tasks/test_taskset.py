"""The two halves of a task set on disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from benchwright.errors import FormatError, SpecError, TaskSetError
from benchwright.tasks.model import Submission, TaskLimits
from benchwright.tasks.taskset import HeldSet, TaskSet
from benchwright.tasks.writer import CANARY, NewTask, SetWriter, refuse_taken


def new_task(slug: str = "ball", truth: str = "mass") -> NewTask:
    return NewTask(
        slug=slug,
        cluster="ball-0",
        axes={"noise": "low"},
        instruction=f"Answer in results.json for {slug}.",
        files={"test_samples/a.parquet": b"data"},
        submission=Submission("direct", "results.json", ("mass", "none"), ("a.parquet",)),
        limits=TaskLimits(),
        gold={"format": "test-gold/1", "truth": {"a.parquet": truth}},
    )


def written(out: Path, *tasks: NewTask) -> TaskSet:
    writer = SetWriter(out, suite="test", spec={"seeds": [0], "note": None}, marks={"public": True})
    for task in tasks or (new_task(),):
        writer.add(task)
    writer.share("series.bin", CANARY.encode() + b"series")
    return writer.close(build={"seed": "s", "salt": "t"})


def test_a_task_says_nothing_of_its_gold(tmp_path: Path) -> None:
    tasks = written(tmp_path / "set")
    task = tasks.tasks[0]
    held = HeldSet.open(tasks.path)
    assert "held" not in str(task.files)
    assert held.gold(task.id).digest not in repr(task)
    assert str(tmp_path) not in repr(held.gold(task.id))


def test_ids_and_digest_do_not_depend_on_order_or_gold(tmp_path: Path) -> None:
    one = written(tmp_path / "one", new_task("ball"), new_task("slide"))
    two = written(tmp_path / "two", new_task("slide", truth="none"), new_task("ball"))
    assert one.digest == two.digest
    assert [t.id for t in one.tasks] == [t.id for t in two.tasks]


def test_what_several_tasks_hold_is_on_disk_once_and_in_one_half_only(tmp_path: Path) -> None:
    tasks = written(tmp_path / "set", new_task("ball"), new_task("slide"))
    files = [path for path in tasks.path.rglob("*") if path.is_file()]
    ball, slide = (task.files / "test_samples" / "a.parquet" for task in tasks.tasks)
    assert ball.samefile(slide) and ball.read_bytes() == b"data"
    assert not ball.is_symlink()
    halves = [{p.stat().st_ino for p in files if half in p.parts} for half in ("tasks", "held")]
    assert not halves[0] & halves[1]


def test_a_copy_that_shares_no_file_is_the_same_set(tmp_path: Path) -> None:
    tasks = written(tmp_path / "set", new_task("ball"), new_task("slide"))
    copy = TaskSet.open(shutil.copytree(tasks.path, tmp_path / "copy"))
    ball, slide = (task.files / "test_samples" / "a.parquet" for task in copy.tasks)
    assert not ball.samefile(slide)
    assert copy.digest == tasks.digest
    assert [t.digest for t in copy.tasks] == [t.digest for t in tasks.tasks]


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o755), (0o077, 0o700)])
def test_the_held_half_is_its_owners_and_the_umask_holds_for_the_rest(
    tmp_path: Path, mask: int, mode: int
) -> None:
    before = os.umask(mask)
    try:
        tasks = written(tmp_path / "set")
    finally:
        os.umask(before)
    modes = {p: (tasks.path / p).stat().st_mode & 0o777 for p in (".", "tasks", "held")}
    assert modes == {".": mode, "tasks": mode, "held": 0o700}


def test_equal_tasks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TaskSetError, match="two tasks are equal"):
        written(tmp_path / "set", new_task(), new_task())


def test_an_unclosed_writer_leaves_no_set(tmp_path: Path) -> None:
    SetWriter(tmp_path / "set", suite="test", spec={}, marks={}).add(new_task())
    assert not (tmp_path / "set").exists()


def test_the_same_set_may_be_written_again_and_another_may_not(tmp_path: Path) -> None:
    first = written(tmp_path / "set")
    assert written(tmp_path / "set").digest == first.digest
    with pytest.raises(TaskSetError, match="holds something else"):
        written(tmp_path / "set", new_task("other"))
    assert TaskSet.open(tmp_path / "set").digest == first.digest


@pytest.mark.parametrize("place", ["tasks/run/run.toml", "held/shared/notes.txt", "notes.txt"])
def test_what_a_set_does_not_list_is_never_deleted(tmp_path: Path, place: str) -> None:
    tasks = written(tmp_path / "set")
    file = tasks.path / place
    file.parent.mkdir(exist_ok=True)
    file.write_text("a week of work")
    with pytest.raises(TaskSetError, match=f"something else: '{place.rpartition('/run.toml')[0]}"):
        written(tmp_path / "set")
    assert file.read_text() == "a week of work"
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_what_closing_would_refuse_is_refused_before(tmp_path: Path) -> None:
    written(tmp_path / "set")
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    said = {"suite": "test", "spec": {"seeds": [0], "note": None}, "marks": {"public": True}}
    for name in ("set", "empty", "absent"):
        refuse_taken(tmp_path / name, **said)
    others = {"suite": "other"}, {"spec": {"seeds": [1]}}, {"marks": {"public": False}}
    for place, more in [("file", {}), *(("set", other) for other in others)]:
        with pytest.raises(TaskSetError, match="holds something else"):
            refuse_taken(tmp_path / place, **{**said, **more})
    assert written(tmp_path / "empty").digest == TaskSet.open(tmp_path / "set").digest


@pytest.mark.parametrize("name", ["instruction.md", "files/test_samples/a.parquet", "task.toml"])
def test_an_edited_task_is_refused(tmp_path: Path, name: str) -> None:
    tasks = written(tmp_path / "set")
    file = tasks.path / "tasks" / next(iter(tasks.task_digests)) / name
    text = file.read_text()
    file.write_text(text.replace("low", "high") if name == "task.toml" else text + "x")
    with pytest.raises(TaskSetError, match="differs from the digest"):
        _ = TaskSet.open(tasks.path).tasks


def test_an_edited_gold_or_held_file_is_refused(tmp_path: Path) -> None:
    tasks = written(tmp_path / "set")
    held = HeldSet.open(tasks.path)
    (task_id,) = tasks.task_digests
    (held.path / task_id / "gold.json").write_text("{}")
    (held.path / "shared" / "series.bin").write_bytes(b"other")
    with pytest.raises(TaskSetError, match="gold is missing or was changed"):
        held.gold(task_id)
    with pytest.raises(TaskSetError, match="held file is missing or was changed"):
        held.shared("series.bin")


def test_a_published_half_has_no_gold(tmp_path: Path) -> None:
    import shutil

    tasks = written(tmp_path / "set")
    shutil.rmtree(tasks.path / "held")
    assert TaskSet.open(tasks.path).tasks
    with pytest.raises(TaskSetError, match="no held half"):
        HeldSet.open(tasks.path)


def test_a_newer_set_is_refused_by_its_number(tmp_path: Path) -> None:
    tasks = written(tmp_path / "set")
    file = tasks.path / "taskset.toml"
    file.write_text(file.read_text().replace("taskset/1", "taskset/2"))
    with pytest.raises(FormatError, match="newer benchwright"):
        TaskSet.open(tasks.path)


def test_held_files_need_the_canary(tmp_path: Path) -> None:
    writer = SetWriter(tmp_path / "set", suite="test", spec={}, marks={})
    with pytest.raises(TaskSetError, match="no canary"):
        writer.share("bare.bin", b"nothing")


def test_a_held_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    writer = SetWriter(tmp_path / "set", suite="test", spec={}, marks={})
    data = CANARY.encode() + b"series"
    assert writer.share("series.bin", data) == writer.share("series.bin", data)
    with pytest.raises(TaskSetError, match=r"two held files have one name: 'series\.bin'"):
        writer.share("series.bin", data + b" of another level")


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../x", ""])
def test_task_names_cannot_leave_the_set(tmp_path: Path, name: str) -> None:
    tasks = written(tmp_path / "set")
    with pytest.raises((TaskSetError, SpecError)):
        tasks.task(name)
