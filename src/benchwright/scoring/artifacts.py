"""What was collected from an agent's working folder, and reading one file of it safely.

`collected.json` lists every file found: kept ones with size and digest, the others with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchwright.episodes.model import Episode
from benchwright.errors import SpecError, SubmissionError
from benchwright.storage import read_json, safe_join
from benchwright.storage.records import Count, Digest, record

COLLECTED_FORMAT = "benchwright.collected/1"


@dataclass(frozen=True, slots=True)
class Collected:
    """One file that was found when the episode ended."""

    size: Count
    """Bytes."""
    sha256: Digest | None = None
    """Of the kept file."""
    skipped: str | None = None
    """Why it was not kept."""


@dataclass(frozen=True, slots=True)
class _CollectedFile:
    files: Mapping[str, Collected]


def artifact(episode: Episode, name: str) -> Path:
    """Path of a collected file; a `SubmissionError` says why there is none."""
    return artifact_in(episode.folder, name)


def artifact_in(folder: Path, name: str) -> Path:
    """As `artifact`, for an episode folder that has no closing record yet."""
    try:
        path = safe_join(folder / "artifacts", name)
    except SpecError:
        path = Path()
    if path.is_file() and not path.is_symlink():
        return path
    raise SubmissionError(
        "the agent left no usable file of this name",
        value=name,
        where=_reason(folder, name),
        hint="The task names the file that it asks for.",
    )


def collected(folder: Path) -> Mapping[str, Collected]:
    """The files found when the episode ended, by their path in the working folder."""
    file = folder / "collected.json"
    return record(_CollectedFile, read_json(file, form=COLLECTED_FORMAT), file).files


def _reason(folder: Path, name: str) -> str:
    entry = collected(folder).get(name) if (folder / "collected.json").is_file() else None
    return entry.skipped or "not kept" if entry else "not in the working folder at the end"
