"""The records of the scripted model; policies are written against these and need no Inspect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """One turn of the conversation: `system`, `user`, `assistant` or `tool`, with its text."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What the script says next: text, and tool calls as (name, arguments)."""

    text: str
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()


class Busy(Exception):
    """Raised by a policy that plays a provider which asks to wait: Inspect tries it again."""


class Refused(Exception):
    """Raised by a policy that plays a provider which refuses the request as such."""


Policy = Callable[[tuple[Said, ...], tuple[str, ...]], Reply]
"""Conversation so far and names of the offered tools, to the next reply."""
