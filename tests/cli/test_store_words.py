"""What the commands of a store say to arguments and folders that cannot be used."""

from __future__ import annotations

import pytest

from tests.cli.commands import benchwright
from tests.telemetry.house import house
from tests.telemetry.sets import Built, build_into


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("words")
    return build_into(house(folder / "data", most=2), folder / "set")


def test_an_argument_that_is_missing_is_no_line_of_a_file(small: Built) -> None:
    said = benchwright("store", "query", str(small.path / "store"), "preview", cwd=small.path)
    assert said.code == 1
    assert "argument is missing: 'stream_id' (preview). Give stream_id as well." in said.out


@pytest.mark.parametrize(
    "given, word",
    [
        (("stream_id=A.t", "stream_id=A.t"), "argument is given twice: 'stream_id'"),
        (("=3",), "argument is no name=value: '=3'"),
    ],
)
def test_arguments_that_contradict_or_name_nothing_are_refused(
    small: Built, given: tuple[str, ...], word: str
) -> None:
    store = str(small.path / "store")
    said = benchwright("store", "query", store, "preview", *given, cwd=small.path)
    assert said.code == 2
    assert word in said.err


def test_a_name_without_end_is_cut_in_what_is_said(small: Built) -> None:
    store = str(small.path / "store")
    said = benchwright("store", "query", store, "preview", f"stream_id={'a' * 100_000}", cwd=store)
    assert said.code == 1
    assert len(said.out) < 600


def test_coverage_of_a_folder_that_is_no_set_names_how_to_build_one(small: Built) -> None:
    said = benchwright("store", "coverage", str(small.path / "store"), cwd=small.path)
    assert said.code == 2
    assert "benchwright build telemetry/demo --out" in said.err
    assert said.err.count("\n") == 1
