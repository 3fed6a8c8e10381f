"""Records of a reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Why = Literal["contradicted", "unreadable", "unbound"]
"""Said twice differently; mentioned and not read; something is said and nothing says of what."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one sentence says of one field."""

    field: str
    value: Any
    sentence: str
    denied: bool = False
    """Whether it says that the field is not this."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a field cannot be read, and the sentences that show it."""

    why: Why
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        told = {
            "contradicted": "is said twice differently",
            "unreadable": "cannot be read",
            "unbound": "cannot be told from what is said",
        }
        return f"{told[self.why]}: {' / '.join(self.sentences)}"


@dataclass(frozen=True, slots=True)
class Reading:
    """One message as its reader understands it."""

    said: Mapping[str, Any]
    """Fields of a reply, those that are read."""
    unread: Mapping[str, Unread]
    asks: tuple[str, ...]
    """Details that are asked for, in the order of the public list."""
    asking: bool
    """Whether anything is asked, of the list or not."""

    @property
    def empty(self) -> bool:
        """Whether nothing is stated; handles alone state nothing."""
        stated = [name for name in self.said if name != "handles"]
        return not stated and self.unread.keys() <= {"handles"}
