"""One conversation told: where it broke, what was said and called, and what became of each duty."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchwright.canonical import plain
from benchwright.report.dialogue import Mark, Speaker, Talk, Utterance, exchange_anchor
from benchwright.report.episode_page import EpisodeView
from benchwright.report.page import (
    Badge,
    Block,
    Cell,
    Column,
    Facts,
    Heading,
    Section,
    Table,
    Text,
)
from benchwright.report.suite import Scored
from benchwright.report.words import counted, sentence
from benchwright.scoring.model import Check
from benchwright.suites.telemetry.diagnosed.links import LINKS, first_broken, links
from benchwright.suites.telemetry.diagnosed.told import Told
from benchwright.suites.telemetry.obligations.model import TYPES, Obligation

_ORDER_NOTE = (
    "In dependency order. The first that was broken is the cause; what can have been broken by it "
    "is set back."
)


def episode_blocks(scored: Scored) -> tuple[Block, ...]:
    """An episode's page between its figures and its prompt; nothing where nothing was judged."""
    episode = scored.view.episode
    if episode is None or scored.sheet is None or not scored.sheet.checks:
        return ()
    told = Told.open(scored.gold, episode, scored.sheet)
    return (
        *_verdict(told, scored.view),
        Heading("What was said", note="Calls open to everything that came back."),
        Talk(tuple(_utterances(told))),
        Heading("What was asked of it", note=_ORDER_NOTE, anchor="obligations"),
        duty_table(told, scored.view.path),
    )


def _verdict(told: Told, view: EpisodeView) -> Iterator[Block]:
    """Whether it passed, and where the chain broke."""
    number = len(told.duties.obligations)
    if not told.failed:
        yield Text(f"It passed: all {number} obligations are met.", "muted")
    else:
        first = told.causes[0]
        yield Text(_broke(told, first), "bad")
    chain = links(told)
    broke = first_broken(chain)
    held = {check.name: check for check in chain}
    items = [(name, _link(held.get(name), check_is(broke, name), view)) for name in LINKS]
    yield Facts(tuple(items), narrow=True)


def check_is(check: Check | None, name: str) -> bool:
    """Whether a check is the one of this name."""
    return check is not None and check.name == name


def _broke(told: Told, first: Obligation) -> str:
    check, more = told.checks[first.id], len(told.broken) - 1
    others = len(told.causes) - 1
    words = f"It broke at turn {first.phase + 1}: {name_of(first)}. {sentence(check.reason or '')}"
    if not more:
        return f"{words} Everything else is met."
    below = f"{counted(more, 'more obligation')} {'is' if more == 1 else 'are'} not met"
    own = f"; {others} of them by a fault of {'its' if others == 1 else 'their'} own"
    return f"{words} {below}{own if others else ', all downstream of it'}."


def _link(check: Check | None, first: bool, view: EpisodeView) -> Cell:
    if check is None:
        return Cell("does not apply", tone="muted")
    if check.outcome == "pass":
        return Cell("held", tone="good")
    at = check.evidence[0].at if check.evidence else None
    href = f"{view.path}#{exchange_anchor(at)}" if at is not None else None
    mark = (Badge("first", "bad"),) if first else ()
    return Cell("broke", href=href, tone="bad", badges=mark)


def name_of(obligation: Obligation) -> str:
    """An obligation in words."""
    return obligation.type.replace("_", " ")


def duty_table(told: Told, path: str) -> Table:
    """Every obligation with its outcome, turn by turn; evidence leads to the exchange."""
    heads = (Column("obligation"), Column("met when"), Column("outcome"), Column("shown by"))
    return Table(heads, tuple(
        Section(f"Turn {number + 1}", _lines(told, number, path), note=phase.text)
        for number, phase in enumerate(told.script.phases)
    ))  # fmt: skip


def _lines(told: Told, number: int, path: str) -> tuple[tuple[Cell, ...], ...]:
    own = [one for one in told.duties.obligations if one.phase == number]
    return tuple(_line(told, one, path) for one in own if one.id in told.checks)


def _line(told: Told, one: Obligation, path: str) -> tuple[Cell, ...]:
    check = told.checks[one.id]
    shown = check.evidence[0].at if check.evidence else None
    where = Cell(f"exchange {shown}", f"{path}#{exchange_anchor(shown)}") if shown else Cell("–")
    met, below = check.outcome == "pass", one.id in told.downstream
    outcome = Cell("met", tone="good") if met else _unmet(told, one, check, below)
    return (
        Cell(name_of(one), hint=one.id, tone="muted" if below and not met else "plain"),
        Cell(note=TYPES[one.type][1]),
        outcome,
        where,
    )


def _unmet(told: Told, one: Obligation, check: Check, below: bool) -> Cell:
    words = f"✗ {check.reason or check.outcome}"
    if below:
        return Cell(words, tone="muted", note="downstream of what broke before")
    first = one.id == told.causes[0].id
    return Cell(words, tone="bad", badges=(Badge("the cause" if first else "a cause", "bad"),))


def _utterances(told: Told) -> Iterator[Utterance]:
    marks = _marks(told)
    for line in told.lines:
        number = int(line["n"])
        yield from _of_line(line, number, marks.get(number, ()))


def _of_line(line: Mapping[str, Any], number: int, marks: Sequence[Mark]) -> Iterator[Utterance]:
    kind, own = line["kind"], tuple(marks)
    if kind == "call":
        yield _call(line, number, own)
    elif kind == "ask":
        yield Utterance(number, "agent", f"asks which {line['slot']}", marks=own)
    elif kind == "reply":
        said = _fields(line["reply"])
        yield Utterance(number, "agent", "replies", fields=said, marks=own)
    elif kind == "say":
        yield Utterance(number, "agent", "says", line["text"], marks=own)
    elif kind == "bad":
        yield _unusable(line, number, own)
    elif kind == "end":
        yield _ended(line, number)
    if "turn" in line:
        turn = line["turn"]
        speaker: Speaker = "operator"
        shown = own if kind == "open" else ()
        yield Utterance(number, speaker, "operator", turn["text"], marks=shown)


def _call(line: Mapping[str, Any], number: int, marks: tuple[Mark, ...]) -> Utterance:
    answer = line["answer"]
    folded = json.dumps(plain(answer), indent=1, ensure_ascii=False)
    fields = _fields(line["arguments"])
    return Utterance(
        number, "call", line["operation"], fields=fields, outcome=_gave(answer), folded=folded,
        marks=marks,
    )  # fmt: skip


_TOLD = (
    *("stream_id", "value", "observed", "matched", "mean", "change", "mean_a", "mean_b"),
    *("difference", "higher", "margin"),
    *("coverage", "gap_ratio", "decision", "handle"),
)
"""Fields of an answer that its line shows."""


def _gave(answer: Mapping[str, Any]) -> str:
    if "error" in answer:
        return f"refused: {answer['error']} · {answer.get('message', '')}"
    ranked = answer.get("ranked") or ()
    order = [" > ".join(str(one.get("stream_id")) for one in ranked)] if ranked else []
    told = [f"{name} {_text(answer[name])}" for name in _TOLD if answer.get(name) is not None]
    return " · ".join([*order, *told])


def _unusable(line: Mapping[str, Any], number: int, marks: tuple[Mark, ...]) -> Utterance:
    given = line["arguments"]
    text = _text(given) if given is not None else "arguments too large to keep, or no JSON"
    return Utterance(
        number, "note", f"{line['tool']}: not usable", text, outcome=line["message"], marks=marks
    )


_ENDS = {
    "operator": "The operator ended the conversation.",
    "turns": "No message was left.",
    "calls": "No call was left.",
    "agent": "The agent left.",
    "error": "The conversation broke off by a fault of ours.",
}


def _ended(line: Mapping[str, Any], number: int) -> Utterance:
    reason, after = line["reason"], line["after"]
    more = f" It tried {counted(after, 'time')} more." if after else ""
    return Utterance(number, "note", "end", f"{_ENDS.get(reason, reason)}{more}")


def _fields(named: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    shown = {name: value for name, value in named.items() if value is not None and value != []}
    return tuple((name, _text(value)) for name, value in shown.items())


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return json.dumps(plain(value), ensure_ascii=False)


def _marks(told: Told) -> dict[int, tuple[Mark, ...]]:
    """What every exchange shows, by number."""
    found: dict[int, list[Mark]] = {}
    for one in told.duties.obligations:
        check = told.checks.get(one.id)
        if check is None or not check.evidence:
            continue
        found.setdefault(int(check.evidence[0].at), []).append(_mark(told, one, check))
    return {number: tuple(own) for number, own in found.items()}


def _mark(told: Told, one: Obligation, check: Check) -> Mark:
    if check.outcome == "pass":
        return Mark(f"✓ {name_of(one)}", "good", one.id)
    if check.outcome == "unverified":
        return Mark(f"? {name_of(one)}: {check.reason}", "muted", one.id)
    words = f"✗ {name_of(one)}: {check.reason}"
    return Mark(words, "muted" if one.id in told.downstream else "bad", one.id)
