"""Opening a task set: the half that agents are given, and the half that only verifiers open.

<set>/taskset.toml       suite, public spec, marks, digests of tasks; no seeds, no answers
<set>/tasks/<task-id>/   task.toml, instruction.md, files/
<set>/held/<task-id>/    gold.json and what the verifier needs
<set>/store/             read-only data that operations answer from (telemetry)
<set>/held/shared/       sample table, held-out series, digests.toml, build.toml (seeds, salt)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from benchwright.canonical import digest, digest_file, digest_tree
from benchwright.errors import TaskSetError
from benchwright.storage import read_text, read_toml, safe_join
from benchwright.storage.records import Digest, Name, Text, record, without_repeats
from benchwright.tasks.model import Gold, Submission, Task, TaskLimits

SET_FORMAT = "benchwright.taskset/1"
TASK_FORMAT = "benchwright.task/1"
BUILD_FORMAT = "benchwright.build-record/1"
DIGESTS_FORMAT = "benchwright.held-digests/1"


@dataclass(frozen=True, slots=True)
class Build:
    """What a set was drawn with; whoever knows it knows the answers."""

    seed: Text = field(repr=False)
    salt: Text = field(repr=False)


@dataclass(frozen=True, slots=True)
class HeldDigests:
    """Digests of what is held, as written at the build."""

    golds: Mapping[str, Digest]
    """By task id."""
    shared: Mapping[str, Digest]
    """By file name."""


@dataclass(frozen=True)
class TaskSet:
    """The public half. `digest` is the set's identity: suite, spec, marks and task digests."""

    path: Path
    suite: str
    digest: str
    spec: Mapping[str, Any]
    marks: Mapping[str, Any]
    """What every table about this set must say, e.g. `dynamics` and `public`."""
    task_digests: Mapping[str, str]

    @classmethod
    def open(cls, path: Path) -> TaskSet:
        """Read `taskset.toml`; a folder that is not a task set is one clear error."""
        file = path / "taskset.toml"
        if not file.is_file():
            raise TaskSetError(
                "not a task set",
                value=str(path),
                where=file,
                hint="Make one with: benchwright build tracebench/demo --out FOLDER",
            )
        stated = record(_SetFile, read_toml(file, form=SET_FORMAT), file)
        record(_CommonMarks, stated.marks, f"{file}: marks")
        found = set_digest(stated.suite, stated.spec, stated.marks, stated.tasks)
        if found != stated.digest:
            raise TaskSetError(
                "taskset.toml was edited",
                value=found,
                where=file,
                hint="Build the set again, or restore the file.",
            )
        return cls(path, stated.suite, found, stated.spec, stated.marks, stated.tasks)

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """All tasks, sorted by id; each is checked against the digest that the set states."""
        return tuple(self.task(task_id) for task_id in sorted(self.task_digests))

    def task(self, task_id: str) -> Task:
        """One task; refuses an unknown id and content that differs from its digest."""
        expected = self.task_digests.get(task_id)
        folder = safe_join(self.path / "tasks", task_id)
        if expected is None:
            raise TaskSetError(
                "no such task",
                value=task_id,
                where=self.path,
                hint="List them with: benchwright check FOLDER --only structure",
            )
        task = _read_task(folder, task_id)
        if task.digest != expected:
            raise TaskSetError(
                "task differs from the digest in taskset.toml",
                value=task.digest,
                where=folder,
                hint="Build the set again; tasks are never edited in place.",
            )
        return task


@dataclass(frozen=True)
class HeldSet:
    """The held half; opened by scoring, checks and privileged agents, never by a workspace."""

    path: Path = field(repr=False)

    @classmethod
    def open(cls, path: Path) -> HeldSet:
        """The held half of the set at `path`; a published set has none."""
        if not (path / "held" / "shared" / "digests.toml").is_file():
            raise TaskSetError(
                "this copy of the task set has no held half",
                value=str(path),
                where=path / "held",
                hint="Score where the set was built, or build it again from its spec.",
            )
        return cls(path / "held")

    @cached_property
    def build(self) -> Build:
        """Seed and salt of the set."""
        file = self.path / "shared" / "build.toml"
        return record(Build, read_toml(file, form=BUILD_FORMAT), file)

    @cached_property
    def digests(self) -> HeldDigests:
        """What every gold and every shared file must be."""
        file = self.path / "shared" / "digests.toml"
        return record(HeldDigests, read_toml(file, form=DIGESTS_FORMAT), file)

    def gold(self, task_id: str) -> Gold:
        """The gold of one task, verified against the digest written at the build."""
        folder = safe_join(self.path, task_id)
        expected = self.digests.golds.get(task_id)
        found = digest_tree(folder) if folder.is_dir() else None
        if found is None or found != expected:
            raise TaskSetError(
                "gold is missing or was changed",
                value=found,
                where=f"held/{task_id}",
                hint="Build the set again; golds are never edited in place.",
            )
        return Gold(task_id, found, folder)

    def shared(self, name: str) -> Path:
        """A file that golds refer to, verified against the digest written at the build."""
        path = safe_join(self.path / "shared", name)
        if not path.is_file() or digest_file(path) != self.digests.shared.get(name):
            raise TaskSetError(
                "held file is missing or was changed",
                value=name,
                where="held/shared",
                hint="Build the set again from its spec.",
            )
        return path

    def verify(
        self, task_ids: Iterable[str], readable: Callable[[Gold], None] | None = None
    ) -> None:
        """Read the golds of these tasks, as their suite reads them too, and every shared file.

        Raises:
            TaskSetError: one of them is missing, or is not what was written at the build, or cannot
                be used.
        """
        for task_id in sorted(task_ids):
            gold = self.gold(task_id)
            if readable is not None:
                readable(gold)
        for name in self.digests.shared:
            self.shared(name)


def refuse_inside_a_set(out: Path) -> None:
    """Nothing is written into the folders of a task set: building it again replaces them whole.

    Raises:
        TaskSetError: a folder above `out` is a task set.
    """
    for folder in out.resolve().parents:
        if (folder / "taskset.toml").is_file():
            raise TaskSetError(
                "output folder lies inside a task set",
                value=str(out),
                where=folder,
                hint="Choose a folder beside the set.",
            )


def set_digest(
    suite: str, spec: Mapping[str, Any], marks: Mapping[str, Any], tasks: Mapping[str, str]
) -> str:
    """Identity of a set; does not depend on the order of tasks."""
    return digest({"suite": suite, "spec": spec, "marks": marks, "tasks": tasks})


def task_identity(task: Mapping[str, Any], instruction: str, files: Mapping[str, str]) -> str:
    """Identity of a task from the content of task.toml, its instruction and its files' digests."""
    content = {k: v for k, v in task.items() if k not in ("format", "id")}
    return digest({"task": content, "instruction": instruction, "files": files})


def _read_task(folder: Path, task_id: str) -> Task:
    file = folder / "task.toml"
    data = read_toml(file, form=TASK_FORMAT)
    stated = record(_TaskFile, data, file)
    if bool(stated.submission.samples) == (stated.submission.mode == "dialogue"):
        raise TaskSetError(
            "a dialogue has no samples, and every other task has some",
            value=len(stated.submission.samples),
            where=f"{file}: submission.samples",
            hint="Build the set again.",
        )
    without_repeats(stated.submission.labels, "label", f"{file}: submission.labels")
    without_repeats(stated.submission.samples, "sample", f"{file}: submission.samples")
    instruction = read_text(folder / "instruction.md")
    files = folder / "files"
    digests = {
        p.relative_to(files).as_posix(): digest_file(p) for p in files.rglob("*") if p.is_file()
    }
    return Task(
        id=task_id,
        digest=task_identity(data, instruction, digests),
        suite=stated.suite,
        cluster=stated.cluster,
        axes=stated.axes,
        instruction=instruction,
        files=files,
        submission=stated.submission,
        limits=stated.limits,
    )


@dataclass(frozen=True, slots=True)
class _SetFile:
    suite: str
    digest: Digest
    spec: Mapping[str, Any]
    marks: Mapping[str, bool | int | float | str]
    tasks: Annotated[Mapping[Name, Digest], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class _CommonMarks:
    """Marks whose meaning every suite shares."""

    public: bool = False


@dataclass(frozen=True, slots=True)
class _TaskFile:
    suite: str
    cluster: str
    axes: Mapping[str, str]
    submission: Submission
    limits: TaskLimits
