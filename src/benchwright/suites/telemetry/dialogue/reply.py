"""What an agent can state in a reply: a fixed public vocabulary, the same in every conversation."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.suites.telemetry.rows.model import Action

_Text = Annotated[str, Field(max_length=300)]
_Ids = Annotated[list[_Text], Field(max_length=400)]


def _said(words: str) -> Any:
    return Field(default=None, description=words)


class Reply(BaseModel):
    """A reply to the operator: what you do, why, what you state, and what it rests on."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    action: Action | None = _said("answer, abstain or re_clarify.")
    reason: _Text | None = _said("Reason code of the action.")
    stream: _Text | None = _said("Stream id that the value is of.")
    value: float | None = _said("Reading, mean or change; of a ranking, the figure of the leader.")
    of: Literal["mean", "change"] | None = _said("Whether value is a mean or a change.")
    observed: _Text | None = _said("Instant of the reading, ISO with offset.")
    offset_s: float | None = _said("Observed minus requested, in seconds.")
    coverage: float | None = _said("Coverage of a window.")
    gap_ratio: float | None = _said("Gap ratio of a window.")
    decision: _Text | None = _said("Decision on quality: answer, caution or abstain.")
    quality_reason: _Text | None = _said("Reason of that decision; none where there is none.")
    deciding_check: _Text | None = _said("The check that decided; none where all were passed.")
    mean_a: float | None = _said("Mean of the stream that was named first.")
    mean_b: float | None = _said("Mean of the stream that was named second.")
    difference: float | None = _said("mean_a minus mean_b.")
    higher: _Text | None = _said("Stream id with the higher mean.")
    ranked: _Ids | None = _said("Stream ids, highest first.")
    winner: _Text | None = _said("Stream id that leads.")
    margin: float | None = _said("Figure of the leader minus that of the next.")
    error: _Text | None = _said("Error of a refusal.")
    candidates: _Ids | None = _said("Stream ids that can be meant.")
    flag: _Text | None = _said("Mark of a reading that is a fault: dropout, sentinel or range.")
    streams: _Ids | None = _said("Stream ids that everything rests on.")
    handles: _Ids = Field(default=[], description="Handles of the results that you cite.")


def is_empty(reply: Reply) -> bool:
    """Whether a reply says nothing: no action and no field."""
    said = reply.model_dump(exclude={"handles"})
    return all(value is None for value in said.values())
