"""`Listener`: what a run tells while it goes on. Every method may be left as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.episodes.model import Planned
from benchwright.scoring.model import ScoreSheet


@dataclass(frozen=True, slots=True)
class Retry:
    """A call of a model that failed and will be made again after a wait."""

    model: str
    attempt: int
    """Number of the attempt that failed, from 1."""
    wait_s: float
    reason: str
    """Kind of the failure and, where there is one, the status code of the answer."""


class Listener:
    """Told from several threads; must neither wait nor fail."""

    def owed(self, planned: Sequence[Planned]) -> None:
        """These episodes are about to be run."""

    def began(self, planned: Planned) -> None:
        """The agent of an episode begins to act."""

    def closed(self, planned: Planned, sheet: ScoreSheet) -> None:
        """An episode has its closing record."""

    def waits(self, retry: Retry) -> None:
        """A provider is waited for."""

    def stopping(self) -> None:
        """A signal asked for the end; called from its handler."""
