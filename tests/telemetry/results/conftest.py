"""A run of agents whose faults are known, on the small house: two trials of one row per kind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from benchwright.report.run import RunView
from benchwright.suites.telemetry.diagnosed.told import Told
from benchwright.suites.telemetry.score import SCORING
from tests.cli.commands import benchwright
from tests.telemetry.house import house
from tests.telemetry.sets import Built, build_into

AGENTS = (
    *("oracle", "constant", "keeps_old_winner", "skips_evidence", "stops_early", "local_as_utc"),
    *("invents_value", "false_handle", "never_asks"),
)
TRIALS = 2


@dataclass(frozen=True)
class Ran:
    """A run beside its set."""

    path: Path
    built: Built

    @cached_property
    def view(self) -> RunView:
        """As pages read it."""
        return RunView.open(self.path, lambda _: SCORING)

    @cached_property
    def told(self) -> tuple[Told, ...]:
        """Every conversation."""
        found = []
        for planned in self.view.folder.plan:
            episode, sheet = self.view.episode(planned), self.view.sheet(planned)
            assert episode is not None and sheet is not None
            found.append(Told.open(self.built.held.gold(planned.task_id), episode, sheet))
        return tuple(found)

    def of(self, agent: str) -> list[Told]:
        """Conversations of one agent."""
        return [told for told in self.told if told.episode.agent.name == agent]


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    folder = tmp_path_factory.mktemp("results")
    built = build_into(house(folder / "data", most=2), folder / "set")
    named = [word for agent in AGENTS for word in ("--agent", agent)]
    said = benchwright(
        "run", built.path, *named, "--trials", str(TRIALS), "--out", folder / "run"
    )  # fmt: skip
    assert said.code == 0, said.err
    return Ran(folder / "run", built)
