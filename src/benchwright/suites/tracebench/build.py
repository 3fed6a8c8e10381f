"""`build`: a checked spec becomes a task set on disk.

Takes a `Spec`; gives a `TaskSet`. Every system is split into batches and held-out samples once, and
observed once per noise level; tasks of one system, seed and level share their bytes, so matched
conditions differ in nothing but what their axis says. Knows no agent and no score.

Pool seed and salt stand in `held/shared/build.toml` only; building into the same folder again, or
with its `Secrets`, gives the same ids and bytes.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from benchwright.canonical import Json, canonical_json, plain, salted_name
from benchwright.suites.tracebench.batches import Split, split
from benchwright.suites.tracebench.golds import GOLD_FORMAT, SAMPLES_FOLDER
from benchwright.suites.tracebench.observed import Job, Observed, observed
from benchwright.suites.tracebench.prompt import instruction
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.sample_table import sample_table
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.solvable import check_solvable
from benchwright.suites.tracebench.spec import Level, Spec
from benchwright.suites.tracebench.systems import System, get_system
from benchwright.tasks.model import Mode, Submission, TaskLimits
from benchwright.tasks.taskset import HeldSet, TaskSet
from benchwright.tasks.writer import CANARY, NewTask, SetWriter

DYNAMICS = "released"
"""The dynamics of every set that is built here, stated in its marks."""

HELD_SPEC_FORMAT = "benchwright.held-spec/1"
LIMITS = TaskLimits()
FILES: Mapping[Mode, str] = {"direct": "results.json", "programmatic": "rule.py"}


@dataclass(frozen=True, slots=True)
class Secrets:
    """What decides the draws and the names of a set. `repr` shows neither."""

    seed: str
    salt: str

    def __repr__(self) -> str:
        return "Secrets(...)"


PUBLIC = Secrets(seed="benchwright public pool seed", salt="benchwright public salt")
"""For sets whose answers anyone may rebuild, such as the demo; never for a comparison."""


def build(spec: Spec, out: Path, executor: Executor, *, fixed: Secrets | None = None) -> TaskSet:
    """Build the set of `spec` in `out`; `fixed` repeats a build whose secrets are known.

    Raises:
        SpecError: the recipes cannot give the batches or held-out samples that the spec asks for,
            or an own recipe changes too little to be seen.
        TaskSetError: `out` exists and holds something else.
    """
    drawn = fixed or _secrets(spec, out)
    plans = [_plan(spec, get_system(name), drawn) for name in spec.systems]
    jobs = [executor.submit(observed, plan.job(spec, drawn)) for plan in plans]
    marks = {"dynamics": DYNAMICS, "public": not spec.secret}
    writer = SetWriter(out, suite="tracebench", spec=spec.public(), marks=marks)
    try:
        for plan, job in zip(plans, jobs, strict=True):
            for task in _tasks(spec, plan, job.result(), writer):
                writer.add(task)
        writer.share("samples.parquet", sample_table([(p.split, p.names) for p in plans]))
        writer.share("spec.json", _whole_spec(spec))
        return writer.close(build={"seed": drawn.seed, "salt": drawn.salt})
    except BaseException:
        writer.abandon()
        raise


@dataclass(frozen=True, slots=True)
class _Plan:
    """The samples of one system before anything is simulated."""

    system: System
    split: Split
    names: Mapping[str, str]
    """Recipe digest to sample file name."""

    def job(self, spec: Spec, drawn: Secrets) -> Job:
        tests = [recipe for seed in spec.seeds for recipe in self.split.tests[seed]]
        return Job(
            tests=self._named(tests),
            heldout=self._named(self.split.heldout if _asks_rules(spec) else ()),
            levels=spec.noise,
            seed=drawn.seed,
            dynamics=DYNAMICS,
        )

    def named(self, seed: int) -> dict[str, Recipe]:
        """The test batch of a seed by file name, sorted."""
        return dict(self._named(self.split.tests[seed]))

    def _named(self, recipes: Sequence[Recipe]) -> tuple[tuple[str, Recipe], ...]:
        named = {self.names[recipe.digest]: recipe for recipe in recipes}
        return tuple((name, named[name]) for name in sorted(named))


def _plan(spec: Spec, system: System, drawn: Secrets) -> _Plan:
    parts = split(
        _recipes(spec, system.name),
        system.labels,
        seeds=spec.seeds,
        samples=spec.samples,
        heldout=spec.heldout if _asks_rules(spec) else 0,
        key=drawn.seed,
    )
    members = [r for batch in parts.tests.values() for r in batch] + list(parts.heldout)
    names = {r.digest: f"{salted_name(drawn.salt, 'sample', r.digest)}.parquet" for r in members}
    return _Plan(system, parts, names)


def _recipes(spec: Spec, system: str) -> Sequence[Recipe]:
    if spec.recipes is None:
        return shipped(system)
    listed = spec.recipes.of(system)
    check_solvable(listed, max(level.kappa for level in spec.noise), DYNAMICS)
    return listed


def _tasks(spec: Spec, plan: _Plan, seen: Observed, writer: SetWriter) -> Iterator[NewTask]:
    for level in spec.noise:
        held = _share_heldout(plan, level, seen, writer)
        cells = product(spec.seeds, spec.modes, spec.context, spec.shots)
        for seed, mode, context, shots in cells:
            axes = {"context": context, "shots": str(shots), "seed": str(seed)}
            axes |= {"system": plan.system.name, "noise": level.name, "mode": mode}
            gold_held = held if mode == "programmatic" else None
            yield _task(plan, axes, mode, plan.named(seed), seen.tests[level.name], gold_held)


def _task(
    plan: _Plan,
    axes: Mapping[str, str],
    mode: Mode,
    batch: Mapping[str, Recipe],
    series: Mapping[str, bytes],
    heldout: Json,
) -> NewTask:
    system = plan.system
    slug = "-".join((system.name, axes["noise"], mode, f"s{axes['seed']}"))
    return NewTask(
        slug=slug,
        cluster=f"{system.name}/{axes['seed']}",
        axes=axes,
        instruction=instruction(system, mode),
        files={f"{SAMPLES_FOLDER}/{name}": series[name] for name in batch},
        submission=Submission(mode, FILES[mode], system.labels, tuple(batch), _count(heldout)),
        limits=LIMITS,
        gold={
            "format": GOLD_FORMAT,
            "truth": {name: recipe.label for name, recipe in batch.items()},
            "recipes": plain(batch),
            "dynamics": DYNAMICS,
            "heldout": heldout,
        },
    )


def _share_heldout(plan: _Plan, level: Level, seen: Observed, writer: SetWriter) -> Json:
    data = seen.heldout[level.name]
    if data is None:
        return None
    file = f"heldout-{plan.system.name.lower()}-{level.name}.parquet"
    truth: dict[str, Json] = {plan.names[r.digest]: r.label for r in plan.split.heldout}
    return {"file": file, "digest": writer.share(file, data), "truth": truth}


def _count(heldout: Json) -> int:
    truth = heldout["truth"] if isinstance(heldout, dict) else {}
    return len(truth) if isinstance(truth, dict) else 0


def _asks_rules(spec: Spec) -> bool:
    return "programmatic" in spec.modes


def _secrets(spec: Spec, out: Path) -> Secrets:
    """Public ones, those of the set that stands in `out` already, or new ones."""
    if not spec.secret:
        return PUBLIC
    if (out / "held" / "shared" / "build.toml").is_file():
        return secrets_of(HeldSet.open(out))
    return Secrets(secrets.token_hex(16), secrets.token_hex(16))


def secrets_of(held: HeldSet) -> Secrets:
    """The secrets that a set was built with."""
    return Secrets(held.build["seed"], held.build["salt"])


def _whole_spec(spec: Spec) -> bytes:
    held = {"format": HELD_SPEC_FORMAT, "canary": CANARY, "spec": spec.whole()}
    return canonical_json(held)
