"""One pass over a log for any number of folds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from benchwright.trajectory.events import Event


class Fold(Protocol):
    """Something that is made of a log's events, one after the other."""

    def see(self, event: Event) -> None:
        """Take one event."""
        ...

    def end(self) -> None:
        """The log is over."""
        ...


def run_folds(log: Iterable[Event], *folds: Fold) -> None:
    """Show every event to every fold, then end them."""
    for event in log:
        for fold in folds:
            fold.see(event)
    for fold in folds:
        fold.end()
