"""The selection of a whole corpus, and the table of what there was to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.canonical import Json
from benchwright.suites.telemetry.families.account import account
from benchwright.suites.telemetry.families.enumerate import Enumerated
from benchwright.suites.telemetry.families.model import Candidate
from benchwright.suites.telemetry.families.select import SPLITS, Chosen, Split, by_split, choose
from benchwright.suites.telemetry.families.sink import Sink


@dataclass(frozen=True, slots=True)
class Selected:
    """Rows to be, and counts per kind."""

    chosen: tuple[Chosen, ...]
    table: tuple[dict[str, Json], ...]
    """Per kind: candidates, eligible, why not, those of no split, and per split what was available,
    retained and missing from the quota."""
    accounts: tuple[Json, ...]
    """Per kind: why there are not more rows."""


def selected(found: Enumerated, dev_every: int) -> Selected:
    """Choose from all candidates, in the order of the manifest."""
    chosen: list[Chosen] = []
    table, accounts = [], []
    for sink in found.sinks:
        parts = by_split(sink.found, dev_every)
        own = list(_chosen(sink, parts))
        chosen += own
        table.append(_line(sink, parts, own))
        accounts.append(account(sink, parts, own))
    return Selected(tuple(chosen), tuple(table), tuple(accounts))


def _chosen(sink: Sink, parts: dict[Split, list[Candidate]]) -> Iterator[Chosen]:
    kind = sink.kind
    for split in SPLITS:
        quota = getattr(kind.quota, split)
        for candidate in choose(parts[split], quota, kind.family.caps):
            yield Chosen(kind, split, candidate)


def _line(sink: Sink, parts: dict[Split, list[Candidate]], own: list[Chosen]) -> dict[str, Json]:
    counts, quota = sink.counts, sink.kind.quota
    retained: dict[str, Json] = {split: sum(c.split == split for c in own) for split in SPLITS}
    return {
        "family": sink.kind.family.name,
        "variant": sink.kind.variant,
        "candidates": counts.candidates,
        "eligible": counts.eligible,
        "missed": dict(sorted(counts.missed.items())),
        "of_no_split": counts.across,
        "available": {split: len(parts[split]) for split in SPLITS},
        "retained": retained,
        "shortfall": {
            split: getattr(quota, split) - sum(c.split == split for c in own) for split in SPLITS
        },
    }
