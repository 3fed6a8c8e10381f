"""A frozen selection: what is beside a corpus file must be selected again, to the order."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.canonical import canonical_json
from benchwright.errors import FormatError
from benchwright.suites.telemetry.build import frozen_selection
from benchwright.suites.telemetry.corpus.load import Corpus, load_corpus, shipped_corpora
from benchwright.suites.telemetry.families.manifest import read_manifest, refuse_other
from benchwright.tasks.writer import CANARY
from tests.telemetry.corpora import channel, wide, written
from tests.telemetry.sets import Built, build_into

CONTRACT = {
    "held_out": {"unit": {"field": "equipment", "values": ["unit b"]}},
    "family": [{"name": "exact_value", "held_out": "unit"}],
}


def corpus(folder: Path) -> Corpus:
    """Two streams, six weeks of a reading every six hours."""
    rows = [f"2024-0{1 + d // 28}-{1 + d % 28:02d}T{h:02d}:00,{d},{h}" for d in range(42)
            for h in (0, 6, 12, 18)]  # fmt: skip
    source = wide(channel=[channel(c, equipment=f"unit {c}") for c in "ab"])
    return written(folder, {"x.csv": "\n".join(["time,a,b", *rows, ""])}, source, contract=CONTRACT)


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("frozen")
    built = build_into(corpus(folder / "data"), folder / "set")
    return read_manifest(built.shared("selection.txt"))


def build_with(folder: Path, lines: list[str]) -> Built:
    made = corpus(folder / "data")
    Path(made.where).with_suffix(".selection.txt").write_text("\n".join(["# frozen", *lines, ""]))
    return build_into(load_corpus(made.where), folder / "set")


def test_an_equal_manifest_builds_the_same_set(tmp_path: Path, frozen: list[str]) -> None:
    built = build_with(tmp_path, frozen)
    assert read_manifest(built.shared("selection.txt")) == frozen
    assert len(built.golds) == len(frozen) > 5


def test_a_line_is_the_split_and_the_identity_of_a_gold(tmp_path: Path, frozen: list[str]) -> None:
    built = build_with(tmp_path, frozen)
    told = {f"{g['split']}\t{canonical_json(g['identity']).decode()}" for g in built.golds.values()}
    assert told == set(frozen)


def _moved(lines: list[str]) -> tuple[list[str], str]:
    return [lines[0], lines[2], lines[1], *lines[3:]], lines[2]


def _other(line: str) -> str:
    return line.replace('"streams":["', '"streams":["z')


EDITS: dict[str, Callable[[list[str]], tuple[list[str], str]]] = {
    "missing": lambda lines: ([*lines[:2], *lines[3:]], lines[2]),
    "doubled": lambda lines: ([*lines, lines[3]], lines[3]),
    "new": lambda lines: ([*lines, _other(lines[3])], _other(lines[3])),
    "moved": _moved,
    "other split": lambda lines: (
        [lines[0].replace("train", "dev"), *lines[1:]],
        lines[0].replace("train", "dev"),
    ),
}
WORDS = {
    "missing": "is not in the frozen selection",
    "doubled": "is doubled",
    "new": "is not selected",
    "moved": "in another place",
    "other split": "is not selected",
}


@pytest.mark.parametrize("edit", EDITS)
def test_any_other_manifest_stops_the_build_and_names_the_identity(
    tmp_path: Path, frozen: list[str], edit: str
) -> None:
    lines, culprit = EDITS[edit](frozen)
    with pytest.raises(FormatError, match=WORDS[edit]) as caught:
        build_with(tmp_path, lines)
    assert culprit.replace("\t", " ") in str(caught.value)
    assert "corpus.toml: selection" in str(caught.value) and "\n" not in str(caught.value)
    assert [p.name for p in tmp_path.iterdir()] == ["data"]


LINES = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=5)


@given(LINES.filter(lambda lines: len(set(lines)) == len(lines)), LINES)
def test_only_the_very_same_lines_pass(found: list[str], other: list[str]) -> None:
    if found == other:
        refuse_other(found, other, "here")
        return
    with pytest.raises(FormatError):
        refuse_other(found, other, "here")


@pytest.mark.parametrize("name", shipped_corpora())
def test_every_shipped_corpus_has_its_manifest(name: str) -> None:
    corpus = load_corpus(name)
    lines = frozen_selection(corpus)
    assert lines is not None and len(lines) == len(set(lines)) > 300
    families = [family["name"] for family in corpus.contract["family"]]
    told = [json.loads(line.split("\t")[1])["family"] for line in lines]
    assert list(dict.fromkeys(told)) == families
    text = Path(corpus.where).with_suffix(".selection.txt").read_text()
    assert text.startswith("# ") and CANARY not in text


def test_the_shipped_manifests_are_those_of_the_sets(demo_set: Built) -> None:
    lines = read_manifest(demo_set.shared("selection.txt"))
    assert lines == frozen_selection(load_corpus("demo"))


def test_the_manifest_of_the_substations_is_that_of_their_set(stations_set: Built) -> None:
    lines = read_manifest(stations_set.shared("selection.txt"))
    assert lines == frozen_selection(load_corpus("xai4heat"))


@pytest.mark.slow
def test_the_manifest_of_the_campus_is_that_of_its_set(campus_set: Built) -> None:
    lines = read_manifest(campus_set.shared("selection.txt"))
    assert lines == frozen_selection(load_corpus("bts"))
