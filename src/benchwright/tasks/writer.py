"""`SetWriter`: writes both halves of a task set beside their target, then renames once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchwright.canonical import (
    Json,
    canonical_json,
    digest_bytes,
    digest_file,
    digest_tree,
    make_id,
    plain,
)
from benchwright.errors import TaskSetError
from benchwright.storage import (
    Partial,
    exchange,
    link_or_write,
    safe_join,
    without_absent,
    write_bytes,
    write_toml,
)
from benchwright.tasks.model import Submission, TaskLimits
from benchwright.tasks.taskset import (
    BUILD_FORMAT,
    DIGESTS_FORMAT,
    SET_FORMAT,
    TASK_FORMAT,
    TaskSet,
    set_digest,
    task_identity,
)

CANARY = "benchwright held data, never to be trained on: 7d0c0e57-3b1c-4c52-9a64-5d2f3f6e8a11"
"""Stands in every held file, so that a leaked copy can be found by its text."""


@dataclass(frozen=True, slots=True)
class NewTask:
    """Everything about one task before it has an id."""

    slug: str
    cluster: str
    axes: Mapping[str, str]
    instruction: str
    files: Mapping[str, bytes]
    """Relative path in the agent's working folder to content."""
    submission: Submission
    limits: TaskLimits
    gold: Mapping[str, Json]
    """Content of gold.json without canary; must carry its own `format`."""
    origins: Mapping[str, str] = field(default_factory=dict)
    """Relative path to a text that says of what a file was computed. It stands in the id for the
    bytes, which may differ by a rounding from machine to machine; the digest is of the bytes."""


def refuse_taken(
    out: Path, *, suite: str, spec: Mapping[str, Any], marks: Mapping[str, Any]
) -> None:
    """Refuse before any work what `SetWriter.close` would refuse after it.

    A set of the same suite, spec and marks may stand there; whether it is the same one, only its
    digest tells.

    Raises:
        TaskSetError: `out` is a file, or holds something else.
    """
    names = names_in(out)
    if not names:
        return
    if "taskset.toml" not in names:
        raise _taken(out)
    standing = TaskSet.open(out)
    told = (suite, without_absent(spec), without_absent(marks))
    if plain((standing.suite, standing.spec, standing.marks)) != plain(told):
        raise _taken(out)


def names_in(out: Path) -> set[str]:
    """What a folder holds; nothing where there is none, and itself where it is a file."""
    if not out.exists():
        return set()
    return {p.name for p in out.iterdir()} if out.is_dir() else {f"{out.name} itself"}


def _taken(found: object) -> TaskSetError:
    return TaskSetError(
        "output folder exists and holds something else",
        value=str(found),
        where="--out",
        hint="Choose another folder, or remove this one first.",
    )


class SetWriter:
    """Collects tasks beside `out` and moves them there when closed; a crash leaves no set."""

    def __init__(
        self, out: Path, *, suite: str, spec: Mapping[str, Any], marks: Mapping[str, Any]
    ) -> None:
        self.out = out
        self.suite = suite
        self.spec = without_absent(spec)
        self.marks = without_absent(marks)
        self._tasks: dict[str, str] = {}
        self._public: dict[str, Path] = {}
        self._own = Partial(out)
        self._partial = self._own.path
        (self._partial / "tasks").mkdir()
        self._partial.chmod((self._partial / "tasks").stat().st_mode)  # by the umask
        (self._partial / "held").mkdir(mode=0o700)
        (self._partial / "held" / "shared").mkdir()

    def add(self, task: NewTask) -> str:
        """Write one task and its gold; returns the id. Equal content twice is an error."""
        content = plain(
            {
                "suite": self.suite,
                "cluster": task.cluster,
                "axes": task.axes,
                "submission": task.submission,
                "limits": task.limits,
            }
        )
        assert isinstance(content, dict)
        names = {name: digest_bytes(data) for name, data in task.files.items()}
        full = task_identity(content, task.instruction, names)
        origin = task_identity(content, task.instruction, {**names, **task.origins})
        task_id = make_id(task.slug, origin)
        if task_id in self._tasks:
            raise TaskSetError(
                "two tasks are equal",
                value=task_id,
                where=self.out,
                hint="Remove the repeated condition or seed from the spec.",
            )
        folder = self._partial / "tasks" / task_id
        write_toml(folder / "task.toml", {"format": TASK_FORMAT, "id": task_id, **content})
        write_bytes(folder / "instruction.md", task.instruction.encode())
        for name, data in task.files.items():
            self._put(safe_join(folder / "files", name), names[name], data)
        self._write_gold(task_id, task.gold)
        self._tasks[task_id] = full
        return task_id

    def share(self, name: str, data: bytes) -> str:
        """Write a held file that several golds refer to by digest; returns the digest.

        Raises:
            TaskSetError: it carries no canary, or another file has that name already.
        """
        if CANARY.encode() not in data:
            raise TaskSetError(
                "held file carries no canary",
                value=name,
                where="held/shared",
                hint="Put benchwright.tasks.writer.CANARY into the file's text or metadata.",
            )
        path = safe_join(self._partial / "held" / "shared", name)
        if path.exists() and digest_file(path) != digest_bytes(data):
            raise TaskSetError(
                "two held files have one name",
                value=name,
                where="held/shared",
                hint="Name each file by all that it depends on.",
            )
        write_bytes(path, data)
        return digest_bytes(data)

    def place(self, name: str) -> Path:
        """Where a folder of the set that is neither half may be written, such as its store."""
        return self._partial / name

    def close(self, *, build: Mapping[str, Any]) -> TaskSet:
        """Write digests and build record, then put the set in place and open it.

        An existing set with the same identity is replaced; any other existing path is refused, and
        so is a set whose folder holds what does not belong to it.
        """
        held = self._partial / "held"
        shared = {p.name: digest_file(p) for p in (held / "shared").iterdir()}
        golds = {task_id: digest_tree(held / task_id) for task_id in self._tasks}
        write_toml(
            held / "shared" / "digests.toml",
            {"format": DIGESTS_FORMAT, "canary": CANARY, "golds": golds, "shared": shared},
        )
        write_toml(
            held / "shared" / "build.toml", {"format": BUILD_FORMAT, "canary": CANARY, **build}
        )
        whole = set_digest(self.suite, self.spec, self.marks, self._tasks)
        write_toml(
            self._partial / "taskset.toml",
            {
                "format": SET_FORMAT,
                "suite": self.suite,
                "digest": whole,
                "marks": self.marks,
                "spec": self.spec,
                "tasks": dict(sorted(self._tasks.items())),
            },
        )
        self._replace(whole)
        return TaskSet.open(self.out)

    def _put(self, path: Path, digest: str, data: bytes) -> None:
        """A public file; what several tasks hold is on disk once, under the names of all of them.

        Nothing in `held/` is ever linked: the halves share no file.
        """
        first = self._public.setdefault(digest, path)
        if first == path:
            write_bytes(path, data)
        else:
            link_or_write(first, path, data)

    def _write_gold(self, task_id: str, gold: Mapping[str, Json]) -> None:
        data = canonical_json({**gold, "canary": CANARY}) + b"\n"
        write_bytes(self._partial / "held" / task_id / "gold.json", data)

    def _replace(self, whole: str) -> None:
        if not names_in(self.out):
            self._partial.replace(self.out)  # also in the place of an empty folder
            self._own.release()
            return
        others = _names(self.out) - _names(self._partial) if self.out.is_dir() else set()
        if others or not self._is_this_set(whole):
            self.abandon()
            raise _taken(min(others, default=str(self.out)))
        exchange(self._partial, self.out)  # at no moment is there no set, and no seed and salt
        self._own.remove()

    def abandon(self) -> None:
        """Remove what was written so far."""
        self._own.remove()

    def _is_this_set(self, whole: str) -> bool:
        return (self.out / "taskset.toml").is_file() and TaskSet.open(self.out).digest == whole


def _names(folder: Path) -> set[str]:
    """Everything below a folder, by relative path."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
