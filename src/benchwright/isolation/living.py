"""Everything untrusted that runs for this process now, so that all of it can be ended at once.

Takes boxes when they start and lets them go when they are closed. After `end_everything` no box
starts any more, until `allow` says that the reason is gone.
"""

from __future__ import annotations

import threading
from typing import Protocol

from benchwright.errors import IsolationError


class Endable(Protocol):
    """A box as this module needs it."""

    def end_now(self) -> None:
        """End every process of it; does not wait, and may be called at any time and twice."""
        ...


_lock = threading.Lock()
_living: set[Endable] = set()
_ended = threading.Event()


def began(box: Endable) -> None:
    """Note a box that runs; one that started too late is ended here and refused."""
    with _lock:
        if not _ended.is_set():
            _living.add(box)
            return
    box.end_now()
    refuse_if_ended()


def closed(box: Endable) -> None:
    """Let a box go."""
    with _lock:
        _living.discard(box)


def end_everything() -> None:
    """End every box and let none start: what waits for one gets IsolationError."""
    with _lock:
        _ended.set()
        boxes = list(_living)
    for box in boxes:
        box.end_now()


def allow() -> None:
    """Boxes may start again."""
    _ended.clear()


def refuse_if_ended() -> None:
    """IsolationError while nothing may start."""
    if _ended.is_set():
        raise IsolationError(
            "everything was asked to end",
            value="interrupted",
            where="isolation",
            hint="Run the same line again.",
        )
