"""`build`: from a spec to a task set, or to whatever else a suite makes from one."""

from __future__ import annotations

from pathlib import Path

from benchwright.cli.output import emit_json, refuse_foreign, say, working
from benchwright.report.words import counted
from benchwright.suites import Made, open_suite
from benchwright.suites.specs import build_spec
from benchwright.tasks.taskset import HeldSet

_OWN = ("taskset.toml", "pool.json")
"""A set or a pool; whether it is the one that is asked for, its builder finds out."""


def build(spec: str, out: Path, executor: str, as_json: bool) -> int:
    """Build and print what was made; a folder that holds something else stays as it is."""
    refuse_foreign(out, *_OWN)
    with working(f"build {spec}"):
        tasks = build_spec(spec, out, executor)
    if isinstance(tasks, Made):
        if as_json:
            emit_json("build", {"out": out, **tasks.document})
        else:
            say(tasks.words)
            say(f"next: a spec draws from it by recipes = {{ policy = [{spec!r}] }}")
    elif as_json:
        more = open_suite(tasks.suite).account(HeldSet.open(out))
        said = {"out": out, "digest": tasks.digest, "tasks": sorted(tasks.task_digests)}
        emit_json("build", {**said, **more})
    else:
        say(f"{counted(len(tasks.task_digests), 'task')} in {out}, set {tasks.digest[:12]}")
        for line in open_suite(tasks.suite).facts(HeldSet.open(out)):
            say(line)
        say(f"next: benchwright check {out}")
    return 0
