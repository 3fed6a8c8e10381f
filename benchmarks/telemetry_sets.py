"""Sets of telemetry: every shipped corpus is built, audited, proved, and had by a zoo of agents.

For each corpus whose data are here: time and size of the set, rows past preflight, what the audit
from raw files compared. For the generated building and the heating substations: mutations and
controls of every conversation, and the matrix of the zoo.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.bar import Bar
from benchwright.checks.model import Note, Subject
from benchwright.errors import SpecError
from benchwright.executors import open_executor
from benchwright.running.desk import Desk
from benchwright.suites.telemetry.audited import check_audit
from benchwright.suites.telemetry.build import build, load_spec
from benchwright.suites.telemetry.corpus.load import shipped_corpora
from benchwright.suites.telemetry.episode import conversation, session
from benchwright.suites.telemetry.evaluation.evaluate import downstream, evaluated
from benchwright.suites.telemetry.proof.coverage import proved_set
from benchwright.suites.telemetry.suite import SUITE
from benchwright.suites.telemetry.worker import work
from benchwright.suites.telemetry.zoo import HABITS, Kept
from benchwright.tasks.taskset import HeldSet, TaskSet

AREA: Final = "telemetry"
PROVED: Final = ("demo", "xai4heat")


def measure() -> Iterator[Bar]:
    """Corpus by corpus; one whose data are not here is told and counts for nothing."""
    for name in shipped_corpora():
        with TemporaryDirectory() as folder, open_executor("processes") as executor:
            try:
                yield from _corpus(name, Path(folder) / "set", executor)
            except SpecError as error:
                yield Bar(AREA, f"{name}: set", f"not built: {error.problem}", "", None)


def _corpus(name: str, out: Path, executor: Executor) -> Iterator[Bar]:
    start = time.perf_counter()
    tasks = build(load_spec(f"telemetry/{name}"), out, executor)
    took = time.perf_counter() - start
    held = HeldSet.open(out)
    flown = json.loads(held.shared("preflight.json").read_text(encoding="utf-8"))
    told = f"{flown['released']} of {flown['rows']} rows released in {took:.0f} s, {_size(out)} MB"
    fine = flown["released"] == flown["rows"]
    yield Bar(AREA, f"{name}: rows past preflight", told, "all", fine)
    yield _audited(name, tasks, held)
    if name in PROVED:
        yield from _proved(name, tasks, held, executor)
        yield from _zoo(name, tasks, held)


def _size(folder: Path) -> int:
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) // 10**6


def _audited(name: str, tasks: TaskSet, held: HeldSet) -> Bar:
    start = time.perf_counter()
    found = check_audit(Subject(tasks, held, SUITE, "none"))
    took = time.perf_counter() - start
    fine = all(isinstance(one, Note) and not one.skipped for one in found)
    said = found[0].text if isinstance(found[0], Note) else found[0].problem
    return Bar(AREA, f"{name}: audit from raw files", f"{said}; {took:.0f} s", "no mismatch", fine)


def _proved(name: str, tasks: TaskSet, held: HeldSet, executor: Executor) -> Iterator[Bar]:
    start = time.perf_counter()
    tally = proved_set(tasks, executor)
    took = time.perf_counter() - start
    instances, seen = tally.instances.total(), tally.ours.total()
    told = f"{seen:,} of {instances:,} instances, {len(tally.faults)} faults, {took:.0f} s"
    fine = not tally.faults and seen == instances and len(tally.instances) == 27
    yield Bar(AREA, f"{name}: obligations that a mutation of theirs breaks", told, "all", fine)
    final = f"{tally.final_only.total():,} of {instances:,}"
    yield Bar(AREA, f"{name}: the same for a scorer of the last answer", final, "", None)


def _zoo(name: str, tasks: TaskSet, held: HeldSet) -> Iterator[Bar]:
    for habit, kept in HABITS.items():
        first: Counter[str] = Counter()
        stray = 0
        for task_id in tasks.task_digests:
            script, duties, _ = conversation(held.gold(task_id))
            desk = Desk(session(tasks, held, tasks.task(task_id)))
            work(script, desk, kept.make())
            found = evaluated([asdict(one) for one in desk.exchanges()], script, duties)
            cause = found.first
            first[cause.type if cause else "none"] += 1
            if cause:
                below = downstream(cause.id, duties)
                stray += any(one.id not in below for one in found.broken)
        yield _habit(name, habit, kept, first, stray)


def _habit(name: str, habit: str, kept: Kept, first: Counter[str], stray: int) -> Bar:
    told = ", ".join(f"{count} {what}" for what, count in first.most_common())
    own = not kept.breaks or set(first) <= {*kept.breaks, "none"}
    broke = sum(first.values()) > first["none"]
    fine = own and broke and not stray
    figure = f"first broken: {told}; {stray} with another cause"
    return Bar(AREA, f"{name}: {habit.replace('_', ' ')}", figure, "its own duty first", fine)
