"""One judgement per obligation: each type in a function of its own, from what the record shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from benchwright.canonical import Json
from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.evaluation.aligned import as_good, parts
from benchwright.suites.telemetry.evaluation.asides import Untrue
from benchwright.suites.telemetry.evaluation.guessed import uses
from benchwright.suites.telemetry.evaluation.stated import differing
from benchwright.suites.telemetry.evaluation.trace import Made, Replied, Trace
from benchwright.suites.telemetry.obligations.model import Duties, Needed, Obligation

CLOSED_MS = 1000
"""A window that ends within a second of its end covers the same period, and may yet be closed."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of an obligation; `reason` is None where it was met."""

    reason: str | None
    got: Json
    at: tuple[int, ...]
    """Exchanges that show it."""
    unverified: bool = False
    """Whether it cannot be told: what was said could not be read, and nothing that was is wrong."""


@dataclass(frozen=True)
class Hearing:
    """Everything that judgements are made from."""

    duties: Duties
    trace: Trace
    stands: tuple[Made | None, ...]
    """For every canonical call the call that stands for it."""
    zone: Zone
    untrue: Mapping[str, Untrue]
    """What was stated unasked and is not so, by the obligation that answers for it."""

    def judge(self, obligation: Obligation) -> Judged:
        """What became of one obligation."""
        found = _JUDGES[obligation.type](self, obligation)
        false = self.untrue.get(obligation.id)
        if false is None or (found.reason is not None and not found.unverified):
            return found
        return Judged(str(false), dict(false.said), (false.n,))


def _met(got: Json, *at: int) -> Judged:
    return Judged(None, got, at)


def _asks(hearing: Hearing, obligation: Obligation) -> Judged:
    slot = str(obligation.expects["slot"])
    at = hearing.trace.revealed.get(slot)
    return _met(slot, at) if at is not None else Judged(f"never asked for {slot}", None, ())


def _no_early_call(hearing: Hearing, obligation: Obligation) -> Judged:
    slot, free = str(obligation.expects["slot"]), cast("list[str]", obligation.expects["free"])
    at = hearing.trace.revealed.get(slot)
    for made in hearing.trace.calls:
        early = at is None or made.n < at
        if early and made.operation not in free and uses(slot, made, hearing.duties, hearing.zone):
            told = "" if made.error is None else ", and was refused"
            reason = f"{made.operation} before {slot} was known{told}"
            return Judged(reason, made.operation, (made.n,))
    return _met(None)


def _completed(hearing: Hearing, obligation: Obligation) -> Judged:
    number = obligation.phase
    if number < len(hearing.trace.replies):
        return _met(None, hearing.trace.replies[number].n)
    why = hearing.trace.ended or "the record ends"
    return Judged(f"turn {number + 1} was not answered ({why})", why, ())


def _resolved(hearing: Hearing, obligation: Obligation) -> Judged:
    needed, made = _pair(hearing, obligation)
    if made is None:
        return Judged("no call resolves the point", None, ())
    right = sorted(made.streams) == sorted(needed.streams) and made.error == needed.error
    problem = "another stream is resolved" if needed.error is None else "other streams are meant"
    return _told(right, problem, list(made.streams), made)


def _streams(hearing: Hearing, obligation: Obligation) -> Judged:
    needed, made = _pair(hearing, obligation)
    if made is None:
        # That there is no call is the fault of what asks for one, not of the stream.
        return _met(None)
    right = made.handle in needed.handles or parts(needed, made)["stream"]
    problem = "another group is ranked" if needed.group else "another stream is named"
    return _told(right, problem, list(made.streams), made)


def _looked_up(hearing: Hearing, obligation: Obligation) -> Judged:
    needed, made = _pair(hearing, obligation)
    if made is None:
        return Judged(f"no {needed.mode} look-up", None, ())
    if made.handle in needed.handles:
        return _met(made.arguments.get("timestamp"), made.n)
    mode = made.arguments.get("mode", "exact")
    if mode != needed.mode:
        return Judged(f"looked up {mode}, not {needed.mode}", mode, (made.n,))
    same = parts(needed, made)["instant"]
    return _told(same, "looked up at another instant", made.arguments.get("timestamp"), made)


def _window(hearing: Hearing, obligation: Obligation, within_ms: int) -> Judged:
    needed, made = _pair(hearing, obligation)
    if made is None:
        return Judged(f"no {needed.operation} was called", None, ())
    if made.handle in needed.handles:
        return _met([made.start, made.end], made.n)
    near = made.end is not None and abs(made.end - cast(int, needed.end)) <= within_ms
    right = made.start == needed.start and near
    return _told(right, "another window is asked about", [made.start, made.end], made)


def _period(hearing: Hearing, obligation: Obligation) -> Judged:
    return _window(hearing, obligation, CLOSED_MS)


def _half_open(hearing: Hearing, obligation: Obligation) -> Judged:
    return _window(hearing, obligation, 0)


def _quality_call(hearing: Hearing, obligation: Obligation) -> Judged:
    named, period = _streams(hearing, obligation), _half_open(hearing, obligation)
    return named if named.reason else period


def _stated(hearing: Hearing, obligation: Obligation) -> Judged:
    replied = _reply(hearing, obligation.phase)
    if replied is None:
        return Judged("the turn was not answered", None, ())
    said, n = replied.said, replied.n
    fields = cast("Mapping[str, Json]", obligation.expects["fields"])
    duties = hearing.duties
    wrong = differing(said, fields, hearing.zone, duties.tolerance, duties.offset_ms)
    for name in _ACTS:
        if name in obligation.expects and said.get(name) != obligation.expects[name]:
            wrong.append(name)
    got = {name: said.get(name) for name in [*fields, "action"] if name in said}
    open_ = _open(replied, [*fields, *(a for a in _ACTS if a in obligation.expects)], fields)
    wrong = [name for name in wrong if name not in open_]
    if open_ and not wrong:
        return _unread(replied, open_, got)
    return Judged(f"not stated: {', '.join(wrong)}", got, (n,)) if wrong else _met(got, n)


_ACTS = ("action", "reason")


def _open(replied: Replied, names: list[str], fields: Mapping[str, Json]) -> list[str]:
    """Fields that cannot be read; one that has no value is not missed where nothing names it."""
    return [
        name
        for name in names
        if (unread := replied.unread.get(name)) is not None
        and not (unread.why == "unbound" and fields.get(name, "") in (None, "none"))
    ]


def _unread(replied: Replied, names: list[str], got: Json) -> Judged:
    told = "; ".join(f"{name} {replied.unread[name]}" for name in names)
    return Judged(told, got, (replied.n,), unverified=True)


def _reported(hearing: Hearing, obligation: Obligation) -> Judged:
    replied = _reply(hearing, obligation.phase)
    if replied is None:
        return Judged("the turn was not answered", None, ())
    said, n = replied.said, replied.n
    (name,) = obligation.expects
    if name in replied.unread:
        return _unread(replied, [name], None)
    wanted, got = obligation.expects[name], said.get(name)
    return _met(got, n) if got == wanted else Judged(f"{name} is another", got, (n,))


def _evidence_streams(hearing: Hearing, obligation: Obligation) -> Judged:
    replied = _reply(hearing, obligation.phase)
    if replied is None:
        return Judged("the turn was not answered", None, ())
    said, n = replied.said, replied.n
    if "streams" in replied.unread:
        return _unread(replied, ["streams"], None)
    expected = cast("list[str]", obligation.expects["streams"])
    got: list[Json] = [*sorted(set(map(str, said.get("streams") or [])))]
    return _met(got, n) if got == sorted(expected) else Judged("other streams are named", got, (n,))


def _handle(hearing: Hearing, obligation: Obligation) -> Judged:
    if "issued" in obligation.expects:
        return _issued(hearing, obligation)
    replied = _reply(hearing, obligation.phase)
    if replied is None:
        return Judged("the turn was not answered", None, ())
    said, n = replied.said, replied.n
    cited = [str(one) for one in said.get("handles") or []]
    given = _given(hearing, n)
    place = cast(int, obligation.expects["handle_of"])
    needed, made = hearing.duties.needed[place], hearing.stands[place]
    standing = [made.handle] if made is not None and as_good(needed, made) else []
    for one in cited:
        if one in given and one in (*needed.handles, *standing):
            return _met(one, given[one], n)
    if "handles" in replied.unread:
        return _unread(replied, ["handles"], None)
    return Judged(f"no result of {needed.operation} is cited", list(cited), (n,))


def _issued(hearing: Hearing, obligation: Obligation) -> Judged:
    """Whatever message cites a handle, of evidence or not: it was given before."""
    for n, cited in hearing.trace.cited:
        given = _given(hearing, n)
        invented: list[Json] = [one for one in cited if one not in given]
        if invented:
            return Judged("a handle was never given", invented, (n,))
    replied = _reply(hearing, obligation.phase)
    if replied is None:
        return Judged("the turn was not answered", None, ())
    return _met(None, replied.n)


def _given(hearing: Hearing, before: int) -> dict[str, int]:
    """Handles that were given before an exchange, and the exchange that gave each."""
    return {made.handle: made.n for made in hearing.trace.calls if made.handle and made.n < before}


def _pair(hearing: Hearing, obligation: Obligation) -> tuple[Needed, Made | None]:
    place = cast(int, obligation.expects["call"])
    return hearing.duties.needed[place], hearing.stands[place]


def _told(right: bool, problem: str, got: Any, made: Made) -> Judged:
    return Judged(None if right else problem, got, (made.n,))


def _reply(hearing: Hearing, phase: int) -> Replied | None:
    return hearing.trace.replies[phase] if phase < len(hearing.trace.replies) else None


_JUDGES: Mapping[str, Callable[[Hearing, Obligation], Judged]] = {
    **dict.fromkeys(("asks_site", "asks_time"), _asks),
    "no_early_call": _no_early_call,
    "protocol_completed": _completed,
    "point_resolved": _resolved,
    **dict.fromkeys(
        ("alternate_point_used", "stream_argument", "stream_carried", "winner_carried"), _streams
    ),
    **dict.fromkeys(("exact_probe", "nearest_fallback"), _looked_up),
    "window_period": _period,
    "half_open": _half_open,
    "quality_call": _quality_call,
    **dict.fromkeys(
        (
            *("initial_value", "revised_value", "observed_stated", "offset_stated"),
            *("comparison_stated", "ranking_stated", "quality_stated", "quality_decision"),
            "preference_given",
        ),
        _stated,
    ),
    **dict.fromkeys(("reporting_action", "reporting_reason"), _reported),
    "evidence_streams": _evidence_streams,
    "evidence_handle": _handle,
}
