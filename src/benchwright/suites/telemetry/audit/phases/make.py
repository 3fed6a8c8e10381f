"""All turns of a row: kinds, calls and golds, in the order of the stages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from benchwright.suites.telemetry.audit.canonical import draw, milliseconds
from benchwright.suites.telemetry.audit.clock import DAY
from benchwright.suites.telemetry.audit.findings import UnusableInput
from benchwright.suites.telemetry.audit.phases import reading
from benchwright.suites.telemetry.audit.phases.reading import Gold
from benchwright.suites.telemetry.audit.raw.times import wall
from benchwright.suites.telemetry.audit.rows import windows
from benchwright.suites.telemetry.audit.rows.expect import FAMILIES, Asked, Row
from benchwright.suites.telemetry.audit.rows.look import Call
from benchwright.suites.telemetry.audit.stream import Stream

UNSTATED = ("tie", "acceptable")
WINDOWED = (
    *("window_mean", "daily_aggregate", "period_aggregate"),
    *("pairwise_comparison", "ranking"),
)
REPORTED = {
    "exact": ("answer", "exact_and_complete"),
    "nearest": ("answer", "nearest_but_acceptable"),
    "never": ("answer", "complete"),
    "too_far": ("re_clarify", "nearest_too_far"),
    "faulty": ("abstain", "faulty_reading"),
    "none": ("re_clarify", "no_observation"),
}


@dataclass(slots=True)
class Phase:
    """One turn."""

    kind: str
    calls: list[Call]
    gold: Gold


@dataclass
class Talk:
    """A conversation as it grows: what the latest turns left behind."""

    asked: Asked
    row: Row
    phases: list[Phase] = field(default_factory=list)
    stream: Stream = field(init=False)
    window: tuple[int, int] | None = None
    observed: int | None = None
    reading: str = "never"
    decision: str | None = None

    def __post_init__(self) -> None:
        self.stream = self.asked.streams[0]
        self.family: str = self.asked.identity["family"]
        self.variant: str = self.asked.identity["variant"]

    @property
    def steps(self) -> float:
        """How many steps off a nearest reading may be."""
        return float(self.asked.world.corpus.rules["nearest_steps"])

    def add(self, kind: str, calls: list[Call], gold: Gold) -> None:
        """The next turn; a reading in it becomes the latest one."""
        self.phases.append(Phase(kind, calls, gold))
        last = calls[-1] if calls else None
        if last is not None and last.operation == "lookup_observation":
            self.reading = reading.kind(last)
            if "observed" in last.answer:
                self.observed = milliseconds(last.answer["observed"])


def phases(asked: Asked, row: Row) -> list[Phase]:
    """Every turn of a row."""
    talk = Talk(asked, row)
    _initial(talk)
    if talk.variant not in {"unresolvable", "no_data"}:
        _revise_point(talk)
        _revise_window(talk)
        _revise_timestamp(talk)
        _quality(talk)
        _preference(talk)
    _report(talk)
    return talk.phases


def _initial(talk: Talk) -> None:
    calls, row = [*talk.row.calls], talk.row
    if talk.family == "nearest_value":
        calls.insert(1, reading.refused(talk.stream, talk.asked.identity["at"]))
    fields = {n: v for n, v in row.gold.items() if n not in UNSTATED}
    if "reason" in fields:
        fields["quality_reason"] = fields.pop("reason")
    talk.add("initial_answer", calls, Gold(row.action, row.reason, fields))


def _revise_point(talk: Talk) -> None:
    if talk.family != "point_disambiguation":
        return
    talk.stream = talk.asked.streams[1]
    found = reading.look_up(talk.stream, talk.asked.identity["at"], talk.steps)
    calls = [talk.asked.resolved(talk.stream), *found]
    talk.add("revise_point", calls, reading.stated(found[-1]))


def _revise_window(talk: Talk) -> None:
    if talk.family not in WINDOWED:
        return
    asked, identity = talk.asked, dict(talk.asked.identity)
    if talk.family == "window_mean":
        identity["end"] += DAY
        talk.window = (identity["end"] - DAY, identity["end"])
    else:
        then = asked.world.corpus.clock.after(asked.period())
        identity["first_day"] = then.first_day
        talk.window = (then.start, then.end)
    family = next(f for f in asked.world.corpus.families if f.name == talk.family)
    next_row = FAMILIES[talk.family](Asked(asked.world, family, identity))
    gold = next_row.gold
    talk.add("revise_window", next_row.calls[-1:], Gold("answer", "complete", gold))
    winner = gold.get("winner") or gold.get("higher")
    if winner:
        talk.stream = asked.world.streams[winner]


def _revise_timestamp(talk: Talk) -> None:
    identity, asked = talk.asked.identity, talk.asked
    at: int | None = None
    if talk.variant == "no_such_local_time":
        at = asked.world.corpus.zone.passes(wall(identity["local"], {}))[0]
    elif talk.family == "exact_value" and talk.variant == "usual":
        week = asked.world.corpus.clock.period_of("week", identity["at"])
        window = (week.start, week.end)
        at = _chosen(talk, window, identity["at"])
    elif talk.window is not None:
        at = _chosen(talk, talk.window, None)
    if at is not None:
        calls = reading.look_up(talk.stream, at, talk.steps)
        talk.add("revise_timestamp", calls, reading.stated(calls[-1]))


def _chosen(talk: Talk, window: tuple[int, int], beside: int | None) -> int | None:
    """The instant of a revision by the policy of the contract."""
    policy = talk.asked.world.corpus.rules.get("timestamp_revision", "fraction")
    if policy == "minute":
        return reading.probed_minute(talk.stream, window, beside)
    if policy != "fraction":
        raise UnusableInput(f"the audit knows no timestamp_revision {policy!r}")
    return reading.chosen_instant(talk.asked.identity, talk.stream, window, talk.steps, beside)


def _quality(talk: Talk) -> None:
    if talk.family == "quality_gate":
        return
    clock = talk.asked.world.corpus.clock
    at = talk.observed
    if at is None:
        at = talk.window[0] if talk.window else talk.asked.identity["at"]
    week = clock.period_of("week", at)
    low, high = talk.stream.span(week.start, week.end)
    if low == high:
        return
    call = windows.inspect_quality(talk.asked.world, talk.stream, week)
    found: dict[str, Any] = {n: call.answer[n] for n in ("coverage", "gap_ratio", "decision")}
    reason = call.answer["reason"]
    talk.decision = found["decision"]
    action = "abstain" if talk.decision == "abstain" else "answer"
    fields = {"stream": talk.stream.id, **found, "quality_reason": reason}
    talk.add("quality_check", [call], Gold(action, reason or "complete", fields))


def preferred(talk: Talk) -> tuple[str, str]:
    """Action and reason of a quality gate under the operator's preference."""
    seed = {**talk.asked.identity, "policy": "preference"}
    strict = ("strict", "lenient")[draw(seed, 2)] == "strict"
    decision = talk.row.gold["decision"]
    if decision == "abstain":
        return "abstain", "quality_insufficient"
    if decision == "caution":
        return ("abstain", "caveat_not_wanted") if strict else ("answer", "caveat_accepted")
    return "answer", "no_caveat"


def _preference(talk: Talk) -> None:
    if talk.family == "quality_gate":
        talk.add("preference_decision", [], Gold(*preferred(talk), {}))


def _commitment(talk: Talk) -> tuple[str, str]:
    if talk.variant in {"unresolvable", "no_data"}:
        return talk.row.action, talk.row.reason
    if talk.family == "quality_gate":
        return preferred(talk)
    action, reason = REPORTED[talk.reading]
    if talk.decision == "abstain" and talk.reading != "faulty":
        kept = reason if talk.reading in {"too_far", "none"} else ""
        if talk.reading == "none":
            return "abstain", kept
        return "abstain", f"{kept}_and_quality_insufficient" if kept else "quality_insufficient"
    if talk.decision == "caution" and action == "answer":
        reason += "_with_caveat"
    return action, reason


def _report(talk: Talk) -> None:
    action, reason = _commitment(talk)
    talk.add("reporting_commitment", [], Gold(action, reason, {}))
    if talk.family == "quality_gate":
        check = talk.row.gold["reason"] or "none"
        talk.add("rationale", [], Gold(action, reason, {"deciding_check": check}))
    streams = {s for phase in talk.phases for call in phase.calls for s in _streams(call)}
    talk.add("evidence", [], Gold(action, reason, {"streams": sorted(streams)}))


def _streams(call: Call) -> list[str]:
    """Every stream that a call names, ranks or lists as a candidate."""
    both = (call.arguments, call.answer)
    named = [w[n] for w in both for n in ("stream_id", "stream_a", "stream_b") if n in w]
    lists = [call.answer.get(n, []) for n in ("ranked", "candidates")]
    return [*named, *(record["stream_id"] for some in lists for record in some)]
