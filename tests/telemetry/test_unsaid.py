"""What agents are given holds no id of a stream; the check of leaks finds one that was planted."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from benchwright.checks.leaks import unsaid_in
from benchwright.checks.model import Subject
from benchwright.suites.telemetry.build import cluster_of
from benchwright.suites.telemetry.suite import SUITE
from benchwright.suites.telemetry.unsaid import unsaid
from tests.telemetry.house import house
from tests.telemetry.sets import Built, build_into


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("unsaid")
    return build_into(house(folder / "data", most=3), folder / "set")


def found(built: Built) -> list[tuple[str, str]]:
    subject = Subject(built.tasks, built.held, SUITE, "none")
    return [(one.where, one.problem) for one in unsaid_in(subject)]


def test_names_are_those_of_streams_files_and_columns(small: Built) -> None:
    names = unsaid(small.tasks, small.held)
    assert {"A.t", "A.f1", "D.t"} <= {n for n, what in names.items() if what == "stream"}
    assert {n for n, what in names.items() if what == "data file"} == {
        f"{unit}0.csv" for unit in "ABCD"
    }
    assert {"f1", "f2"} <= {n for n, what in names.items() if what == "column"}


def test_nothing_that_agents_are_given_holds_them(small: Built) -> None:
    assert found(small) == []


def test_an_equipment_that_is_called_as_a_stream_may_be_named(small: Built) -> None:
    assert not {"unit A", "unit D"} & {*unsaid(small.tasks, small.held)}


def test_rows_of_one_stream_are_one_cluster_and_those_of_others_are_not(small: Built) -> None:
    clusters = {task.id: task.cluster for task in small.tasks.tasks}
    pairs = {(g["points"][0]["stream"], clusters[name]) for name, g in small.golds.items()}
    assert len(pairs) == len({stream for stream, _ in pairs}) == len({c for _, c in pairs})
    assert Counter(clusters.values()).most_common(1)[0][1] > 1
    assert all(cluster == cluster_of(stream, small.store) for stream, cluster in pairs)


@pytest.mark.parametrize("name", ["A.f1", "C0.csv", "f2"])
@pytest.mark.parametrize("file", ["task.toml", "instruction.md", "taskset.toml"])
def test_a_planted_name_is_found(small: Built, tmp_path: Path, name: str, file: str) -> None:
    shutil.copytree(small.path, tmp_path / "set")
    copy = Built(tmp_path / "set")
    (task, *_) = sorted(small.golds)
    where = file if file == "taskset.toml" else f"tasks/{task}/{file}"
    tasks = copy.tasks  # read before it is edited: here nothing else is looked at
    (copy.path / where).write_text((copy.path / where).read_text() + f"\n# see {name}.\n")
    subject = Subject(tasks, copy.held, SUITE, "none")
    assert [one.where for one in unsaid_in(subject)] == [where]
