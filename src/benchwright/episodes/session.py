"""`session.jsonl`: every exchange of an episode with its operator and operations, in order.

Takes exchanges and gives bytes without a clock, so that the same conversation is the same file;
reads it back as records. The first line names the format, the last says how the conversation ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import Field, JsonValue

from benchwright.canonical import canonical_json
from benchwright.episodes.model import Episode
from benchwright.errors import FormatError
from benchwright.storage import read_headed_lines
from benchwright.storage.records import Count, Text, record
from benchwright.tasks.session import Turn

SESSION_FORMAT = "benchwright.session/1"
SESSION_FILE = "session.jsonl"

EndReason = Literal["operator", "turns", "calls", "agent", "error"]
"""Who or what ended it: the operator, a limit, the agent by stopping, or a fault of ours."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The operator's first turn."""

    n: Count
    turn: Turn
    kind: Literal["open"] = "open"


@dataclass(frozen=True, slots=True)
class Called:
    """A call of an operation with what it answered; a refusal is an answer too."""

    n: Count
    operation: Text
    arguments: Mapping[str, JsonValue]
    answer: Mapping[str, JsonValue]
    kind: Literal["call"] = "call"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for one detail, whether there is such a slot or not."""

    n: Count
    slot: str
    turn: Turn
    kind: Literal["ask"] = "ask"


@dataclass(frozen=True, slots=True)
class Replied:
    """A reply: the arguments that were given."""

    n: Count
    reply: Mapping[str, JsonValue]
    turn: Turn
    kind: Literal["reply"] = "reply"


@dataclass(frozen=True, slots=True)
class Said:
    """Free text, where the operator hears it."""

    n: Count
    text: str
    turn: Turn
    kind: Literal["say"] = "say"


@dataclass(frozen=True, slots=True)
class Bad:
    """Something that could not be used; neither operator nor operation saw it."""

    n: Count
    tool: str
    arguments: JsonValue
    """None where they are too large to keep, or no JSON."""
    message: str
    """What the agent was told."""
    kind: Literal["bad"] = "bad"


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended; `after` counts what the agent still tried, the try over a limit included."""

    n: Count
    reason: EndReason
    after: Count
    kind: Literal["end"] = "end"


Exchange = Opened | Called | Asked | Replied | Said | Bad | Ended
_ANY = Annotated[Exchange, Field(discriminator="kind")]


def session_bytes(exchanges: Iterable[Exchange]) -> bytes:
    """The file of a conversation; equal conversations give equal bytes on every machine."""
    lines = [canonical_json({"format": SESSION_FORMAT}), *map(canonical_json, exchanges)]
    return b"\n".join(lines) + b"\n"


def read_session(episode: Episode) -> tuple[Exchange, ...]:
    """Every exchange of a closed episode, from `open` to `end`.

    Raises:
        FormatError: the file is not there, is damaged or is of a newer number.
    """
    return read_session_in(episode.folder)


def read_session_in(folder: Path) -> tuple[Exchange, ...]:
    """As `read_session`, for an episode folder that has no closing record yet."""
    file = folder / SESSION_FILE
    lines = read_headed_lines(file, form=SESSION_FORMAT)
    kind = cast(Any, _ANY)
    exchanges: tuple[Exchange, ...] = tuple(record(kind, line, where) for line, where in lines)
    _refuse_disorder(exchanges, file)
    return exchanges


def _refuse_disorder(exchanges: tuple[Exchange, ...], file: Path) -> None:
    """Numbers run from 0, the first line opens, and the last one alone ends."""
    kinds = [exchange.kind for exchange in exchanges]
    whole = len(kinds) > 1 and kinds[0] == "open" and kinds[-1] == "end"
    once = kinds.count("open") == kinds.count("end") == 1
    if not whole or not once or [e.n for e in exchanges] != list(range(len(kinds))):
        raise FormatError(
            "conversation is not whole or not in order",
            value=f"{len(kinds)} lines",
            where=file,
            hint="Restore the run folder from where it came.",
        )
