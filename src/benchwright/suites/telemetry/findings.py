"""What all conversations of a run show together: where failures broke, and who would see it.

Counts only; every share with an interval stands in `stats`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from benchwright.report.page import Block, Cell, Column, Heading, Section, Table, Text, Tone
from benchwright.report.suite import Findings, Scored
from benchwright.scoring.model import Check
from benchwright.suites.telemetry.diagnosed.failures import Failure, failure, failures_csv
from benchwright.suites.telemetry.diagnosed.invariants import INVARIANTS, invariants
from benchwright.suites.telemetry.diagnosed.links import CATEGORIES, LINKS
from benchwright.suites.telemetry.diagnosed.told import Told
from benchwright.suites.telemetry.diagnosed.views import OPERATION_WORDS, VIEWS, Seen, seen
from benchwright.suites.telemetry.obligations.model import TYPES
from benchwright.suites.telemetry.score import type_of

FILE = "failures.csv"
_MOST = 200
"""Failures that the page lists; the file has all of them."""
_EXPLAINED = {
    ("right", "in records only"): "right; what is broken lies in the records only",
    ("wrong", "there"): "wrong, and that is where it broke",
    ("wrong", "partly"): "wrong, and more is broken that only the records show",
}


def findings(every: Sequence[Scored]) -> Findings:
    """Tables of failures, invariants and views."""
    told = [(one, Told.open(one.gold, one.view.episode, one.sheet))
            for one in every if one.view.episode and one.sheet and one.sheet.checks]  # fmt: skip
    rows = [(one, row) for one, t in told if (row := failure(t, dict(one.view.task.axes)))]
    checks = [check for _, t in told for check in invariants(t)]
    facts = [fact for _, t in told for fact in seen(t)]
    failures = [row for _, row in rows]
    blocks = (
        *_broke(failures, len(told)),
        *_agreed(checks, len(told)),
        *_viewed(facts, len(told)),
        *_listed(rows),
    )
    brief = _broke(failures, len(told))[:2]
    document = _document(failures, checks, facts, len(told))
    return Findings(blocks, tuple(brief), document, {FILE: failures_csv(failures)})


def _document(
    failures: Sequence[Failure], checks: Sequence[Check], facts: Sequence[Seen], judged: int
) -> dict[str, Any]:
    return {
        "judged": judged,
        "failures": [asdict(row) for row in failures],
        "final_answer": [
            {"final": final, "explained": where, "failures": n}
            for (final, where), n in _finals(failures).items()
        ],
        "invariants": _invariant_counts(checks, judged),
        "views": [
            {"operation": operation, "fact": fact, "of": total, "seen": dict(seen_in)}
            for (operation, fact), (total, seen_in) in _view_counts(facts).items()
        ],
    }


def _finals(failures: Sequence[Failure]) -> dict[tuple[str, str], int]:
    counts = Counter((row.final, row.explained) for row in failures)
    return {key: counts[key] for key in _EXPLAINED}


def _broke(failures: Sequence[Failure], judged: int) -> list[Block]:
    """First broken link by agent, kinds of failure, and what the final answer shows of it."""
    title = f"Where failures broke: {len(failures)} of {judged} judged conversations"
    if not failures:
        return [
            Heading(title, anchor="failures"),
            Text("Every judged conversation passed.", "muted"),
        ]
    agents = sorted({(row.privileged, row.agent, row.model) for row in failures})
    own = {key: [r for r in failures if (r.privileged, r.agent, r.model) == key] for key in agents}
    note = "The first link of the chain that broke by a fault of its own, per conversation."
    return [
        Heading(title, note=note, anchor="failures"),
        _counted_table("link", {f"{k}: {words}": [r.link == k for r in failures]
                                for k, words in LINKS.items()}, failures, own),
        Heading("Kinds of failure", 3, "One conversation can have several; the cause has one."),
        _counted_table("kind", {
            kind: [kind in r.categories.split("+") for r in failures]
            for kind in (*CATEGORIES, "statement")
        }, failures, own),
        Heading("The final answer of failed conversations", 3, _FINAL_NOTE),
        _counted_table("final answer", {words: [(r.final, r.explained) == key for r in failures]
                                        for key, words in _EXPLAINED.items()}, failures, own),
    ]  # fmt: skip


_FINAL_NOTE = (
    "The final answer is the last action with its reason, and the streams that are named as "
    "evidence. What lies in calls, earlier replies and cited handles is in the records only."
)
_Who = tuple[bool, str, str]


def _counted_table(
    first: str, hits: dict[str, list[bool]], failures: Sequence[Failure],
    own: dict[_Who, list[Failure]],
) -> Table:  # fmt: skip
    """One line per kind, one column per agent, and all."""
    heads = [Column(first), Column("all", True)]
    heads += [Column(" ".join(filter(None, key[1:])), True) for key in own]
    place = {row.episode: n for n, row in enumerate(failures)}
    lines = []
    for words, hit in hits.items():
        counts = [sum(hit[place[row.episode]] for row in rows) for rows in own.values()]
        lines.append((Cell(words), _number(sum(hit)), *map(_number, counts)))
    sums = (Cell(str(len(rows)), tone="muted") for rows in own.values())
    lines.append((Cell("failed", tone="muted"), Cell(str(len(failures)), tone="muted"), *sums))
    return Table(tuple(heads), (Section("", tuple(lines)),))


def _number(count: int) -> Cell:
    tone: Tone = "plain" if count else "muted"
    return Cell(str(count), tone=tone)


def _listed(rows: Sequence[tuple[Scored, Failure]]) -> list[Block]:
    """One line per failure, leading to its page."""
    if not rows:
        return []
    heads = (
        Column("conversation"), Column("agent"), Column("first broken"), Column("link"),
        Column("final answer"), Column("broken", True),
    )  # fmt: skip
    lines = tuple(_row(one, row) for one, row in rows[:_MOST])
    more = len(rows) - len(lines)
    note = f"{more} more are in {FILE}. " if more else ""
    note += f"{FILE}, beside this page, has one row per failure with digests of contract, record "
    return [
        Heading("Every failure"),
        Table(heads, (Section("", lines),), note=f"{note}and sheet."),
    ]


def _row(one: Scored, row: Failure) -> tuple[Cell, ...]:
    phase, kind = row.first.split(".")[0], type_of(row.first)
    return (
        Cell(row.family.replace("_", " "), one.view.path, note=row.episode[-12:]),
        Cell(row.agent, note=" ".join(filter(None, (row.model, f"trial {row.trial}")))),
        Cell(kind.replace("_", " "), note=f"turn {int(phase) + 1}: {row.why}", hint=TYPES[kind][1]),
        Cell(row.link),
        Cell(row.final, tone="bad" if row.final == "wrong" else "good", note=row.explained),
        Cell(f"{row.broken} of {row.of}"),
    )


_AGREE = {
    "winner_to_quality": "the winner of the second ranking is the stream of the next quality call",
    "window_to_arguments": "a call asks about the window that a turn moved to",
    "slot_to_use": "what was revealed is what the first call that uses it says",
}


def _invariant_counts(checks: Sequence[Check], judged: int) -> list[dict[str, Any]]:
    counts = Counter((check.name, check.outcome) for check in checks)
    return [
        {
            "name": name,
            "pass": counts[name, "pass"],
            "fail": counts[name, "fail"],
            "not_applicable": judged - counts[name, "pass"] - counts[name, "fail"],
        }
        for name in INVARIANTS
    ]


def _agreed(checks: Sequence[Check], judged: int) -> list[Block]:
    heads = (
        Column("invariant"), Column("holds", True), Column("broken", True),
        Column("does not apply", True),
    )  # fmt: skip
    lines = tuple(
        (
            Cell(_AGREE[one["name"]], hint=one["name"]),
            Cell(str(one["pass"]), tone="good" if one["pass"] else "muted"),
            Cell(str(one["fail"]), tone="bad" if one["fail"] else "muted"),
            Cell(str(one["not_applicable"]), tone="muted"),
        )
        for one in _invariant_counts(checks, judged)
    )
    note = "What must agree within a record, whatever was answered."
    return [Heading("Invariants", note=note), Table(heads, (Section("", lines),))]


def _view_counts(
    facts: Sequence[Seen],
) -> dict[tuple[str, str], tuple[int, dict[str, int]]]:
    total = Counter((one.operation, one.fact) for one in facts)
    hits = Counter((one.operation, one.fact, view) for one in facts for view in one.views)
    return {
        key: (number, {view: hits[(*key, view)] for view in VIEWS})
        for key, number in sorted(total.items())
    }


def _viewed(facts: Sequence[Seen], judged: int) -> list[Block]:
    if not facts:
        return []
    heads = (Column("fact"), Column("of", True), *(Column(view, True) for view in VIEWS))
    sections: dict[str, list[tuple[Cell, ...]]] = {}
    for (operation, fact), (total, hits) in _view_counts(facts).items():
        line = (Cell(fact), Cell(str(total)), *(_share(hits[view], total) for view in VIEWS))
        sections.setdefault(f"{OPERATION_WORDS[operation]} calls", []).append(line)
    note = (
        f"Facts of every answered call of {judged} judged conversations, and in how many views of "
        "the record each can be read: a scorer that reads less cannot judge the rest."
    )
    return [
        Heading("What each view of a record shows", note=note, anchor="views"),
        Table(heads, tuple(Section(name, tuple(own)) for name, own in sections.items())),
    ]


def _share(hits: int, total: int) -> Cell:
    return Cell(str(hits), tone="plain" if hits == total else "warn" if hits else "bad")
