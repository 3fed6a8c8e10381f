"""A conversation as a block: who said what, what was called, what came back, and what it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Speaker = Literal["operator", "agent", "call", "note"]
MarkTone = Literal["good", "bad", "muted"]


@dataclass(frozen=True, slots=True)
class Mark:
    """What an exchange shows about something that was asked."""

    text: str
    tone: MarkTone
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing that was said or called."""

    number: int
    """Of the exchange that it belongs to."""
    speaker: Speaker
    title: str
    text: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    """Named values: arguments of a call, what a reply states."""
    outcome: str = ""
    """What came back, in a line."""
    folded: str = ""
    """All of what came back."""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Talk:
    """A whole conversation, in order."""

    utterances: tuple[Utterance, ...]


def exchange_anchor(number: int | str) -> str:
    """Name of an exchange's place on a page; used behind `#` in addresses."""
    return f"exchange-{number}"
