"""A run folder can be resumed after any kill; only the closing record means finished."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.episodes.folder import RunFolder, close_episode
from benchwright.episodes.model import AgentRecord, End, Episode, Planned, Usage
from benchwright.errors import FormatError, RunError
from tests.episodes.stated import STATED

AGENT = AgentRecord("noop", None, False, "bwrap", "test")
NOTHING = Usage(0, 0, 0, 0, 0, 0, 1, 1)


def plan(count: int) -> list[Planned]:
    return [Planned(f"e-{i}", "t", "d", AGENT, i) for i in range(count)]


def close(run: RunFolder, planned: Planned) -> None:
    folder = run.folder(planned.id)
    folder.mkdir(parents=True)
    episode = Episode(
        planned.id, "t", "d", AGENT, planned.trial, End("returned"), None, NOTHING, folder
    )
    close_episode(episode)


@given(st.sets(st.integers(0, 4)))
def test_owed_is_the_plan_minus_closed_records(
    tmp_path_factory: pytest.TempPathFactory, closed: set[int]
) -> None:
    run = RunFolder.create(tmp_path_factory.mktemp("run"), STATED, plan(5))
    for i in closed:
        close(run, plan(5)[i])
    again = RunFolder.open(run.path)
    assert {p.trial for p in again.owed()} == set(range(5)) - closed
    assert {e.trial for e in again.episodes()} == closed


def test_a_folder_without_closing_record_is_owed_and_discarded(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path, STATED, plan(1))
    (run.folder("e-0") / "artifacts").mkdir(parents=True)
    assert len(run.owed()) == 1
    assert run.discard_unfinished() == 1
    assert not run.folder("e-0").exists()


def test_closed_records_read_back_equal(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path, STATED, plan(1))
    close(run, plan(1)[0])
    assert run.episode("e-0").usage == NOTHING
    assert RunFolder.open(tmp_path).plan == tuple(plan(1))


def test_a_run_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path, STATED, plan(1))
    file = run.path / "run.toml"
    file.write_text(file.read_text().replace("run-record/1", "run-record/7"))
    with pytest.raises(FormatError, match="newer benchwright"):
        RunFolder.open(tmp_path)


def test_a_newer_closing_record_is_refused(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path, STATED, plan(1))
    close(run, plan(1)[0])
    file = run.folder("e-0") / "episode.json"
    file.write_text(file.read_text().replace("episode/1", "episode/2"))
    with pytest.raises(FormatError, match="newer benchwright"):
        list(run.episodes())


def test_what_broke_off_without_an_owner_is_refused(tmp_path: Path) -> None:
    """It would count against the agent."""
    run = RunFolder.create(tmp_path, STATED, plan(1))
    close(run, plan(1)[0])
    file = run.folder("e-0") / "episode.json"
    file.write_text(file.read_text().replace('"returned"', '"killed"'))
    with pytest.raises(FormatError, match=r"nobody is to blame: 'killed' .*episode\.json: owner"):
        list(run.episodes())


def test_an_episode_that_is_planned_twice_is_refused(tmp_path: Path) -> None:
    RunFolder.create(tmp_path, STATED, [*plan(2), *plan(1)])
    with pytest.raises(FormatError, match="episode stands twice: 'e-0'"):
        RunFolder.open(tmp_path)


def test_a_closing_record_that_cannot_be_read_is_not_taken_for_an_owed_episode(
    tmp_path: Path,
) -> None:
    """Otherwise the next run would remove the episode and begin it again."""
    run = RunFolder.create(tmp_path, STATED, plan(1))
    (run.folder("e-0") / "episode.json").mkdir(parents=True)
    assert run.owed() == () and run.discard_unfinished() == 0
    with pytest.raises(FormatError, match="a folder"):
        list(run.episodes())


def test_another_folder_is_not_a_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not a run folder"):
        RunFolder.open(tmp_path)
