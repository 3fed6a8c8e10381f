"""Score sheets on disk: `scores/<scorer>.json`, never overwritten with other bytes."""

from __future__ import annotations

from pathlib import Path

from benchwright.canonical import canonical_json
from benchwright.errors import FormatError, RunError
from benchwright.scoring.model import Score, ScoreSheet
from benchwright.storage import check_format, read_json, write_bytes
from benchwright.storage.records import record, without_repeats

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
    """The sheet of `scorer` about the episode in `folder`; refuses one of another episode."""
    file = sheet_path(folder, scorer)
    sheet = record(ScoreSheet, read_json(file, form=SHEET_FORMAT), file)
    for part, found, meant in (
        ("scorer", sheet.scorer, scorer),
        ("episode_id", sheet.episode_id, folder.name),
    ):
        if found != meant:
            raise _contradicts(f"sheet is of another {part}", found, file, meant)
    without_repeats((score.metric for score in sheet.scores), "metric", file)
    without_repeats((check.name for check in sheet.checks), "check", file)
    for score in sheet.scores:
        _check_score(score, file)
    return sheet


def refuse_newer_sheet(file: Path) -> None:
    """FormatError for a sheet with a higher number than this version writes, and for no other."""
    try:
        stated = read_json(file)
    except FormatError:
        return
    form = stated.get("format") if isinstance(stated, dict) else None
    name, _, number = SHEET_FORMAT.partition("/")
    found, _, higher = form.partition("/") if isinstance(form, str) else ("", "", "")
    if found == name and higher.isdecimal() and int(higher) > int(number):
        check_format(stated, SHEET_FORMAT, file)


def _check_score(score: Score, file: Path) -> None:
    """Status and value of a score say the same."""
    fits = {
        "scored": score.value is not None,
        "invalid": score.value == 0 and score.reason is not None,
        "unscorable": score.value is None and score.reason is not None,
    }
    if not fits[score.status]:
        said = (score.value, score.reason)
        raise _contradicts("value and reason do not fit the status", said, file, score.status)


def _contradicts(problem: str, found: object, file: Path, meant: str) -> FormatError:
    hint = f"It must fit {meant}. Restore the run folder from where it came, or score it again."
    return FormatError(problem, value=found, where=file, hint=hint)


def _fields(sheet: ScoreSheet) -> dict[str, object]:
    return {
        "episode_id": sheet.episode_id,
        "scorer": sheet.scorer,
        "scores": sheet.scores,
        "checks": sheet.checks,
    }
