"""One stated row against what the raw files give, field by field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchwright.suites.telemetry.audit.canonical import canonical, key_of
from benchwright.suites.telemetry.audit.contract import Family
from benchwright.suites.telemetry.audit.findings import Report, UnusableInput
from benchwright.suites.telemetry.audit.phases.judged import compare_duties
from benchwright.suites.telemetry.audit.phases.make import phases
from benchwright.suites.telemetry.audit.phases.words import Said, said
from benchwright.suites.telemetry.audit.rows.alternatives import alternatives, others
from benchwright.suites.telemetry.audit.rows.expect import FAMILIES, Asked, Row
from benchwright.suites.telemetry.audit.rows.handles import Handles
from benchwright.suites.telemetry.audit.rows.look import Call, Read
from benchwright.suites.telemetry.audit.world import World

Stated = Mapping[str, Any]
WINDOWS = ("start", "end", "first_day", "period", "calendar", "observed", "requested")
OFFSETS = ("offset_s", "tie", "acceptable", "matched")
QUALITY = (
    *("coverage", "gap_ratio", "greatest_gap_s", "frozen", "out_of_range", "spikes"),
    *("flags", "season", "decision", "reason"),
)
# What a refusal says to a reader; handles are compared by themselves.
UNCOMPARED = ("message", "ask", "handle")


def kind_of(name: str) -> str:
    """Under which kind a field of an answer is counted."""
    for kind, names in (("windows", WINDOWS), ("offsets", OFFSETS), ("quality", QUALITY)):
        if name in names:
            return kind
    return "values"


def compare(world: World, handles: Handles, task: str, stated: Stated, *, turns: bool) -> None:
    """All fields of one row; those that no document fixes are left out."""
    identity, report = stated["identity"], handles.report
    families: dict[str, Family] = {f.name: f for f in world.corpus.families}
    report.compare("identities", task, "key", stated["key"], key_of(identity))
    try:
        asked = Asked(world, families[identity["family"]], identity)
        row = FAMILIES[identity["family"]](asked)
    except (UnusableInput, IndexError, KeyError, ValueError, TypeError) as error:
        report.note(
            "identities", task, "identity", canonical(identity), f"cannot be asked: {error!r}"
        )
        return
    _who(world, report, task, stated, row)
    _calls(handles, task, "calls", stated["calls"], row.calls)
    _gold(report, task, stated, row)
    _evidence(report, task, stated, row)
    if turns:
        _phases(handles, task, stated, asked, row)
    found = sorted(map(canonical, alternatives(world, row)))
    report.compare(
        "arguments", task, "alternatives", sorted(map(canonical, stated["alternatives"])), found
    )


def _who(world: World, report: Report, task: str, stated: Stated, row: Row) -> None:
    report.compare("identities", task, "site", stated["site"], row.site)
    streams = [world.streams[s] for s in stated["identity"]["streams"]]
    for place, stream in enumerate(streams):
        found = stream.point.record()
        given = stated["points"][place] if place < len(stated["points"]) else {}
        for name, value in found.items():
            report.compare("points", task, f"points.{place}.{name}", given.get(name), value)
    report.compare("points", task, "points.count", len(stated["points"]), len(streams))
    slots = stated["query"]["slots"]
    report.compare("identities", task, "query.slots.points", slots["points"], row.words)
    report.compare("windows", task, "query.slots.time", slots["time"], row.time)


def _calls(
    handles: Handles, task: str, where: str, stated: Sequence[Stated], calls: Sequence[Call]
) -> None:
    report = handles.report
    report.compare("arguments", task, f"{where}.count", len(stated), len(calls))
    for place, (given, found) in enumerate(zip(stated, calls, strict=False)):
        _call(report, task, f"{where}.{place}", given, found)
        handles.compare(task, f"{where}.{place}.handle", given["answer"].get("handle"), found)


def _call(report: Report, task: str, where: str, given: Stated, found: Call) -> None:
    report.compare("arguments", task, f"{where}.operation", given["operation"], found.operation)
    names = sorted(given["arguments"].keys() | found.arguments.keys())
    for name in names:
        stands, gives = given["arguments"].get(name), found.arguments.get(name)
        report.compare("arguments", task, f"{where}.arguments.{name}", stands, gives)
    _answer(report, task, f"{where}.answer", given["answer"], found)


def _phases(handles: Handles, task: str, stated: Stated, asked: Asked, row: Row) -> None:
    """Every turn of the conversation: its kind, its calls and its gold; and what is owed of it."""
    report = handles.report
    given, found = stated["script"]["phases"], phases(asked, row)
    report.compare("phases", task, "phases", [p["kind"] for p in given], [p.kind for p in found])
    for place, (turn, made) in enumerate(zip(given, found, strict=False)):
        where = f"phases.{place}"
        if turn["kind"] != made.kind:
            break
        _calls(handles, task, f"{where}.calls", [r["call"] for r in turn["required"]], made.calls)
        for number, required in enumerate(turn["required"]):
            handles.listed(task, f"{where}.{number}.handles", required["handles"], required["call"])
            if number < len(made.calls):
                many = 1 + others(asked.world, made.calls[number])
                stands = f"{where}.{number}.handles.count"
                report.compare("handles", task, stands, len(required["handles"]), many)
        gold, right = turn["gold"], made.gold
        report.compare("phases", task, f"{where}.gold.action", gold["action"], right.action)
        report.compare("phases", task, f"{where}.gold.reason", gold["reason"], right.reason)
        for name in sorted(gold["fields"].keys() | right.fields.keys()):
            stands, gives = gold["fields"].get(name), right.fields.get(name)
            report.compare("phases", task, f"{where}.gold.fields.{name}", stands, gives)

    _words(report, task, stated, said(asked, row, found))
    reads = _once(read for phase in found for call in phase.calls for read in call.reads)
    _reads(report, task, "reads", stated["reads"], reads)
    compare_duties(asked.world, report, task, stated, found)


def _words(report: Report, task: str, stated: Stated, right: Said) -> None:
    """What the operator says: turn by turn, when asked, and at the end."""
    script = stated["script"]
    texts = [phase["text"] for phase in script["phases"]]
    report.compare("words", task, "query.text", stated["query"]["text"], right.question)
    report.compare("words", task, "phases.texts", len(texts), len(right.texts))
    for place, (text, made) in enumerate(zip(texts, right.texts, strict=False)):
        report.compare("words", task, f"phases.{place}.text", text, made)
    given = script["withheld"]
    shown = given and {**given, "hidden": sorted(given["hidden"])}
    report.compare("words", task, "script.withheld", shown, right.slot)
    report.compare("words", task, "script.mode", script["mode"], right.mode)
    report.compare("words", task, "script.closing", script["closing"], right.closing)


def _once(every: Iterable[Read]) -> list[Read]:
    """Every stretch at its first place."""
    return [*{canonical(read): read for read in every}.values()]


def _reads(
    report: Report, task: str, where: str, stated: Sequence[Stated], reads: Sequence[Read]
) -> None:
    report.compare("evidence", task, f"{where}.count", len(stated), len(reads))
    for place, (given, found) in enumerate(zip(stated, reads, strict=False)):
        for name in ("stream", "start", "end", "count", "content"):
            stands = f"{where}.{place}.{name}"
            report.compare("evidence", task, stands, given.get(name), found[name])


def _answer(report: Report, task: str, where: str, stated: Stated, found: Call) -> None:
    for name in sorted(stated.keys() | found.answer.keys()):
        if name in UNCOMPARED or (found.operation == "resolve_point" and name in _SURFACE):
            continue
        kind = "points" if found.operation == "resolve_point" else kind_of(name)
        report.compare(kind, task, f"{where}.{name}", stated.get(name), found.answer.get(name))


_SURFACE = ("count", "coverage", "flags")


def _gold(report: Report, task: str, stated: Stated, row: Row) -> None:
    gold = stated["gold"]
    report.compare("gold", task, "gold.action", gold["action"], row.action)
    report.compare("gold", task, "gold.reason", gold["reason"], row.reason)
    for name in sorted(gold["fields"].keys() | row.gold.keys()):
        given, found = gold["fields"].get(name), row.gold.get(name)
        report.compare("gold", task, f"gold.fields.{name}", given, found)
    named = [v["field"] for v in stated["verifier"]]
    report.compare("gold", task, "verifier.fields", sorted(named), sorted(row.gold))


def _evidence(report: Report, task: str, stated: Stated, row: Row) -> None:
    evidence = stated["evidence"]
    reads = [read for call in row.calls for read in call.reads]
    _reads(report, task, "evidence.reads", evidence["reads"], reads)
    named = {read["stream"] for read in reads}
    for answer in (call.answer for call in row.calls):
        named |= {one["stream_id"] for one in answer.get("candidates", [])}
        named |= {answer["stream_id"]} if "stream_id" in answer else set()
    report.compare("evidence", task, "evidence.streams", evidence["streams"], sorted(named))
    handles = [call["answer"].get("handle") for call in stated["calls"]]
    report.compare("evidence", task, "evidence.handles", evidence["handles"], handles)
