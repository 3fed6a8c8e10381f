"""`Evidence`: one kind of pointer for everything that a score or a finding rests on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place in an episode. `source`: `step`, `log`, `artifact:PATH` or `result:HANDLE`."""

    source: str
    at: str
    quote: str | None = None
