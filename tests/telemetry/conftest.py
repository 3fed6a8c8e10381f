"""Sets that take seconds to build, once a session."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from benchwright.suites.telemetry.corpus.load import load_corpus
from tests.cli.commands import Said, benchwright
from tests.telemetry.sets import Built, build_into


@dataclass(frozen=True)
class Made:
    """A set that the command line built, and what it said."""

    said: Said
    built: Built


@pytest.fixture(scope="session")
def demo_made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The generated building, as a person builds it."""
    folder = tmp_path_factory.mktemp("demo")
    said = benchwright("build", "telemetry/demo", "--out", "demo", cwd=folder)
    assert said.code == 0, said.err
    return Made(said, Built(folder / "demo"))


@pytest.fixture(scope="session")
def demo_set(demo_made: Made) -> Built:
    """Its set."""
    return demo_made.built


@pytest.fixture(scope="session")
def stations_set(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Heating substations: real logs."""
    corpus = load_corpus("xai4heat", shared / "data")
    if not all((corpus.data / path).is_file() for path in corpus.paths):
        pytest.skip("logs of the substations are not here: put them below BENCHWRIGHT_SHARED/data")
    return build_into(corpus, tmp_path_factory.mktemp("stations") / "set")


@pytest.fixture(scope="session")
def campus_set(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Three graphs of buildings, with generated histories."""
    if not any((shared / "data").rglob("Site_B.ttl")):
        pytest.skip("the graph is not here: put Site_B.ttl below BENCHWRIGHT_SHARED/data")
    corpus = load_corpus("bts", shared / "data")
    return build_into(corpus, tmp_path_factory.mktemp("campus") / "set")
