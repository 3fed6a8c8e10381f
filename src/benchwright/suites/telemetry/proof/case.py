"""One conversation under proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.suites.telemetry.corpus.zones import Zone
from benchwright.suites.telemetry.dialogue.model import Script
from benchwright.suites.telemetry.obligations.model import Duties
from benchwright.suites.telemetry.proof.answers import Answers
from benchwright.suites.telemetry.proof.steps import Steps, planned


@dataclass(frozen=True)
class Case:
    """A script with its duties and the store that it was made on."""

    script: Script
    duties: Duties
    answers: Answers
    steps: Steps
    """Of a perfect agent."""

    @property
    def zone(self) -> Zone:
        """Of the corpus."""
        return self.answers.store.zone


def case_of(script: Script, duties: Duties, answers: Answers) -> Case:
    """A conversation with what a perfect agent does in it."""
    return Case(script, duties, answers, planned(script))


Changed = Iterator[tuple[str, Steps]]
"""Records by what was done to the canonical one."""
