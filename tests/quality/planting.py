"""Planting faults into a copy of a sound task set, and making its digests right again."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import tomli_w

from benchwright.canonical import canonical_json, digest_file, digest_tree
from benchwright.tasks.taskset import set_digest, task_identity

Plant = Callable[[Path], None]


def tasks_of(copy: Path) -> list[Path]:
    return sorted((copy / "tasks").iterdir())


def golds_of(copy: Path) -> list[Path]:
    return sorted(folder for folder in (copy / "held").iterdir() if folder.name != "shared")


def samples_of(task: Path) -> list[Path]:
    return sorted((task / "files").rglob("*.parquet"))


def change_gold(gold: Path, change: Callable[[dict[str, Any]], None]) -> None:
    file = gold / "gold.json"
    content = json.loads(file.read_text())
    change(content)
    file.write_bytes(canonical_json(content) + b"\n")


def change_toml(file: Path, change: Callable[[dict[str, Any]], None]) -> None:
    content = tomllib.loads(file.read_text())
    change(content)
    file.write_text(tomli_w.dumps(content))


def make_digests_right(copy: Path) -> None:
    """What a careful forger would do: every digest and every id fits the content again."""
    names = {}
    for folder in tasks_of(copy):
        names[folder.name] = rename_task(copy, folder)
    change_toml(copy / "taskset.toml", lambda data: refer_to(copy, data))
    change_toml(
        copy / "held" / "shared" / "digests.toml",
        lambda data: data.update(
            golds={folder.name: digest_tree(folder) for folder in golds_of(copy)},
            shared={name: digest_file(copy / "held" / "shared" / name) for name in data["shared"]},
        ),
    )


def identity(folder: Path) -> str:
    files = folder / "files"
    digests = {
        p.relative_to(files).as_posix(): digest_file(p) for p in files.rglob("*") if p.is_file()
    }
    data = tomllib.loads((folder / "task.toml").read_text())
    return task_identity(data, (folder / "instruction.md").read_text(), digests)


def rename_task(copy: Path, folder: Path) -> str:
    """An id for changed content, given to the task and to its gold."""
    stated = tomllib.loads((copy / "taskset.toml").read_text())["tasks"].get(folder.name)
    name = f"{folder.name.rpartition('-')[0]}-{identity(folder)[:12]}"
    if identity(folder) != stated:
        change_toml(folder / "task.toml", lambda data: data.update(id=name))
        folder.rename(folder.parent / name)
        (copy / "held" / folder.name).rename(copy / "held" / name)
    return name


def refer_to(copy: Path, data: dict[str, Any]) -> None:
    data["tasks"] = {folder.name: identity(folder) for folder in tasks_of(copy)}
    data["digest"] = set_digest(data["suite"], data["spec"], data["marks"], data["tasks"])


def planted(sound: Path, out: Path, plant: Plant, *, right: bool) -> Path:
    """A copy of the set with one fault; with `right`, digests and ids hide it."""
    shutil.copytree(sound, out, symlinks=True)
    plant(out)
    if right:
        make_digests_right(out)
    return out


def rewrite_samples(gold: Path, change: Callable[[dict[str, str]], None]) -> None:
    """Change the truth of the samples of one gold."""
    change_gold(gold, lambda content: change(content["truth"]))


def write_with_metadata(sample: Path, metadata: dict[str, str]) -> None:
    table = pq.read_table(sample)
    pq.write_table(table.replace_schema_metadata(metadata), sample)
