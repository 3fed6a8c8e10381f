"""`diagnose check`: which gates a document does not pass, each with its figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchwright.cli.output import emit_json, say
from benchwright.diagnosis.documents.blank import blank_document
from benchwright.diagnosis.documents.check import Verdict, check_document
from benchwright.diagnosis.documents.skeleton import floors_for
from benchwright.diagnosis.taxonomy import shipped
from benchwright.report.terminal import tame
from benchwright.report.words import counted
from benchwright.storage.reading import read_text
from benchwright.trajectory.resolve import Places


def run(files: Sequence[Path], places: Places, reason: str | None, as_json: bool) -> int:
    """Say what each document does not pass; 1 where any does not."""
    floors = floors_for(reason)
    texts = [(file, read_text(file)) for file in files]
    verdicts = [(file, check_document(text, places, floors)) for file, text in texts]
    if as_json:
        documents = [{"file": str(file), "verdict": verdict} for file, verdict in verdicts]
        emit_json("diagnose.check", {"documents": documents})
    else:
        for file, verdict in verdicts:
            for line in _lines(file, verdict):
                say(tame(line))
    return 0 if all(verdict.passes for _, verdict in verdicts) else 1


def blank(reason: str | None, as_json: bool) -> int:
    """Print an analysis to fill, with the floors of the profile that `reason` selects."""
    text = blank_document(floors_for(reason), shipped())
    if as_json:
        emit_json("diagnose.check", {"skeleton": text})
    else:
        say(text.rstrip("\n"))
    return 0


def _lines(file: Path, verdict: Verdict) -> Iterator[str]:
    for one in verdict.failures:
        yield f"  FAIL {one.gate}: {one.problem} ({one.where}): {one.got}, {one.need}"
    number = len(verdict.failures)
    said = f"does not pass: {counted(number, 'failure')}" if number else "passes"
    size = f"{verdict.characters:,} characters, {counted(verdict.issues, 'issue')}"
    yield f"{file}: {said} ({verdict.profile} profile, {size})"
    pointers, unchecked = verdict.grounded.pointers, verdict.grounded.unchecked
    if unchecked:
        yield f"  not followed: {unchecked} of {counted(pointers, 'pointer')}; --episode or --log"
