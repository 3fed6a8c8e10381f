"""What an agent handed in, and whether what it did is known: words for pages and the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from benchwright.episodes.model import Episode
from benchwright.report.story import StoryStep
from benchwright.scoring.artifacts import collected

UNTOLD = "its steps are not recorded"
UNTOLD_NOTE = (
    "Code of one's own leaves as steps what it puts into its conversation; what it does through "
    "the sandbox alone is in no record but its files."
)


def untold(episode: Episode | None, steps: Sequence[StoryStep]) -> bool:
    """Whether code of somebody's own acted and left no step of it."""
    own = episode is not None and "agent" in episode.agent.settings
    return own and not any(step.source == "agent" for step in steps)


def files_of(episode: Episode) -> tuple[tuple[str, str], ...]:
    """Every file that was found when the episode ended, and its size or why it was not kept."""
    if not (episode.folder / "collected.json").is_file():
        return ()
    found = collected(episode.folder).items()
    return tuple((name, file.skipped or f"{file.size:,} bytes") for name, file in found)
