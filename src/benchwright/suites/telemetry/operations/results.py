"""Results of the nine operations. Instants are ISO texts in UTC with milliseconds."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Outcome = Literal["answer", "caution", "abstain"]


class Result(BaseModel):
    """What every result says."""

    model_config = ConfigDict(frozen=True)

    handle: str
    """Cite this as evidence."""
    unit: str | None
    """None where no metadata gives one."""
    count: int
    """Readings, or points, that the result rests on."""
    coverage: float | None
    """Readings over expected readings in the window; None where there is no window."""
    flags: dict[str, int]
    """How many readings are marked: time_adjusted, dropout, sentinel, left_out, and range
    where the contract leaves these out; imputed is 1 where the publisher filled or smoothed the
    series."""


class PointResult(Result):
    """A point that was meant without doubt."""

    stream_id: str
    site: str
    point_class: str
    kind: str
    equipment: str
    location: str | None
    location_type: str | None
    qualifiers: str
    owners: tuple[str, ...]
    first: str
    last: str


class Reading(Result):
    """One reading."""

    stream_id: str
    requested: str
    observed: str
    value: float
    offset_s: float
    """Observed minus requested."""
    matched: Literal["exact", "nearest"]
    tie: bool
    """Another reading is equally near; the earlier one is given."""
    acceptable: bool
    """Within the offset that the contract accepts."""


class WindowResult(Result):
    """Figures of a window; the mean of a cumulative stream is None and it has a change instead."""

    stream_id: str
    start: str
    end: str
    mean: float | None
    least: float
    greatest: float
    change: float | None
    calendar: Literal["utc", "local"] | None = None
    period: Literal["day", "week", "month"] | None = None
    first_day: str | None = None


class Comparison(Result):
    """Two means of one window."""

    start: str
    end: str
    stream_a: str
    stream_b: str
    mean_a: float
    mean_b: float
    difference: float
    """mean_a minus mean_b."""
    higher: Literal["a", "b", "tie"]


class Ranked(BaseModel):
    """One place of a ranking."""

    model_config = ConfigDict(frozen=True)

    rank: int
    stream_id: str
    equipment: str
    location: str | None
    value: float
    coverage: float


class Ranking(Result):
    """Streams by mean, or by change where they are cumulative; equal values by stream id."""

    start: str
    end: str
    of: Literal["mean", "change"]
    ranked: tuple[Ranked, ...]
    margin: float
    """Between the first two."""
    without_data: tuple[str, ...]


class QualityResult(Result):
    """Whether a window is good enough, and why not."""

    stream_id: str
    start: str
    end: str
    gap_ratio: float
    greatest_gap_s: float
    frozen: int
    out_of_range: int
    spikes: int
    decision: Outcome
    reason: str | None
    season: str


class ProfileHour(BaseModel):
    """One hour of the week."""

    model_config = ConfigDict(frozen=True)

    day_of_week: int
    """0 is Monday."""
    hour: int
    count: int
    mean: float


class Profile(Result):
    """Means by hour of the week, by the local clock."""

    stream_id: str
    hours: tuple[ProfileHour, ...]


class PreviewReading(BaseModel):
    """One reading at an end of a stream."""

    model_config = ConfigDict(frozen=True)

    at: str
    value: float


class Preview(Result):
    """First and last readings."""

    stream_id: str
    first: tuple[PreviewReading, ...]
    last: tuple[PreviewReading, ...]
