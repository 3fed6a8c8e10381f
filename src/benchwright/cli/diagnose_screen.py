"""`diagnose screen`: what trajectories and artifacts alone show, each finding with its places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchwright.cli.output import emit_json, say
from benchwright.diagnosis.labels.file import read_collection, write_labels
from benchwright.diagnosis.labels.model import Subject
from benchwright.diagnosis.screen.finding import Detector, Finding
from benchwright.diagnosis.screen.labelled import labels_from
from benchwright.diagnosis.screen.registry import DETECTORS
from benchwright.diagnosis.screen.run import Screened, screen
from benchwright.diagnosis.screen.subjects import Screenable, subjects_of
from benchwright.errors import FormatError, SpecError
from benchwright.report.terminal import tame
from benchwright.report.words import counted
from benchwright.trajectory.evidence import Evidence

_SHOWN = 4
"""Places of a finding that the terminal shows."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the screen says of one run of one log."""

    subject: Subject
    log: Path
    screened: Screened


@dataclass(frozen=True, slots=True)
class Answers:
    """All answers, and files of folders that are no logs."""

    answers: tuple[Answer, ...]
    passed_over: tuple[Path, ...]


def run(
    paths: Sequence[Path],
    artifacts: Path | None,
    only: str | None,
    labels: Path | None,
    dialect: str | None,
    as_json: bool,
) -> int:
    """Say what is found; 1 where there is a verdict."""
    chosen = detectors_named(only)
    if artifacts is not None and len(paths) > 1:
        hint = "Screen that log alone."
        raise SpecError(
            "artifacts are of one log", value=str(artifacts), where="--artifacts", hint=hint
        )
    if labels is not None and labels.exists():
        read_collection(labels)  # labels of others may stand there, anything else may not
    found = _screened(paths, artifacts, chosen, dialect)
    if labels is not None:
        for one in found.answers:
            write_labels(labels, labels_from(one.subject, one.screened))
    if as_json:
        emit_json("diagnose.screen", {
            "trajectories": [_document(one) for one in found.answers],
            "passed_over": [str(path) for path in found.passed_over],
        })  # fmt: skip
    else:
        for line in _lines(found):
            say(tame(line))
        if labels is not None:
            say(f"labels: {counted(len(found.answers), 'file')} in {tame(str(labels))}")
    return 1 if any(one.screened.verdicts for one in found.answers) else 0


def listing(as_json: bool) -> int:
    """Say which detectors there are, and what a finding of each asserts."""
    if as_json:
        rows = [
            {"name": d.name, "kind": d.kind, "pattern": d.pattern, "states": d.states}
            for d in DETECTORS
        ]
        emit_json("diagnose.screen.detectors", {"detectors": rows})
        return 0
    for one in DETECTORS:
        say(f"{one.kind:7}  {one.pattern}  {one.name:27}{one.states}")
    return 0


def detectors_named(only: str | None) -> tuple[Detector, ...]:
    """The detectors of a list with commas, or all."""
    if only is None:
        return DETECTORS
    known = {detector.name: detector for detector in DETECTORS}
    names = [name.strip() for name in only.split(",")]
    for name in names:
        if name not in known:
            hint = f"Known: {', '.join(known)}."
            raise SpecError("unknown detector", value=name, where="--only", hint=hint)
    return tuple(known[name] for name in names)


def _screened(
    paths: Sequence[Path],
    artifacts: Path | None,
    chosen: Sequence[Detector],
    dialect: str | None,
) -> Answers:
    answers: list[Answer] = []
    passed_over: list[Path] = []
    for path in paths:
        for one in subjects_of(path, artifacts):
            try:
                runs = screen(one.log, one.artifacts, chosen, dialect)
            except FormatError:
                if not one.listed:
                    raise
                passed_over.append(one.log)
                continue
            answers += _answers(one, runs)
    _refuse_twice(answers)
    if not answers:
        raise SpecError(
            "nothing to screen", value=", ".join(map(str, paths)), where="LOG",
            hint="Give a run with closed episodes, or logs of a known kind.",
        )  # fmt: skip
    return Answers(tuple(answers), tuple(passed_over))


def _refuse_twice(answers: Sequence[Answer]) -> None:
    times = Counter(one.subject.id for one in answers)
    for name in (name for name, count in times.items() if count > 1):
        hint = "Name every run and log once."
        raise SpecError("trajectory is named twice", value=name, where="LOG", hint=hint)


def _answers(one: Screenable, runs: Sequence[Screened]) -> Iterator[Answer]:
    """One for each run of a log; those of a log with several are numbered."""
    for number, screened in enumerate(runs, start=1):
        name = one.subject.id if len(runs) == 1 else f"{one.subject.id}.{number}"
        system = one.subject.system or screened.agent
        yield Answer(replace(one.subject, id=name, system=system), one.log, screened)


def _document(one: Answer) -> dict[str, object]:
    screened = one.screened
    said = {"subject": one.subject, "log": str(one.log), "findings": screened.findings}
    return {**said, "dropped": screened.dropped, "notes": screened.notes}


def _lines(found: Answers) -> Iterator[str]:
    counts: Counter[str] = Counter()
    for one in found.answers:
        if one.screened.findings or one.screened.notes or one.screened.dropped:
            about = "  ".join(part for part in (one.subject.system, one.subject.task) if part)
            yield f"{one.subject.id}  {about or one.log}".rstrip()
        for finding in one.screened.findings:
            counts[finding.kind] += 1
            yield from _finding(finding)
        yield from (f"  note: {note}" for note in one.screened.notes)
        for name in one.screened.dropped:
            yield f"  note: {name} found something whose place in the log cannot be named"
    with_any = sum(1 for one in found.answers if one.screened.verdicts)
    total = counted(len(found.answers), "trajectory", "trajectories")
    verdicts, leads = counted(counts["verdict"], "verdict"), counted(counts["lead"], "lead")
    yield f"{total}: {verdicts} in {with_any} of them, {leads}"
    if found.passed_over:
        names = ", ".join(path.name for path in found.passed_over[:_SHOWN])
        more = ", ..." if len(found.passed_over) > _SHOWN else ""
        number = counted(len(found.passed_over), "file")
        yield f"{number} of no known log format passed over: {names}{more}"


def _finding(finding: Finding) -> Iterator[str]:
    kind = "VERDICT" if finding.kind == "verdict" else "lead   "
    yield f"  {kind} {finding.pattern} {finding.detector}: {finding.says}"
    for evidence in finding.evidence[:_SHOWN]:
        yield f"          {_place(evidence)}"
    if len(finding.evidence) > _SHOWN:
        yield f"          and {len(finding.evidence) - _SHOWN} more places"


def _place(evidence: Evidence) -> str:
    source = evidence.source.removeprefix("artifact:")
    unit = "line " if evidence.source == "log" or ":" in evidence.source else ""
    at = f" {unit if evidence.at.isdigit() else ''}{evidence.at}" if evidence.at else ""
    return f"{source}{at}" + (f": {evidence.quote}" if evidence.quote else "")
