"""What each scorer observes, over a whole set; rows are proved where an executor runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from typing import Any, Final, Literal

from benchwright.canonical import Json
from benchwright.suites.telemetry.obligations.model import TYPES
from benchwright.suites.telemetry.proof.batches import over_rows
from benchwright.suites.telemetry.proof.row import PAIRED, Pair, Tally, proved
from benchwright.tasks.taskset import TaskSet

PAPER: Final[Mapping[str, Any]] = {
    "shares": {"its own scorer": 93.4, "tau3 airline": 17.9, "ToolSandbox": 78.0},
    "mutations": {"component": 446, "protocol": 419},
    "controls": {"component": 104, "protocol": 10},
    "protocol_edges": 169,
    "free_orders": 134,
}
"""What the paper counts, on 89 test rows; edges and orders on 204 rows of its other corpus."""
PROTOCOL = frozenset({"asks_site", "asks_time", "no_early_call", "protocol_completed"})
ORDERS = frozenset({"before_reveal", "calls_before_asked", "calls_turned_round"})


def proved_set(tasks: TaskSet, executor: Executor) -> Tally:
    """Every mutation and control of every row of a set, in the order of ids."""
    return over_rows(tasks, proved, Tally, executor)


def share(tally: Tally, scorer: Literal["ours", "final_only"]) -> float:
    """Per cent of instances that a scorer observes."""
    seen: Counter[str] = getattr(tally, scorer)
    return 100 * seen.total() / max(1, tally.instances.total())


def document(tally: Tally) -> dict[str, Any]:
    """Everything as plain data."""
    types = {
        name: {
            "instances": tally.instances[name],
            "ours": tally.ours[name],
            "final_only": tally.final_only[name],
            "mutations": tally.mutations[name],
            "named": tally.named[name],
        }
        for name in TYPES
    }
    return {
        "types": types,
        "instances": tally.instances.total(),
        "ours": {"observed": tally.ours.total(), "share": share(tally, "ours")},
        "final_only": {"observed": tally.final_only.total(), "share": share(tally, "final_only")},
        "mutations": _counts(tally.mutations, tally.named, PROTOCOL),
        "controls": _counts(tally.controls, tally.accepted, ORDERS),
        "controls_by_kind": {name: tally.controls[name] for name in sorted(tally.controls)},
        "protocol_edges": tally.edges,
        "free_orders": tally.free_orders,
        "pairs": [_shown(pair) for pair in pairs(tally)],
        "faults": [*tally.faults],
        "paper": dict(PAPER),
    }


def pairs(tally: Tally) -> Iterator[Pair]:
    """One pair of every kind that is asked for, of as many families as there are."""
    used: Counter[str] = Counter()
    for kind in PAIRED:
        families = [family for *what, family in sorted(tally.pairs) if tuple(what) == kind]
        if families:
            family = min(families, key=lambda name: used[name])
            used[family] += 1
            yield tally.pairs[*kind, family]


def _counts(
    made: Counter[str], met: Counter[str], protocol: frozenset[str]
) -> dict[str, dict[str, int]]:
    def part(inside: bool) -> dict[str, int]:
        names = [name for name in made if (name in protocol) == inside]
        return {"made": sum(made[n] for n in names), "right": sum(met[n] for n in names)}

    return {"component": part(inside=False), "protocol": part(inside=True)}


def _shown(pair: Pair) -> dict[str, Json]:
    return {
        "task": pair.task,
        "obligation": pair.obligation,
        "changed": pair.kind,
        "last_answer": dict(pair.answer),
        "final_only": list(pair.final_only),
        "ours": list(pair.ours),
        "reason": pair.reason,
    }
