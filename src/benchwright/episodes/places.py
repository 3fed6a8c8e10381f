"""Where evidence about a closed episode leads: the files of its folder, and results by handle."""

from __future__ import annotations

from pathlib import Path

from benchwright.canonical import canonical_json
from benchwright.episodes.session import SESSION_FILE, Called, read_session_in
from benchwright.trajectory.resolve import Places


def places_in(folder: Path) -> Places:
    """Places of an episode folder; what the episode does not have is None.

    Results are those that calls of its conversation gave.
    """
    session = folder / SESSION_FILE
    return Places(
        trajectory=_file(folder / "trajectory.json"),
        artifacts=folder / "artifacts" if (folder / "artifacts").is_dir() else None,
        results=(lambda handle: _result(folder, handle)) if session.is_file() else None,
        session=_file(session),
    )


def _file(path: Path) -> Path | None:
    return path if path.is_file() else None


def _result(folder: Path, handle: str) -> str | None:
    """What the call with this handle gave, as JSON."""
    for exchange in read_session_in(folder):
        if isinstance(exchange, Called) and exchange.answer.get("handle") == handle:
            return canonical_json(exchange.answer).decode()
    return None
