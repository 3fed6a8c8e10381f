"""Score sheets on disk: `scores/<scorer>.json`, never overwritten with other bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright.canonical import canonical_json
from benchwright.errors import RunError
from benchwright.scoring.model import Check, Score, ScoreSheet
from benchwright.storage import complete, read_json, write_bytes
from benchwright.trajectory.evidence import Evidence

SHEET_FORMAT = "benchwright.score-sheet/1"


def sheet_path(folder: Path, scorer: str) -> Path:
    """Where the sheet of `scorer` (`tracebench/1`) stands: `scores/tracebench-1.json`."""
    return folder / "scores" / f"{scorer.replace('/', '-')}.json"


def sheet_bytes(sheet: ScoreSheet) -> bytes:
    """The one byte string of a sheet; equal records give equal bytes on every machine."""
    return canonical_json({"format": SHEET_FORMAT, **_fields(sheet)}) + b"\n"


def write_sheet(folder: Path, sheet: ScoreSheet) -> None:
    """Write a sheet; refuses to replace one that says something else under the same number."""
    path = sheet_path(folder, sheet.scorer)
    data = sheet_bytes(sheet)
    if path.exists() and path.read_bytes() != data:
        raise RunError(
            "a different score sheet of this scorer exists",
            value=sheet.scorer,
            where=path,
            hint="Scores are never overwritten: a changed scorer needs a new number.",
        )
    write_bytes(path, data)


def read_sheet(folder: Path, scorer: str) -> ScoreSheet:
    """The sheet of `scorer` in an episode folder."""
    data = read_json(sheet_path(folder, scorer), form=SHEET_FORMAT)
    with complete(sheet_path(folder, scorer)):
        return ScoreSheet(
            episode_id=data["episode_id"],
            scorer=data["scorer"],
            scores=tuple(Score(**score) for score in data["scores"]),
            checks=tuple(_check(check) for check in data["checks"]),
        )


def _check(data: dict[str, Any]) -> Check:
    evidence = tuple(Evidence(**item) for item in data.pop("evidence"))
    return Check(**data, evidence=evidence)


def _fields(sheet: ScoreSheet) -> dict[str, object]:
    return {
        "episode_id": sheet.episode_id,
        "scorer": sheet.scorer,
        "scores": sheet.scores,
        "checks": sheet.checks,
    }
