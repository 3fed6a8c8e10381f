"""One row per failed conversation: where it broke, what a reader of its end would have seen."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Final

from benchwright.canonical import digest_bytes
from benchwright.episodes.folder import read_closing
from benchwright.episodes.session import SESSION_FILE
from benchwright.scoring.sheets import sheet_path
from benchwright.suites.telemetry.diagnosed.links import category_of, first_broken, links
from benchwright.suites.telemetry.diagnosed.told import Told
from benchwright.suites.telemetry.obligations.model import TYPES

FINAL: Final = frozenset({"reporting_action", "reporting_reason", "evidence_streams"})
"""Types that a reader of the commitment and of the last reply can judge; a handle cannot be judged
without the records."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed conversation. Digests are SHA-256 in hex."""

    episode: str
    task: str
    family: str
    split: str
    agent: str
    model: str
    privileged: bool
    trial: int
    first: str
    """Id of the first broken obligation in dependency order: the cause."""
    aspect: str
    link: str
    category: str
    why: str
    exchange: str
    """Number of the exchange that shows it; empty where what is missing left none."""
    broken: int
    of: int
    causes: int
    """Broken obligations that are downstream of no other."""
    categories: str
    """Kinds of failure among all that is broken, joined by `+`."""
    final: str
    """Whether the final answer is right, or wrong."""
    explained: str
    """`there` where every cause lies in the final answer, `partly` where it is wrong and more lies
    in the records, `in records only` where it is right."""
    contract: str
    """Digest of the frozen duties."""
    trace: str
    """Digest of session.jsonl, as stated in the closing record."""
    score: str
    """Digest of the sheet's file."""


def failure(told: Told, axes: dict[str, str]) -> Failure | None:
    """The row of a failed conversation; None where it passed or was not judged."""
    if not told.failed:
        return None
    first, link = told.causes[0], first_broken(links(told))
    check, agent = told.checks[first.id], told.episode.agent
    wrong = [one for one in told.broken if one.type in FINAL]
    everything = all(one.type in FINAL for one in told.causes)
    kinds = dict.fromkeys(category_of(one.type) for one in told.broken)
    sheet = sheet_path(told.episode.folder, told.sheet.scorer)
    return Failure(
        episode=told.episode.id,
        task=told.episode.task_id,
        family=axes.get("family", ""),
        split=axes.get("split", ""),
        agent=agent.name,
        model=agent.model or "",
        privileged=agent.privileged,
        trial=told.episode.trial,
        first=first.id,
        aspect=TYPES[first.type][0],
        link=link.name if link is not None else "",
        category=category_of(first.type),
        why=check.reason or "",
        exchange=check.evidence[0].at if check.evidence else "",
        broken=len(told.broken),
        of=len(told.duties.obligations),
        causes=len(told.causes),
        categories="+".join(kinds),
        final="wrong" if wrong else "right",
        explained="there" if everything else "partly" if wrong else "in records only",
        contract=told.duties.digest,
        trace=read_closing(told.episode.folder).records[SESSION_FILE],
        score=digest_bytes(sheet.read_bytes()),
    )


def failures_csv(rows: Sequence[Failure]) -> bytes:
    """The rows as a table for other programs, in the order given; UTF-8, one line a row."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [f.name for f in fields(Failure)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    return out.getvalue().encode()
