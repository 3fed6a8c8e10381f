"""`store coverage`: what a scorer observes of what a set of conversations asks for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchwright.cli.output import emit_json, say, working
from benchwright.errors import SpecError
from benchwright.executors import open_executor
from benchwright.report.terminal import tame
from benchwright.suites.telemetry.obligations.model import TYPES
from benchwright.suites.telemetry.proof.coverage import (
    PAPER,
    document,
    pairs,
    proved_set,
    share,
)
from benchwright.suites.telemetry.proof.row import Pair, Tally
from benchwright.tasks.taskset import HeldSet, TaskSet

_SHOWN = 10


def run(folder: Path, executor: str, as_json: bool) -> int:
    """Mutate every record of a set and say what both scorers saw; 1 where ours was wrong."""
    if not (folder / "taskset.toml").is_file():
        raise SpecError(
            "not a task set",
            value=str(folder),
            where="TASKS",
            hint="Build one with: benchwright build telemetry/demo --out FOLDER",
        )
    tasks = TaskSet.open(folder)
    if tasks.suite != "telemetry":
        raise SpecError(
            "not a set of conversations",
            value=tasks.suite,
            where=folder,
            hint="Build one with: benchwright build telemetry/demo --out FOLDER",
        )
    HeldSet.open(folder).verify(tasks.task_digests)
    with working("break and bend every record"), open_executor(executor) as pool:
        tally = proved_set(tasks, pool)
    if as_json:
        emit_json("store.coverage", {"set": tasks.digest, **document(tally)})
    else:
        for line in (*_table(tally), *_counts(tally), *_pairs(tally), *_faults(tally)):
            say(tame(line))
    return 1 if tally.faults else 0


def _table(tally: Tally) -> Iterator[str]:
    yield f"{'obligation':22} {'instances':>9} {'observed':>9} {'last answer only':>17}"
    for name in TYPES:
        if tally.instances[name]:
            seen, final = tally.ours[name], tally.final_only[name]
            yield f"{name:22} {tally.instances[name]:>9,} {seen:>9,} {final:>17,}"
    seen, final = tally.ours.total(), tally.final_only.total()
    yield f"{'all':22} {tally.instances.total():>9,} {seen:>9,} {final:>17,}"
    shares = f"{share(tally, 'ours'):>8.1f}% {share(tally, 'final_only'):>16.1f}%"
    yield f"{'share':22} {'':>9} {shares}"
    paper = ", ".join(f"{name} {figure}%" for name, figure in PAPER["shares"].items())
    yield f"the paper: {paper}"


def _counts(tally: Tally) -> Iterator[str]:
    found = document(tally)
    for what, right in (("mutations", "named"), ("controls", "accepted")):
        own, paper = found[what], PAPER[what]
        for part in ("component", "protocol"):
            made, met = own[part]["made"], own[part]["right"]
            said = f"{met:,} of {made:,} {part} {what} {right}"
            yield f"{said} (the paper: {paper[part]} of {paper[part]})"
    edges, orders = PAPER["protocol_edges"], PAPER["free_orders"]
    yield f"{tally.edges:,} protocol edges (the paper: {edges})"
    yield f"{tally.free_orders:,} rows with a free order, accepted (the paper: {orders})"


def _pairs(tally: Tally) -> Iterator[str]:
    yield "the same last answer, another conduct:"
    for pair in pairs(tally):
        yield from _pair(pair)


def _pair(pair: Pair) -> Iterator[str]:
    words = {True: "PASS", False: "FAIL"}
    final = " -> ".join(words[one] for one in pair.final_only)
    ours = " -> ".join(words[one] for one in pair.ours)
    yield f"  {pair.task}: {pair.kind}"
    yield f"    last answer only: {final} ({pair.answer['action']}, {pair.answer['reason']})"
    yield f"    every obligation: {ours} ({pair.obligation}: {pair.reason})"


def _faults(tally: Tally) -> Iterator[str]:
    for fault in tally.faults[:_SHOWN]:
        yield f"fault: {fault}"
    if len(tally.faults) > _SHOWN:
        yield f"and {len(tally.faults) - _SHOWN:,} faults more; --json has them all"
