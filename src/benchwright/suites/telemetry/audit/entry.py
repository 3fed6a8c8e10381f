"""The audit of one set: raw files read, everything made again, every statement compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.audit import contract, held, selection
from benchwright.suites.telemetry.audit.candidates.base import Pool
from benchwright.suites.telemetry.audit.candidates.every import pools
from benchwright.suites.telemetry.audit.canonical import canonical
from benchwright.suites.telemetry.audit.contract import SPLITS
from benchwright.suites.telemetry.audit.findings import (
    Finding,
    Report,
    UnusableInput,
)
from benchwright.suites.telemetry.audit.raw.load import streams
from benchwright.suites.telemetry.audit.rows.compare import compare
from benchwright.suites.telemetry.audit.rows.handles import Handles
from benchwright.suites.telemetry.audit.world import World

MALFORMED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True, slots=True)
class Audited:
    """What an audit found: differences, and how many comparisons of each kind it made."""

    findings: tuple[Finding, ...]
    counts: Mapping[str, int]


def audit(set_folder: Path, data_folder: Path, *, turns: bool = True) -> Audited:
    """Recompute a telemetry set from raw files and compare everything that it states.

    Args:
        set_folder: a task set, of which only `held/` is read: `shared/corpus.toml`,
            `shared/selection.txt`, `shared/candidates.json`, `shared/thresholds.json`,
            `shared/margins.json` and `<task-id>/gold.json`.
        data_folder: where the files lie that the corpus file names, under those names or, failing
            that, under the last part of the name; generated files too, already made.
        turns: whether every turn of every conversation is computed too (docs/dialogue.md); the
            kinds `phases` and `duties` are compared only then.

    Returns:
        All findings, in order of what was compared (files, candidates, thresholds, selection,
        rows), and the number of comparisons per kind of `findings.KINDS`. No finding, and no kind
        that was not compared, means that the set says what the raw files say.

    Raises:
        UnusableInput: the set, the corpus file or a data file cannot be read, or has a form that
            the audit does not read (`long_parquet`).
    """
    report = Report()
    shared = set_folder / "held" / "shared"
    corpus = contract.load(shared / "corpus.toml")
    world = World(corpus, streams(corpus, data_folder, report))
    chosen = _candidates(world, shared, report)
    for name, compared in (
        ("thresholds", lambda: _thresholds(world, shared, report)),
        ("selection", lambda: _selection(chosen, held.selection(shared), report)),
    ):
        _readable(report, name, compared)
    handles = Handles(report)
    splits = {identity: split for split, identity in chosen}
    for task, path in held.rows(set_folder / "held"):
        before = len(report.findings)
        try:
            row = held.json_file(path)
            identity = canonical(row["identity"])
            report.compare("identities", task, "split", row["split"], splits.get(identity))
            compare(world, handles, task, row, turns=turns)
        except (*MALFORMED, UnusableInput) as error:
            # A row that is no row has one problem; what came of its remains says nothing.
            del report.findings[before:]
            what = error if isinstance(error, UnusableInput) else repr(error)
            report.note("gold", task, "row", "a row of this format", f"cannot be read: {what}")
    return Audited(tuple(report.findings), dict(sorted(report.counts.items())))


def _candidates(world: World, shared: Path, report: Report) -> list[tuple[str, str]]:
    """Compare the counts of every family and variant; give the whole selection, in order."""
    stated: dict[tuple[str, str], Any] = {}
    _readable(report, "candidates", lambda: stated.update(_stated(shared)))
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for pool in pools(world):
        chosen = {s: [canonical(c.identity) for c in some] for s, some in selection.chosen(pool)}
        name = (pool.family.name, pool.variant)
        found[name] = chosen
        _counts(pool, stated.get(name, {}), chosen, report)
    report.compare(
        "candidates", "candidates", "families", [*map(list, stated)], [*map(list, found)]
    )
    return [(s, i) for chosen in found.values() for s in SPLITS for i in chosen[s]]


def _stated(shared: Path) -> dict[tuple[str, str], Any]:
    """What the set says of every family and variant."""
    families = held.json_file(shared / "candidates.json")["families"]
    return {(str(f["family"]), str(f["variant"])): dict(f) for f in families}


def _readable(report: Report, name: str, compared: Callable[[], None]) -> None:
    """Compare; a held file that cannot be read is a finding of its own."""
    try:
        compared()
    except (*MALFORMED, UnusableInput) as error:
        what = error if isinstance(error, UnusableInput) else repr(error)
        report.note(name, f"held/shared: {name}", "file", "readable", f"cannot be read: {what}")


def _counts(
    pool: Pool, stated: Mapping[str, Any], chosen: Mapping[str, list[str]], report: Report
) -> None:
    row = f"{pool.family.name}/{pool.variant}"
    parts = selection.splits(pool.kept, pool.world.corpus.rules["dev_every"])
    quotas = selection.quotas(pool)
    found = {
        "candidates": pool.counts["candidates"],
        "eligible": pool.counts["eligible"],
        "of_no_split": pool.counts["none"],
        "available": {split: len(some) for split, some in parts.items()},
        "retained": {split: len(some) for split, some in chosen.items()},
        "shortfall": {split: quotas[split] - len(some) for split, some in chosen.items()},
    }
    for name, value in found.items():
        report.compare("candidates", row, name, stated.get(name), value)


def _thresholds(world: World, shared: Path, report: Report) -> None:
    stated = {
        **held.thresholds(shared / "thresholds.json"),
        **held.thresholds(shared / "margins.json"),
    }
    found: dict[Any, tuple[float, int]] = {
        (n, s): (v, c) for n, s, v, c in world.thresholds.records()
    }
    found |= world.judge.limits
    for key in sorted(stated.keys() | found.keys(), key=repr):
        given, made = stated.get(key, (None, None)), found.get(key, (None, None))
        name = f"{key[0]} {key[1] if isinstance(key[1], str) else dict(key[1])}"
        report.compare("thresholds", name, "value", given[0], made[0])
        report.compare("thresholds", name, "count", given[1], made[1])


def _selection(
    found: Iterable[tuple[str, str]], stated: list[tuple[str, str]], report: Report
) -> None:
    """Place by place; identities that are missing, new or in another place are told as such."""
    made = [*found]
    report.compare("selection", "selection", "rows", len(stated), len(made))
    places = {line: place for place, line in enumerate(made)}
    for place, line in enumerate(stated):
        report.compare(
            "selection", line[1], f"place and split ({line[0]})", place, places.get(line)
        )
    for line in sorted(set(made) - set(stated)):
        if line in places:
            report.note("selection", line[1], f"missing in {line[0]}", None, places[line])
