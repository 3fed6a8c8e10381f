"""The suite `tracebench` as one record: root-cause tasks on time series of simulated systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.errors import SpecError
from benchwright.executors import open_executor
from benchwright.storage import check_format, read_json, read_toml
from benchwright.storage.records import record
from benchwright.suites import Made, Suite
from benchwright.suites.tracebench.baselines import AGENTS, PRIVILEGED
from benchwright.suites.tracebench.build import HELD_SPEC_FORMAT, build, secrets_of
from benchwright.suites.tracebench.golds import frames, heldout_key
from benchwright.suites.tracebench.manifest import (
    MANIFEST_FORMAT,
    audit_lines,
    audit_of,
    snr_lines,
)
from benchwright.suites.tracebench.pages import PAGES
from benchwright.suites.tracebench.pool_recipes import FromPolicies
from benchwright.suites.tracebench.pools.build import build_pool
from benchwright.suites.tracebench.pools.policy import (
    POLICY_FORMAT,
    Policy,
    load_policy,
    shipped_policies,
)
from benchwright.suites.tracebench.score import SCORING
from benchwright.suites.tracebench.shortcuts import check_shortcuts
from benchwright.suites.tracebench.spec import (
    SPEC_FORMAT,
    Spec,
    load_spec,
    parse_spec,
    shipped_specs,
)
from benchwright.suites.tracebench.spec_errors import known
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import HeldSet, TaskSet


@dataclass(frozen=True, slots=True)
class HeldSpec:
    """The whole spec of a set, as its held half keeps it."""

    spec: Mapping[str, Any]


def load(name: str) -> Spec | Policy:
    """A build spec, or the policy of a pool: by shipped name, or by the format of the file.

    Raises:
        SpecError: the file cannot be used, or is a policy that does not say so.
        FormatError: it was written for a newer version.
    """
    path = Path(name)
    if path.is_file():
        policy = _is_policy(read_toml(path), path)
    else:
        names = (*shipped_policies(), *shipped_specs())
        policy = (
            known(name.removeprefix("tracebench/"), names, "spec", "SPEC") not in shipped_specs()
        )
    return load_policy(name.removeprefix("tracebench/")) if policy else load_spec(name)


def _is_policy(data: Mapping[str, Any], path: Path) -> bool:
    """Whether a file is a policy; a spec need not name its format, a policy must."""
    form = data.get("format")
    if isinstance(form, str) and form.startswith("benchwright.spec/"):
        check_format(data, SPEC_FORMAT, path)
    if form is None and {"system", "seed"} <= data.keys():
        raise SpecError(
            "policy does not say its format",
            value=", ".join(sorted(data)),
            where=path,
            hint=f'Add a line: format = "{POLICY_FORMAT}"',
        )
    return isinstance(form, str) and form.startswith("benchwright.policy/")


def build_any(spec: Spec | Policy, out: Path, executor: Executor) -> TaskSet | Made:
    """`build.build` as the spine calls it, and `build_pool` for a policy."""
    if isinstance(spec, Spec):
        return build(spec, out, executor)
    report = build_pool(spec, out, executor).report
    kept = f"{report['kept_families']:,} of {report['families']:,} configurations kept"
    return Made(f"{kept}, {report['candidates']:,} candidates in {out}", {"pool": report})


def rebuild_set(tasks: TaskSet, held: HeldSet, out: Path) -> TaskSet:
    """The set again from its whole spec and its secrets, both read from the held half."""
    file = held.shared("spec.json")
    stored = record(HeldSpec, read_json(file, form=HELD_SPEC_FORMAT), file)
    spec = parse_spec(stored.spec, file)
    # Drawing by policies takes long enough to pay for the start of processes.
    drawn = isinstance(spec.recipes, FromPolicies)
    with open_executor("processes" if drawn else "serial") as executor:
        return build(spec, out, executor, fixed=secrets_of(held), audit=audit_of(held))


def facts(held: HeldSet) -> Iterator[str]:
    """How noisy the set is, and what its audit found, from its manifest."""
    told = read_json(held.shared("manifest.json"), form=MANIFEST_FORMAT)
    yield from snr_lines(told)
    yield from audit_lines(told)


def chance(task: Task) -> float:
    """A uniform guess at one of the labels."""
    return 1 / len(task.submission.labels)


SUITE = Suite(
    name="tracebench",
    load_spec=load,
    build=build_any,
    rebuild=rebuild_set,
    scoring=SCORING,
    frames=frames,
    agents=AGENTS,
    privileged=PRIVILEGED,
    chance=chance,
    pages=PAGES,
    heldout=heldout_key,
    facts=facts,
    checks={"shortcuts": check_shortcuts},
    tried=("jumps", "constant"),
)
