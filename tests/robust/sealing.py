"""Digests made right again after a file was changed, as somebody with bad intentions would do.

Without it every change would end at the first digest, and the readers behind would never see one.
Takes the folders of a set and of a run made from it; changes them. Where a file is too far gone to
have a digest, the old one stays.
"""

from __future__ import annotations

import contextlib
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tomli_w

from benchwright.canonical import digest_bytes, digest_file, digest_tree
from benchwright.episodes.folder import kept_digests
from benchwright.tasks.taskset import set_digest, task_identity


def seal(tasks: Path, run: Path) -> None:
    """Every digest of set and run says what the files are now."""
    for step in (_tasks, _held, _set):
        with contextlib.suppress(Exception):
            step(tasks)
    for step in (_plan, _episodes):
        with contextlib.suppress(Exception):
            step(tasks, run)
    with contextlib.suppress(Exception):
        _run(tasks, run)


def toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _rewrite_toml(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    data = toml(path)
    before = json.dumps(data, sort_keys=True)
    change(data)
    if json.dumps(data, sort_keys=True) != before:
        path.write_text(tomli_w.dumps(data), encoding="utf-8")


def _rewrite_json(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    data = json.loads(path.read_bytes())
    before = json.dumps(data, sort_keys=True)
    change(data)
    if json.dumps(data, sort_keys=True) != before:
        path.write_text(json.dumps(data), encoding="utf-8")


def _tasks(root: Path) -> None:
    found = {}
    for folder in (root / "tasks").iterdir():
        with contextlib.suppress(Exception):
            files = {
                p.relative_to(folder / "files").as_posix(): digest_file(p)
                for p in (folder / "files").rglob("*")
                if p.is_file()
            }
            text = (folder / "instruction.md").read_text(encoding="utf-8")
            found[folder.name] = task_identity(toml(folder / "task.toml"), text, files)

    def change(data: dict[str, Any]) -> None:
        data["tasks"].update({n: found[n] for n in data["tasks"] if n in found})

    _rewrite_toml(root / "taskset.toml", change)


def _held(root: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        for name in data["golds"]:
            data["golds"][name] = digest_tree(root / "held" / name)
        for name in data["shared"]:
            data["shared"][name] = digest_file(root / "held" / "shared" / name)

    _rewrite_toml(root / "held" / "shared" / "digests.toml", change)


def _set(root: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["digest"] = set_digest(data["suite"], data["spec"], data["marks"], data["tasks"])

    _rewrite_toml(root / "taskset.toml", change)


def _plan(tasks: Path, run: Path) -> None:
    stated = toml(tasks / "taskset.toml")["tasks"]
    file = run / "plan.jsonl"
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    wrong = [line for line in lines if stated.get(line["task_id"]) != line["task_digest"]]
    for line in wrong:
        line["task_digest"] = stated[line["task_id"]]
    if wrong:
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _episodes(tasks: Path, run: Path) -> None:
    stated = toml(tasks / "taskset.toml")["tasks"]
    for file in (run / "episodes").glob("*/episode.json"):

        def change(data: dict[str, Any], folder: Path = file.parent) -> None:
            data["task_digest"] = stated.get(data["task_id"], data["task_digest"])
            data.update(kept_digests(folder))

        with contextlib.suppress(Exception):
            _rewrite_json(file, change)


def _run(tasks: Path, run: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["plan"] = digest_bytes((run / "plan.jsonl").read_bytes())
        with contextlib.suppress(Exception):
            data["taskset"]["digest"] = toml(tasks / "taskset.toml")["digest"]

    _rewrite_toml(run / "run.toml", change)
