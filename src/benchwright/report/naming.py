"""What a suite counts, in words: samples of an episode, or conversations as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from benchwright.stats.accuracy import INTERVAL


@dataclass(frozen=True, slots=True)
class Naming:
    """Words of tables; where a suite says nothing, those of samples."""

    many: str = "samples"
    title: str = "Accuracy"
    """Heading of the main table."""
    note: str = "Top-1: the first label given for a sample is the right one."
    """What is counted as right, for pages."""
    short: str = "Top-1"
    """The same in a word or two."""
    right: str = "answered rightly"
    point: str = "share of right answers"
    chance: str = "guessing"
    """What the mark of the chance level means; empty where nothing can be guessed."""
    unscored: str = "missing samples all wrong, or all right"
    invalid: str = "episodes whose answer broke the contract: every sample of them counts as wrong"
    invalid_short: str = "an invalid answer is all wrong"
    independence: str = (
        "Samples of one episode come from one line of thought, so they are not quite independent "
        "and the intervals are a little too narrow. Agents that were given the answers stand last."
    )

    @property
    def interval(self) -> str:
        """What an interval is."""
        return f"{INTERVAL} {self.many}"
