"""What was collected from an agent's working folder, and reading one file of it safely.

`collected.json` lists every file found: kept ones with size and digest, the others with the reason.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright.episodes.model import Episode
from benchwright.errors import SpecError, SubmissionError
from benchwright.storage import read_json, safe_join

COLLECTED_FORMAT = "benchwright.collected/1"


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


def collected(folder: Path) -> dict[str, Any]:
    """The list of files found when the episode ended: `{path: {size, sha256 | skipped}}`."""
    files = read_json(folder / "collected.json", form=COLLECTED_FORMAT)["files"]
    assert isinstance(files, dict)
    return files


def _reason(folder: Path, name: str) -> str:
    entry = collected(folder).get(name) if (folder / "collected.json").is_file() else None
    return entry.get("skipped", "not kept") if entry else "not in the working folder at the end"
