"""Records that are as good as the canonical one, and must be accepted whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.suites.telemetry.proof.case import Case
from benchwright.suites.telemetry.proof.reordering import reordered, with_more, with_talk
from benchwright.suites.telemetry.proof.restating import restated
from benchwright.suites.telemetry.proof.rewriting import rewritten
from benchwright.suites.telemetry.proof.steps import Steps


@dataclass(frozen=True, slots=True)
class Control:
    """A record that breaks nothing."""

    kind: str
    """What was done."""
    steps: Steps


def controls(case: Case) -> Iterator[Control]:
    """Every control of a conversation, the canonical record first."""
    yield Control("canonical", case.steps)
    for changed in (reordered, rewritten, with_more, with_talk, restated):
        for kind, steps in changed(case):
            yield Control(kind, steps)
