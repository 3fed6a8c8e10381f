"""The gold of a row: action, reason and fields of the right reply, all from answers of calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from benchwright.canonical import Json
from benchwright.suites.telemetry.contract.model import Tolerances
from benchwright.suites.telemetry.families.model import Kind
from benchwright.suites.telemetry.rows.model import Action, Answer, Call, FieldKind, Verified

COMPLETE: Final = "complete"
NEGATIVE: Final[Mapping[str, tuple[Action, str]]] = {
    "unresolvable": ("re_clarify", "ambiguous_point"),
    "no_such_local_time": ("re_clarify", "no_such_local_time"),
    "too_far": ("re_clarify", "nearest_too_far"),
    "no_data": ("abstain", "no_observation"),
}
"""Action and reason of variants where they depend on nothing else."""
_KINDS: Final[Mapping[str, FieldKind]] = {
    **dict.fromkeys(("stream", "higher", "winner"), "id"),
    **dict.fromkeys(("candidates", "ranked"), "ids"),
    **dict.fromkeys(("observed",), "instant"),
    **dict.fromkeys(("offset_s",), "offset"),
    **dict.fromkeys(("tie", "acceptable"), "flag"),
    **dict.fromkeys(("error", "of", "decision", "reason", "flag"), "word"),
}


FAULTS: Final = ("dropout", "sentinel", "range")
"""Flags of a reading that is no measurement, the first that is there counts."""
_EXACT: Final = ("point_disambiguation", "exact_value")


def gold_of(kind: Kind, calls: list[Call]) -> Answer:
    """The right reply."""
    fields = fields_of(calls[-1])
    if kind.family.name in _EXACT and not calls[-1].refused:
        fields = {name: fields[name] for name in ("stream", "observed", "value")}
    if kind.variant == "bad_sensor":
        flags = calls[-1].answer["flags"]
        why = next(name for name in FAULTS if name in flags)
        return Answer("abstain", why, {**fields, "flag": why})
    if kind.negative:
        action, reason = NEGATIVE[kind.variant]
        return Answer(action, reason, fields)
    if kind.family.name == "quality_gate":
        decision = str(fields["decision"])
        return Answer(
            "abstain" if decision == "abstain" else "answer",
            str(fields["reason"] or COMPLETE),
            fields,
        )
    return Answer("answer", COMPLETE, fields)


def fields_of(call: Call) -> dict[str, Json]:
    """What a reply to this call's answer has to state."""
    if call.refused:
        return _refusal(call.answer)
    return _FIELDS[call.operation](call.answer)


def verifier_of(fields: Mapping[str, Json], tolerances: Tolerances) -> tuple[Verified, ...]:
    """How every field is compared."""
    found = []
    for name in fields:
        kind = _KINDS.get(name, "number")
        exact = {"number": tolerances.value, "offset": tolerances.offset_ms / 1000}
        found.append(Verified(name, kind, exact.get(kind)))
    return tuple(found)


def _refusal(answer: Mapping[str, Any]) -> dict[str, Json]:
    said: dict[str, Json] = {"error": answer["error"]}
    if answer["error"] == "ambiguous" and all("stream_id" in c for c in answer["candidates"]):
        said["candidates"] = [c["stream_id"] for c in answer["candidates"]]
    return said


def _reading(answer: Mapping[str, Any]) -> dict[str, Json]:
    names = ("observed", "value", "offset_s", "tie", "acceptable")
    return {"stream": answer["stream_id"], **{name: answer[name] for name in names}}


def _figure(answer: Mapping[str, Any]) -> dict[str, Json]:
    of = "change" if answer["mean"] is None else "mean"
    return {"stream": answer["stream_id"], "of": of, "value": answer[of]}


def _quality(answer: Mapping[str, Any]) -> dict[str, Json]:
    names = ("coverage", "gap_ratio", "decision", "reason")
    return {"stream": answer["stream_id"], **{name: answer[name] for name in names}}


def _comparison(answer: Mapping[str, Any]) -> dict[str, Json]:
    names = ("mean_a", "mean_b", "difference")
    return {
        **{name: answer[name] for name in names},
        "higher": answer[f"stream_{answer['higher']}"],
    }


def _ranking(answer: Mapping[str, Any]) -> dict[str, Json]:
    ranked = [one["stream_id"] for one in answer["ranked"]]
    value = answer["ranked"][0]["value"]
    return {"ranked": ranked, "winner": ranked[0], "value": value, "margin": answer["margin"]}


def _point(answer: Mapping[str, Any]) -> dict[str, Json]:
    return {"stream": answer["stream_id"]}


_FIELDS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Json]]] = {
    "resolve_point": _point,
    "lookup_observation": _reading,
    "window_mean": _figure,
    "aggregate_period": _figure,
    "inspect_quality_window": _quality,
    "compare_window": _comparison,
    "rank_window": _ranking,
}
