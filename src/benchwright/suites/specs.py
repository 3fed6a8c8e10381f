"""From the name of a spec, or a spec file, to what it describes: a task set, as a rule."""

from __future__ import annotations

from pathlib import Path

from benchwright.errors import SpecError
from benchwright.executors import open_executor
from benchwright.storage import read_toml
from benchwright.suites import Made, Suite, open_suite, suite_names
from benchwright.tasks.taskset import TaskSet


def build_set(spec: str, out: Path, executor: str) -> TaskSet:
    """Build the set that `spec` (shipped name or file) describes into `out`."""
    made = build_spec(spec, out, executor)
    if isinstance(made, TaskSet):
        return made
    raise SpecError(
        "spec describes no task set",
        value=spec,
        where="SPEC",
        hint="Name the spec of a task set, such as tracebench/demo.",
    )


def build_spec(spec: str, out: Path, executor: str) -> TaskSet | Made:
    """Build whatever `spec` describes into `out`."""
    suite = suite_of_spec(spec)
    record = suite.load_spec(spec)
    with open_executor(executor) as pool:
        return suite.build(record, out, pool)


def suite_of_spec(spec: str) -> Suite:
    """The suite that a spec belongs to: by its prefix, or by `suite = ...` in the file."""
    prefix, slash, _ = spec.partition("/")
    if slash and prefix in suite_names() and not Path(spec).exists():
        return open_suite(prefix)
    path = Path(spec)
    if not path.is_file():
        raise SpecError(
            "no such spec",
            value=spec,
            where="SPEC",
            hint="Name a TOML file, or a shipped spec such as tracebench/demo.",
        )
    name = read_toml(path).get("suite")
    if not isinstance(name, str):
        raise SpecError(
            "spec names no suite",
            value=name,
            where=path,
            hint=f'Add a line such as: suite = "{suite_names()[0]}"',
        )
    return open_suite(name, f"{path}: suite")
