"""The screen on conversations: an invented value is found in the answer, a true one is not."""

from __future__ import annotations

import json

import pytest

from benchwright.cli import exit_code
from tests.telemetry.results.conftest import Ran


@pytest.fixture(scope="module")
def verdicts(ran: Ran) -> dict[str, list[str]]:
    """Detectors that gave a verdict, by episode."""
    from benchwright.diagnosis.screen.run import screen
    from benchwright.diagnosis.screen.subjects import subjects_of

    return {
        one.subject.id: [f.detector for run in screen(one.log) for f in run.verdicts]
        for one in subjects_of(ran.path)
    }


def of(ran: Ran, verdicts: dict[str, list[str]], agent: str) -> list[list[str]]:
    ids = [planned.id for planned in ran.view.folder.plan if planned.agent.name == agent]
    return [verdicts[name] for name in ids if name in verdicts]


def test_an_invented_value_stands_in_no_result(ran: Ran, verdicts: dict[str, list[str]]) -> None:
    found = of(ran, verdicts, "invents_value")
    assert found and ["number-unfound"] in found


@pytest.mark.parametrize("agent", ["oracle"])
def test_who_answers_from_results_has_no_verdict(
    ran: Ran, verdicts: dict[str, list[str]], agent: str
) -> None:
    found = of(ran, verdicts, agent)
    assert found and all(one == [] for one in found)


def test_agents_that_were_given_the_answers_are_told_so(
    ran: Ran, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["diagnose", "screen", str(ran.path), "--json"]) in (0, 1)
    systems = {
        one["subject"]["system"] for one in json.loads(capsys.readouterr().out)["trajectories"]
    }
    assert "oracle (given the answers)" in systems
