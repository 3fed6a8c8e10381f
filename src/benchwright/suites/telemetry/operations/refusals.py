"""Answers that are no answer, told apart: what an agent can do next depends on which it is."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Code = Literal[
    "bad_argument",
    "unknown",
    "ambiguous",
    "empty",
    "out_of_range",
    "no_such_local_time",
    "undefined",
    "counter_fell",
    "too_few",
]


class Refusal(BaseModel):
    """Why there is no result."""

    model_config = ConfigDict(frozen=True)

    error: Code
    """`unknown`: no such name. `ambiguous`: several fit, listed. `empty`: the stream is known and
    has nothing there. `out_of_range`: before its first or after its last reading.
    `no_such_local_time`: the clock never showed it. `undefined`: what is asked has no meaning for
    this kind of stream. `counter_fell`: a counter fell in the window, so it has no change there.
    `too_few`: fewer streams than a comparison needs."""
    message: str
    candidates: tuple[dict[str, str | None], ...] = ()
    """What the call can have meant."""
    ask: tuple[str, ...] = ()
    """Arguments that would tell the candidates apart."""
    handle: str | None = None
    """Cite this as evidence that there is no result."""


class Refused(Exception):
    """Ends a call inside this folder; `declare` turns it into its refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def refuse(code: Code, message: str) -> Refused:
    """A refusal without candidates."""
    return Refused(Refusal(error=code, message=message))
