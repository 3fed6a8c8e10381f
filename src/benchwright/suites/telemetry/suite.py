"""The suite `telemetry` as one record: questions on telemetry that golds are computed for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from benchwright.checks.model import Found, Note, Subject
from benchwright.errors import SpecError
from benchwright.report.results import Layout
from benchwright.report.suite import SuitePages
from benchwright.scoring.model import Scoring
from benchwright.storage import read_json
from benchwright.suites import Suite
from benchwright.suites.telemetry.build import build, load_spec, rebuild
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import HeldSet

METRICS = ("correct", "complete")


def facts(held: HeldSet) -> Iterator[str]:
    """Rows per family and variant, and what is missing from quotas."""
    for line in read_json(held.shared("candidates.json"))["families"]:
        kept, short = line["retained"], line["shortfall"]
        name = line["family"] + ("" if line["variant"] == "usual" else f", {line['variant']}")
        rows = " / ".join(str(kept[split]) for split in ("train", "dev", "test"))
        missing = ", ".join(f"{n} of {split}" for split, n in short.items() if n)
        said = (
            f"{name}: {line['candidates']:,} candidates, {line['eligible']:,} eligible, {rows} rows"
        )
        yield f"{said}; missing {missing}" if missing else said


def _not_yet(*_: object) -> NoReturn:
    raise SpecError(
        "telemetry tasks cannot be run yet",
        value="telemetry",
        where="suite",
        hint="Sets of it can be built, checked and read.",
    )


def _not_run(subject: Subject) -> Found:
    return [Note("soundness", "telemetry tasks cannot be run yet", skipped=True)]


def metrics(task: Task) -> tuple[str, ...]:
    """Correctness of answers, and completeness of the contract."""
    return METRICS


SUITE = Suite(
    name="telemetry",
    load_spec=load_spec,
    build=build,
    rebuild=rebuild,
    scoring=Scoring("telemetry/1", _not_yet, metrics),
    frames=None,
    agents={},
    privileged=frozenset(),
    chance=lambda task: 0.0,
    pages=SuitePages(Layout("family", (), lambda named: "", {}), _not_yet, _not_yet, _not_yet),
    facts=facts,
    checks={"soundness": _not_run},
)
