"""`build`: a checked spec becomes a task set on disk.

Takes a `Spec`; gives a `TaskSet`. Every system is split into batches and held-out samples once, and
observed once per noise level; tasks of one system, seed and level share their bytes, so matched
conditions differ in nothing but what their axis says. Knows no agent and no score.

Pool seed and salt stand in `held/shared/build.toml` only; building into the same folder again, or
with its `Secrets`, gives the same ids and bytes.
"""

from __future__ import annotations

import json
import secrets
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath

from benchwright.canonical import Json, canonical_json, digest, plain
from benchwright.suites.tracebench.cells import Cell, Level
from benchwright.suites.tracebench.golds import EXAMPLES_FOLDER, GOLD_FORMAT, SAMPLES_FOLDER
from benchwright.suites.tracebench.labels import displayed, shown
from benchwright.suites.tracebench.manifest import AuditHistory, audit_of, manifest
from benchwright.suites.tracebench.observed import Observed, observed
from benchwright.suites.tracebench.plans import Plan, Secrets, planned
from benchwright.suites.tracebench.prompt import instruction
from benchwright.suites.tracebench.redraw import drawn_until_silent
from benchwright.suites.tracebench.sample_table import sample_table
from benchwright.suites.tracebench.spec import Spec
from benchwright.tasks.model import Mode, Submission, TaskLimits
from benchwright.tasks.taskset import HeldSet, TaskSet
from benchwright.tasks.writer import CANARY, NewTask, SetWriter, refuse_taken

__all__ = ["DYNAMICS", "PUBLIC", "Secrets", "build", "secrets_of"]

DYNAMICS = "exact"
"""The dynamics of every set that is built here, stated in its marks."""

HELD_SPEC_FORMAT = "benchwright.held-spec/1"
LIMITS = TaskLimits()
FILES: Mapping[Mode, str] = {"direct": "results.json", "programmatic": "rule.py"}
EXAMPLES_FILE = "train_labels.json"
_UNDER_WAY = 2
"""Jobs whose bytes may wait to be written; bounds memory."""

PUBLIC = Secrets(seed="benchwright public pool seed", salt="benchwright public salt")
"""For sets whose answers anyone may rebuild, such as the demo; never for a comparison."""


def build(
    spec: Spec,
    out: Path,
    executor: Executor,
    *,
    fixed: Secrets | None = None,
    audit: AuditHistory = (),
) -> TaskSet:
    """Build the set of `spec` in `out`; `fixed` repeats a build whose secrets are known.

    `audit` is what such a build's manifest says about its audit, which is not repeated.

    Raises:
        SpecError: the recipes cannot give the batches or held-out samples that the spec asks for,
            or an own recipe changes too little to be seen; every draw that was audited tells the
            class by something that must not, or the set has too few samples for an audit.
        MissingExtraError: the spec asks for an audit, and its learners are not installed.
        TaskSetError: `out` exists and holds something else.
    """

    @cache
    def plans(drawn: Secrets) -> list[Plan]:
        jobs = [executor.submit(planned, spec, name, drawn, DYNAMICS) for name in spec.systems]
        return [job.result() for job in jobs]

    def write(folder: Path, drawn: Secrets, history: AuditHistory) -> TaskSet:
        return write_set(spec, plans(drawn), drawn, history, folder, executor)

    refuse_taken(out, suite="tracebench", spec=spec.public(), marks=_marks(spec))
    standing = _standing(spec, out)
    if fixed is None and standing is None and spec.audit:
        return drawn_until_silent(write, _new(spec), out, executor)
    if fixed is None and standing is not None:
        fixed, audit = standing
    return write(out, fixed or _new(spec), audit)


def write_set(
    spec: Spec,
    plans: Sequence[Plan],
    drawn: Secrets,
    audit: AuditHistory,
    out: Path,
    executor: Executor,
) -> TaskSet:
    writer = SetWriter(out, suite="tracebench", spec=spec.public(), marks=_marks(spec))
    snr = {}
    try:
        for plan, level, seen in _observed(spec, plans, drawn, executor):
            snr[plan.name, level.name] = seen.snr
            held = _share_heldout(plan, level, seen, writer)
            for task in _tasks(spec, plan, level, seen, held):
                writer.add(replace(task, origins=_origins(task, plan, level, drawn)))
        writer.share("samples.parquet", sample_table([(p.split, p.names) for p in plans]))
        writer.share("manifest.json", manifest(plans, DYNAMICS, snr, audit))
        writer.share("spec.json", _whole_spec(spec))
        return writer.close(build={"seed": drawn.seed, "salt": drawn.salt})
    except BaseException:
        writer.abandon()
        raise


def _marks(spec: Spec) -> dict[str, Json]:
    return {"dynamics": DYNAMICS, "public": not spec.secret}


def _observed(
    spec: Spec, plans: Iterable[Plan], drawn: Secrets, executor: Executor
) -> Iterator[tuple[Plan, Level, Observed]]:
    """The samples of every system and level in order, few of them in memory at a time."""
    pending: deque[tuple[Plan, Level, Future[Observed]]] = deque()
    for plan in plans:
        for level in spec.levels:
            job = plan.job(level, drawn.seed, DYNAMICS, heldout=spec.asks_rules(level))
            pending.append((plan, level, executor.submit(observed, job)))
            if len(pending) >= _UNDER_WAY:
                yield _done(*pending.popleft())
    while pending:
        yield _done(*pending.popleft())


def _done(plan: Plan, level: Level, job: Future[Observed]) -> tuple[Plan, Level, Observed]:
    return plan, level, job.result()


@dataclass(frozen=True, slots=True)
class _HeldOut:
    """The held-out file of one system and level."""

    file: str
    digest: str
    labels: Mapping[str, str]
    """Sample file name to label, in words."""


def _tasks(
    spec: Spec, plan: Plan, level: Level, seen: Observed, held: _HeldOut | None
) -> Iterator[NewTask]:
    for cell in spec.cells:
        if cell.level == level:
            for seed in spec.seeds:
                yield _task(plan, cell, seed, seen.single, held)


def _task(
    plan: Plan, cell: Cell, seed: int, series: Mapping[str, bytes], held: _HeldOut | None
) -> NewTask:
    system, names = plan.system, shown(plan.system, cell.context)
    labels = displayed(system, cell.context)
    batch, examples = plan.tests(seed), plan.examples(seed, cell.shots)
    files = {f"{SAMPLES_FOLDER}/{name}": series[name] for name in batch}
    if examples:
        files |= {f"{EXAMPLES_FOLDER}/{name}": series[name] for name in examples}
        files[EXAMPLES_FILE] = _labels_file({n: names[r.label] for n, r in examples.items()})
    return NewTask(
        slug=_slug(plan.name, cell, seed),
        cluster=f"{plan.name}/{seed}",
        axes=_axes(plan.name, cell, seed),
        instruction=instruction(system, cell.mode, cell.context, cell.shots),
        files=files,
        submission=Submission(
            cell.mode, FILES[cell.mode], labels, tuple(batch), len(held.labels) if held else 0
        ),
        limits=LIMITS,
        gold={
            "format": GOLD_FORMAT,
            "truth": {name: names[recipe.label] for name, recipe in batch.items()},
            "recipes": plain(batch),
            "dynamics": DYNAMICS,
            "heldout": _gold_heldout(held, names) if cell.mode == "programmatic" else None,
        },
    )


def _origins(task: NewTask, plan: Plan, level: Level, drawn: Secrets) -> dict[str, str]:
    """Of what every series of a task was computed: the same on every machine, as bytes may not."""
    recipes = {name: recipe for recipe, name in plan.names.items()}
    return {
        path: digest([recipes[name], DYNAMICS, level, drawn.seed])
        for path in task.files
        if (name := PurePosixPath(path).name) in recipes
    }


def _slug(system: str, cell: Cell, seed: int) -> str:
    words = [system, cell.level.name, cell.mode]
    words += ["no-context"] if cell.context == "none" else []
    words += [f"{cell.shots}-shot"] if cell.shots else []
    return "-".join((*words, f"s{seed}"))


def _axes(system: str, cell: Cell, seed: int) -> dict[str, str]:
    axes = {"context": cell.context, "shots": str(cell.shots), "seed": str(seed)}
    return axes | {"system": system, "noise": cell.level.name, "mode": cell.mode}


def _labels_file(labels: Mapping[str, str]) -> bytes:
    return json.dumps(dict(sorted(labels.items())), indent=1).encode() + b"\n"


def _gold_heldout(held: _HeldOut | None, names: Mapping[str, str]) -> Json:
    if held is None:
        return None
    truth: dict[str, Json] = {name: names[label] for name, label in held.labels.items()}
    return {"file": held.file, "digest": held.digest, "truth": truth}


def _share_heldout(plan: Plan, level: Level, seen: Observed, writer: SetWriter) -> _HeldOut | None:
    if seen.heldout is None:
        return None
    file = f"heldout-{plan.name.lower()}-{level.name}.parquet"
    labels = {plan.names[r.digest]: r.label for r in plan.split.heldout}
    return _HeldOut(file, writer.share(file, seen.heldout), labels)


def _new(spec: Spec) -> Secrets:
    """Secrets for a set that is built for the first time: new ones, or the public ones."""
    return Secrets(secrets.token_hex(16), secrets.token_hex(16)) if spec.secret else PUBLIC


def _standing(spec: Spec, out: Path) -> tuple[Secrets, AuditHistory] | None:
    """Secrets and audit of the set that stands in `out` already, if the spec has its own."""
    own = spec.secret or spec.audit
    if not own or not (out / "held" / "shared" / "build.toml").is_file():
        return None
    held = HeldSet.open(out)
    return secrets_of(held), audit_of(held)


def secrets_of(held: HeldSet) -> Secrets:
    """The secrets that a set was built with."""
    return Secrets(held.build.seed, held.build.salt)


def _whole_spec(spec: Spec) -> bytes:
    held = {"format": HELD_SPEC_FORMAT, "canary": CANARY, "spec": spec.whole()}
    return canonical_json(held)
