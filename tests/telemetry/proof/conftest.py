"""The store of the demo set, and one conversation of every family."""

from __future__ import annotations

import pytest

from benchwright.suites.telemetry.episode import conversation
from benchwright.suites.telemetry.proof.answers import Answers
from benchwright.suites.telemetry.proof.case import Case, case_of
from tests.telemetry.sets import Built


@pytest.fixture(scope="session")
def cases(demo_set: Built) -> dict[str, Case]:
    """One conversation of every family, by family."""
    answers, found = Answers(demo_set.store), {}
    for task in demo_set.tasks.tasks:
        if task.axes["family"] not in found:
            script, duties, _ = conversation(demo_set.held.gold(task.id))
            found[task.axes["family"]] = case_of(script, duties, answers)
    return found
