"""Rescoring 10,000 stored conversations: time on two processes, the same bytes twice, memory.

Records are those of perfect agents of the demo and of agents that break an obligation, a file each.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.bar import Bar
from benchwright.canonical import canonical_json, digest_bytes
from benchwright.executors import SerialExecutor, open_executor
from benchwright.suites.telemetry.build import build, load_spec
from benchwright.suites.telemetry.dialogue.canonical import recorded
from benchwright.suites.telemetry.episode import conversation
from benchwright.suites.telemetry.evaluation.evaluate import Evaluated, evaluated
from benchwright.suites.telemetry.proof.answers import Answers
from benchwright.suites.telemetry.proof.case import case_of
from benchwright.suites.telemetry.proof.mutations import mutations
from benchwright.suites.telemetry.proof.steps import settled
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.taskset import HeldSet, TaskSet

RECORDS = 10_000
BATCH = 100
MOST_S, MOST_MB = 120, 16
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20
Scored = tuple[int, float, float, bytes]
"""Process, its memory in MB and its processor time after a batch, and the lines of the batch."""


def measure() -> Iterator[Bar]:
    """Seconds, bytes and memory."""
    with TemporaryDirectory(prefix="bars-") as name:
        folder = Path(name)
        tasks = build(load_spec("telemetry/demo"), folder / "set", SerialExecutor())
        files = list(_write(tasks, folder / "records"))
        first, seconds, spent, grown = _rescored(tasks.path, files)
        second, *_ = _rescored(tasks.path, files)
    what = f"{len(files):,} stored conversations"
    lines = first.count(b"\n")
    figure = f"{seconds:.0f} s on 2 processes, {spent:.0f} s of processors, {lines:,} lines"
    met = seconds < MOST_S and lines == RECORDS
    yield Bar("telemetry", f"rescoring {what}", figure, f"{MOST_S} s", met)
    same = "the same" if first == second else "other"
    said = f"{same} bytes twice, sha256 {digest_bytes(first)[:12]}"
    yield Bar("telemetry", f"scores of {what}", said, "the same", first == second)
    memory = f"{grown:.1f} MB more than after the first tenth"
    yield Bar("telemetry", f"memory of scoring {what}", memory, f"{MOST_MB} MB", grown < MOST_MB)


def _write(tasks: TaskSet, folder: Path) -> Iterator[tuple[str, Path]]:
    """Records as files: of every row the canonical one and some of its mutations, evenly drawn."""
    folder.mkdir()
    held, desk = HeldSet.open(tasks.path), Answers(Store(tasks.path / "store"))
    names = sorted(tasks.task_digests)
    for index, name in enumerate(names):
        script, duties, _ = conversation(held.gold(name))
        case = case_of(script, duties, desk)
        count = RECORDS * (index + 1) // len(names) - RECORDS * index // len(names)
        every = [case.steps, *(m.steps for m in islice(mutations(case), 0, None, 4))]
        for number in range(count):
            path = folder / f"{index:04}-{number:02}.jsonl"
            lines = recorded(script, settled(every[number % len(every)]))
            path.write_bytes(b"".join(canonical_json(line) + b"\n" for line in lines))
            yield name, path
        desk.forget()


def _rescored(path: Path, files: Sequence[tuple[str, Path]]) -> tuple[bytes, float, float, float]:
    """All lines; seconds by the clock and of processors; megabytes grown after the first tenth."""
    start = time.monotonic()
    batches = [files[at : at + BATCH] for at in range(0, len(files), BATCH)]
    with open_executor("processes:2") as pool:
        jobs = [pool.submit(_score, path, batch) for batch in batches]
        found: list[Scored] = [job.result() for job in jobs]
    seconds = time.monotonic() - start
    memory: dict[int, list[float]] = {}
    spent: dict[int, float] = {}
    for process, megabytes, used, _ in found:
        memory.setdefault(process, []).append(megabytes)
        spent[process] = max(used, spent.get(process, 0.0))
    grown = max(max(one) - one[len(one) // 10] for one in memory.values())
    return b"".join(text for *_, text in found), seconds, sum(spent.values()), grown


def _score(path: Path, batch: Sequence[tuple[str, Path]]) -> Scored:
    held, lines = HeldSet.open(path), []
    for name, file in batch:
        script, duties, _ = conversation(held.gold(name))
        record = [json.loads(line) for line in file.read_bytes().splitlines()]
        lines.append(_line(file.stem, evaluated(record, script, duties)))
    resident = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE_MB
    return os.getpid(), resident, time.process_time(), b"".join(lines)


def _line(name: str, found: Evaluated) -> bytes:
    outcomes = [[o.id, judged.reason, list(judged.at)] for o, judged in found.outcomes]
    first = found.first.id if found.first is not None else None
    return canonical_json({"record": name, "first": first, "outcomes": outcomes}) + b"\n"
