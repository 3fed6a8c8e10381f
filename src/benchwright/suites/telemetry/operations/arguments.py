"""Arguments of the nine operations; other keys are refused."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.suites.telemetry.corpus.points import LONGEST

Name = Annotated[str, Field(min_length=1, max_length=LONGEST)]
Time = Annotated[
    str,
    Field(
        min_length=10,
        max_length=40,
        description="ISO time with offset (2022-02-03T07:03:23.640Z), or wall-clock time without.",
    ),
]
Stream = Annotated[
    str, Field(min_length=1, max_length=LONGEST, description="Id from resolve_point.")
]
Day = Annotated[
    str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="Any day of the period: 2022-02-03.")
]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ResolvePoint(_Arguments):
    """Which stream is meant."""

    site: Name
    point_class: Name
    equipment: Name | None = None
    location: Name | None = None
    qualifiers: Name | None = None


class LookupObservation(_Arguments):
    """One reading."""

    stream_id: Stream
    timestamp: Time
    mode: Literal["exact", "nearest"] = "exact"


class Windowed(_Arguments):
    """A stream and a window: `start` belongs to it, `end` does not."""

    stream_id: Stream
    start: Time
    end: Time


class AggregatePeriod(_Arguments):
    """A stream and a day, week or month."""

    stream_id: Stream
    period: Literal["day", "week", "month"]
    date: Day
    calendar: Literal["utc", "local"] | None = None
    """None: the calendar of the contract."""


class CompareWindow(_Arguments):
    """Two streams and a window."""

    stream_a: Stream
    stream_b: Stream
    start: Time
    end: Time


class RankWindow(_Arguments):
    """All streams of a class on a site, and a window."""

    site: Name
    point_class: Name
    location_type: Name | None = None
    start: Time
    end: Time
    order: Literal["highest", "lowest"] = "highest"
    top_k: Annotated[int, Field(ge=1, le=100)] = 10


class OneStream(_Arguments):
    """A stream."""

    stream_id: Stream
