"""The contract as a person writes it: versioned, strict, with a digest.

Everything has a default that the facts of real corpora speak for, so a corpus file states only what
differs. Windows are half-open everywhere, weeks start on Monday, ids order what nothing else does.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from benchwright.canonical import digest
from benchwright.errors import SpecError
from benchwright.storage import nearest, read_model
from benchwright.storage.records import Text
from benchwright.suites.telemetry.corpus.model import Strict

Channel = Literal["reply", "text"]
Calendar = Literal["utc", "local"]
Period = Literal["day", "week", "month"]
PERIODS: Final[tuple[Period, ...]] = ("day", "week", "month")
Mark = Literal["dropout", "sentinel", "range"]
Outcome = Literal["answer", "caution", "abstain"]
Field_ = Literal["site", "equipment", "location", "location_type", "point_class", "stream"]
FAMILIES: Final = (
    "point_disambiguation",
    "exact_value",
    "nearest_value",
    "quality_gate",
    "window_mean",
    "daily_aggregate",
    "period_aggregate",
    "pairwise_comparison",
    "ranking",
)
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Bound(Strict):
    """A quantile of the training part, kept between two limits."""

    quantile: Share
    at_least: float | None = None
    at_most: float | None = None


class Tier(Strict):
    """What a window must reach: coverage at least, gap ratio at most."""

    coverage: Bound
    gap_ratio: Bound


class Season(Strict):
    """Months with thresholds of their own."""

    name: Text
    months: tuple[Annotated[int, Field(ge=1, le=12)], ...] = Field(min_length=1)


class Quality(Strict):
    """When a window is good enough; value checks hold for both tiers."""

    answer: Tier = Tier(
        coverage=Bound(quantile=0.25, at_most=0.95), gap_ratio=Bound(quantile=0.75, at_least=4.0)
    )
    caution: Tier = Tier(
        coverage=Bound(quantile=0.10, at_most=0.83), gap_ratio=Bound(quantile=0.90, at_least=22.0)
    )
    frozen_share: Share = 0.5
    """Abstain where at least this share of readings is in frozen runs."""
    dropout_share: Share = 0.05
    seasons: tuple[Season, ...] = ()
    """Without any, thresholds hold all year."""


class Eligibility(Strict):
    """Floors and caps of the aggregates that questions may be about."""

    coverage: Bound = Bound(quantile=0.10)
    absolute_mean: Bound = Bound(quantile=0.995)
    """Per site and class."""
    margin: Bound = Bound(quantile=0.5)
    """Differences and margins, per group."""
    group: int = Field(default=3, ge=2)
    """Streams that a ranking needs at least."""


class HeldOut(Strict):
    """What only the test split may touch: values of a field, or windows of local dates."""

    field: Field_ | None = None
    values: tuple[Text, ...] = ()
    windows: tuple[tuple[Text, Text], ...] = ()
    """First day, and the day after the last."""


class Quota(Strict):
    """Most rows per split."""

    train: int = Field(default=40, ge=0)
    dev: int = Field(default=10, ge=0)
    test: int = Field(default=10, ge=0)


class Caps(Strict):
    """Most rows of one kind in a split; None: no cap."""

    cell: int | None = Field(default=4, ge=1)
    """Point class, calendar quarter and, for some families, one more."""
    stream: int | None = Field(default=3, ge=1)
    winner: int | None = Field(default=3, ge=1)
    offset_bucket: int | None = Field(default=8, ge=1)
    """Of one fraction of a gap between readings."""


class Family(Strict):
    """A family of tasks on this corpus."""

    name: Text
    site: Field_ | Annotated[tuple[Field_, ...], Field(min_length=1)] = "site"
    """Which field of a point questions of this family call the site; groups are made by each of
    several, questions about one stream use the first."""
    held_out: Text
    quota: Quota = Quota()
    negative: Quota = Quota(train=4, dev=1, test=1)
    """Of each variant whose right reply is to abstain or to ask."""
    caps: Caps = Caps()

    @property
    def sites(self) -> tuple[Field_, ...]:
        """The fields that questions call the site, in order."""
        return (self.site,) if isinstance(self.site, str) else self.site


class Tolerances(Strict):
    """How far a stated answer may be from the gold."""

    value: float = Field(default=0.00005, ge=0.0)
    """Absolute: four decimals."""
    offset_ms: int = Field(default=1, ge=0)


class Limits(Strict):
    """What an episode may use."""

    turns: int = Field(default=24, ge=1)
    calls: int = Field(default=40, ge=1)


class Contract(Strict):
    """All rules of one corpus."""

    version: int = Field(default=1, ge=1)
    calendar: Calendar = "local"
    """Whose days, weeks and months questions mean."""
    mean: Literal["plain"] = "plain"
    """The mean of readings, whatever time lies between them."""
    left_out: tuple[Mark, ...] = ("dropout", "sentinel")
    """Readings that no mean, least, greatest or change is taken of; they are counted. With `range`
    those outside the range of their class are treated as faults everywhere."""
    nearest_steps: float = Field(default=1.0, gt=0.0)
    """A nearest reading is acceptable up to this many typical intervals away."""
    timestamp_revision: Literal["fraction", "minute"] = "fraction"
    """How the instant of a revised question is chosen: inside a gap between readings by a hash, or
    by the published probing of full minutes."""
    tie: Literal["earlier"] = "earlier"
    """Which of two equally near readings is the nearest."""
    preview: int = Field(default=5, ge=1, le=50)
    """First and last readings that a preview shows."""
    quality: Quality = Quality()
    eligibility: Eligibility = Eligibility()
    held_out: dict[str, HeldOut] = Field(default={})
    family: tuple[Family, ...] = ()
    dev_every: int = Field(default=5, ge=2)
    """Every n-th ordered candidate that is not held out goes to dev."""
    tolerances: Tolerances = Tolerances()
    limits: Limits = Limits()
    channel: Channel = "reply"
    """How an agent speaks: in fields, or in sentences that are read by published rules."""

    def document(self) -> dict[str, Any]:
        """Every rule; the channel where it is not the usual one, so older digests stay."""
        usual = {"channel"} if self.channel == "reply" else set()
        return self.model_dump(mode="json", exclude=usual)

    @property
    def digest(self) -> str:
        """sha256 of every rule."""
        return digest(self.document())


_TABLES: Mapping[str, type[BaseModel]] = {
    "quality": Quality,
    "answer": Tier,
    "caution": Tier,
    "coverage": Bound,
    "gap_ratio": Bound,
    "seasons": Season,
    "eligibility": Eligibility,
    "held_out": HeldOut,
    "family": Family,
    "quota": Quota,
    "caps": Caps,
    "tolerances": Tolerances,
    "limits": Limits,
}


def read_contract(data: Mapping[str, Any], where: object) -> Contract:
    """A checked contract from the table `contract` of a corpus file.

    Raises:
        SpecError: unknown key, family or held-out part, or a rule that cannot be.
    """
    at = f"{where}: contract"
    contract = read_model(Contract, data, at, _TABLES)
    names = [family.name for family in contract.family]
    for family in contract.family:
        here = f"{at}: family {family.name}"
        if family.name not in FAMILIES:
            raise _unknown("family", family.name, FAMILIES, at)
        if names.count(family.name) > 1:
            raise SpecError("name stands twice", value=family.name, where=at, hint="Name it once.")
        if family.held_out not in contract.held_out:
            raise _unknown("held-out part", family.held_out, contract.held_out, here)
    for name, held in contract.held_out.items():
        _check_held_out(held, f"{at}: held_out {name}")
    return contract


def _unknown(kind: str, name: str, names: Any, where: str) -> SpecError:
    hint = nearest(name, names) if names else "Declare it first."
    return SpecError(f"unknown {kind}", value=name, where=where, hint=hint)


def _check_held_out(held: HeldOut, where: str) -> None:
    by_value = held.field is not None and bool(held.values)
    if by_value == bool(held.windows) or (held.field is None) != (not held.values):
        raise SpecError(
            "held-out part needs a field with values, or windows",
            value=held.field,
            where=where,
            hint='Write field = "site", values = ["..."], or windows = [["first", "after"]].',
        )
    for first, after in held.windows:
        try:
            ordered = date.fromisoformat(first) < date.fromisoformat(after)
        except ValueError:
            ordered = False
        if not ordered:
            raise SpecError(
                "window is no pair of dates in order",
                value=[first, after],
                where=where,
                hint='Write ["2023-10-01", "2024-05-01"].',
            )
