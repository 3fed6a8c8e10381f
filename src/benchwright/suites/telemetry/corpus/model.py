"""The corpus file: what a person writes about logs, and the records that it becomes.

Strict: unknown keys are refused with the nearest name, types are meant exactly. Names in braces,
such as `{substation}`, are filled from the named groups of `pattern` (file name) and `match`
(column name). Nothing is read here but the TOML.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.storage.records import Text

Kind = Literal["instant", "cumulative", "setpoint", "state", "angle", "derived"]
"""What a channel holds. Means are taken of instant, setpoint and derived; a cumulative channel has
a change instead; a state or an angle has neither."""


class Strict(BaseModel):
    """People's records: no other keys, no NaN, never changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class TimeRule(Strict):
    """How times of a source are written, and what they mean."""

    column: Text | tuple[Text, ...]
    """Several columns are joined by a blank: a date and a time of day."""
    form: Literal["iso", "unix_s", "unix_ms"] | tuple[Text, ...] = "iso"
    """Or patterns such as `%m/%d/%y %I:%M %p`, tried in order; `%p` also takes `a` and `p`."""
    zone: Text
    """An IANA zone of wall-clock times, or `offset` where every time carries its own."""
    repeated: Literal["refuse", "earlier", "later", "file_order"] = "refuse"
    """An hour that the clock passes twice. `file_order`: in a file in order of time the second pass
    begins where times turn back; an hour in which they never do counts as earlier and is marked."""
    skipped: Literal["refuse", "forward", "backward"] = "refuse"
    """A time that the clock never shows: read with the offset before the change, or after it."""


class Regime(Strict):
    """From when on (wall clock, to the second) readings are expected every `step_s` seconds."""

    start: Text | None = None
    """None: from the beginning."""
    step_s: int = Field(gt=0)


class ValueClass(Strict):
    """What all points of one class share."""

    name: Text
    kind: Kind
    unit: Text | None = None
    range: tuple[float, float] | None = None
    """Plausible values, both ends included."""
    sentinels: tuple[float, ...] = ()
    """Values that stand for a fault, not for a measurement."""
    zero: Literal["value", "dropout", "device"] = "value"
    """What 0 means: a value; a drop-out; a drop-out where the whole device reads 0 in that row."""
    frozen_hours: float = Field(default=0.0, ge=0.0)
    """Equal readings for this long are a stuck sensor; 0 never."""


class Channel(Strict):
    """One column, or a family of columns, as a stream."""

    column: Text | None = None
    match: Text | None = None
    """A regular expression for the whole column name instead; its groups fill templates."""
    stream: Text
    """Template of the stream id; equal ids in several files are one stream."""
    point_class: Text = Field(alias="class")
    site: Text
    equipment: Text
    location: Text | None = None
    location_type: Text | None = None
    device: Text | None = None
    """Columns of one device fail together."""
    unit: Text | None = None
    """Instead of the unit of the class."""
    words: dict[str, float] = {}
    """Numbers for texts, such as compass words."""
    imputed: bool = False
    """The publisher filled or smoothed values; nothing marks which."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True
    )


class Keep(Strict):
    """Rows of a long source that count, by the text of one column."""

    column: Text
    values: tuple[str, ...] = Field(min_length=1)


class Source(Strict):
    """Files of one layout."""

    name: Text
    form: Literal["wide_csv", "long_csv", "long_parquet", "archives"]
    """`archives` are converted to long Parquet first, without unpickling."""
    files: dict[str, Annotated[str, Field(pattern="^[0-9a-f]{64}$|^$")]] = Field(min_length=1)
    """Path below the data folder to sha256; a file that differs stops the build."""
    pattern: Text | None = None
    """A regular expression searched in each path; its groups fill templates."""
    time: TimeRule
    delimiter: str = ","
    encoding: str = "utf-8"
    decimal: Literal[".", ","] = "."
    """What stands before the decimal places in text."""
    header_rows: int = Field(default=1, ge=1, le=4)
    """Rows of a header are joined by a blank; a repeated name gets `_1`, `_2`, ..."""
    missing: tuple[str, ...] = ("",)
    ignore: tuple[str, ...] = ()
    """Regular expressions of columns that are left out on purpose."""
    regimes: tuple[Regime, ...] = ()
    channel: tuple[Channel, ...] = ()
    stream: Text | None = None
    """Of long sources: the column with the stream id."""
    value: Text | None = None
    """Of long sources: the column with the reading."""
    words: dict[str, float] = {}
    """Of long sources: numbers for texts of that column, in whichever stream."""
    keep: Keep | None = None
    """Of long sources: a row with another text there counts as one without a number."""


class TableMetadata(Strict):
    """Points from a CSV table, for long sources."""

    form: Literal["table"] = "table"
    files: dict[str, str]
    columns: dict[str, str]
    """Field of a point (stream, class, site, equipment, location, unit, ...) to column."""
    missing: tuple[str, ...] = ("",)


class BrickMetadata(Strict):
    """Points from RDF graphs; every property is configurable, since models differ."""

    form: Literal["brick"]
    files: dict[str, str]
    site: dict[str, str] = {}
    """Path of a graph to the name of its site."""
    prefixes: dict[str, str] = {}
    stream: tuple[Text, ...] = ("ref:hasExternalReference", "ref:hasTimeseriesId")
    """Path of properties from a point to its stream id."""
    owner: tuple[Text, ...] = ("brick:isPointOf",)
    """Properties from a point to what owns it."""
    location: tuple[Text, ...] = ("brick:hasLocation",)
    unit: tuple[Text, ...] = ("brick:hasUnit",)
    value: Text = "brick:value"
    """Where a property leads to a blank node, the property that holds its text."""
    qualifiers: tuple[Text, ...] = ()
    """Properties that tell points of one class and owner apart, such as the phase of a meter."""
    location_classes: tuple[str, ...] = ()
    """Regular expressions of classes that are places; an owner of one is a location."""
    prefer: tuple[str, ...] = ()
    """Classes of owners in order of preference; the representative owner is the first of these,
    then the least name."""
    kinds: dict[str, Kind] = {}
    """Regular expression of a class name to its kind, first match."""


class GenerateBuilding(Strict):
    """A building of our own: its files have the same bytes everywhere."""

    kind: Literal["building"]
    seed: int = Field(ge=0)
    days: int = Field(ge=30, le=2000)


class GenerateArchives(Strict):
    """Histories for the stream ids of graphs, and graphs derived from a real one."""

    kind: Literal["archives"]
    seed: int = Field(ge=0)
    days: int = Field(ge=7, le=2000)
    graphs: dict[str, str] = {}
    """Graph to make, and the graph of the metadata that it is derived from."""
    archives: dict[str, str] = Field(min_length=1)
    """Archive to make, and the graph whose stream ids it holds."""


class CorpusFile(Strict):
    """The whole corpus file but for its contract."""

    format: Literal["benchwright.corpus/1"]
    suite: Literal["telemetry"] = "telemetry"
    name: Text
    title: Text
    licence: Text
    """Under which terms the data may be used, and what of it was not verified."""
    privacy: Text
    zone: Text = "UTC"
    """Local calendar of days, weeks and months."""
    bias: tuple[str, ...] = ()
    """Known faults of the published values, told and not repaired."""
    class_: tuple[ValueClass, ...] = Field(default=(), alias="class")
    source: tuple[Source, ...] = Field(min_length=1)
    metadata: TableMetadata | BrickMetadata | None = Field(default=None, discriminator="form")
    generate: GenerateBuilding | GenerateArchives | None = Field(default=None, discriminator="kind")
    """Files that a seeded generator writes, instead of files that are found."""
    conflicts: Literal["refuse", "drop"] = "refuse"
    """Different readings of one stream and instant stop the build, or none of them counts."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True
    )
