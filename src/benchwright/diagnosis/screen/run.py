"""The screen of one log: every detector on every run of it; only evidence that resolves is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchwright.diagnosis.screen.finding import Detector, Finding, Found
from benchwright.diagnosis.screen.reading import read_stories
from benchwright.diagnosis.screen.registry import DETECTORS
from benchwright.diagnosis.screen.story import Story
from benchwright.trajectory.resolve import resolve

MOST = 50
"""Findings of one detector on one run; a run with more is not read on."""


@dataclass(frozen=True, slots=True)
class Screened:
    """What the screen says of one run."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    """What could not be read: a log that is cut, files over the limit."""
    agent: str = ""
    """Program and model, as far as the log names them."""
    dropped: tuple[str, ...] = ()
    """Detectors that found something of which no pointer resolves: a fault of the screen."""

    @property
    def verdicts(self) -> tuple[Finding, ...]:
        """The findings that hold as they are stated."""
        return tuple(f for f in self.findings if f.kind == "verdict")


def screen(
    log: Path,
    artifacts: Path | None = None,
    detectors: Sequence[Detector] = DETECTORS,
    dialect: str | None = None,
) -> list[Screened]:
    """One answer for each run that the log holds.

    Time grows with the text of the log, and with values of the report times printed names.

    Raises:
        FormatError: the log is unreadable or of no known kind.
    """
    return [screen_story(story, detectors) for story in read_stories(log, artifacts, dialect)]


def screen_story(story: Story, detectors: Sequence[Detector] = DETECTORS) -> Screened:
    """Findings of one run, in the order of the detectors."""
    findings: list[Finding] = []
    dropped: list[str] = []
    for detector in detectors:
        for found in islice(detector.find(story), MOST):
            finding = _checked(detector, found, story)
            if finding is None:
                dropped.append(detector.name)
            else:
                findings.append(finding)
    return Screened(tuple(findings), story.notes(), story.agent_name(), tuple(dropped))


def _checked(detector: Detector, found: Found, story: Story) -> Finding | None:
    """The finding with the pointers that lead somewhere; None where none does."""
    places = story.pointers.places
    resolved = [resolve(evidence, places) for evidence in found.evidence]
    kept = tuple(r.evidence for r in resolved if r.text is not None and r.quote != "absent")
    if not kept:
        return None
    return Finding(detector.name, detector.kind, detector.pattern, found.says, kept)
