"""The taxonomy holds what is published of it, is read strictly, and keeps its versions apart."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.diagnosis.taxonomy import (
    VersionMap,
    one_version,
    order,
    read_taxonomy,
    shipped,
)
from benchwright.diagnosis.taxonomy_page import taxonomy_page
from benchwright.errors import FormatError, SpecError
from tools.source import PACKAGE, ROOT

TEXT = (PACKAGE / "diagnosis" / "taxonomy.toml").read_text()
IDS = tuple(shipped().patterns)


def test_there_are_45_patterns_with_the_published_sizes_of_stages_and_pillars() -> None:
    patterns = shipped().patterns.values()
    assert Counter(p.stage for p in patterns) == dict(A=6, B=6, C=8, D=7, E=4, F=6, X=8)
    assert Counter(p.pillar for p in patterns) == dict(R1=12, R2=13, R3=13, R4=7)


def test_names_and_definitions_are_all_different_and_long_enough_to_tell_something() -> None:
    patterns = list(shipped().patterns.values())
    assert len({p.name for p in patterns}) == len({p.definition for p in patterns}) == 45
    assert min(len(p.definition) for p in patterns) > 40


def test_no_definition_is_a_sentence_of_the_paper(shared: Path) -> None:
    paper = (shared / "papers" / "002_ff67d5b846a8fc06.txt").read_text().lower().split()
    runs = {" ".join(paper[at : at + 6]) for at in range(len(paper))}
    said = [w for p in shipped().patterns.values() for w in (p.definition, p.by)]
    ours = [s.lower().split() for s in (*said, *(pair.rule for pair in shipped().pairs))]
    copied = [
        words[at : at + 6]
        for words in ours
        for at in range(len(words) - 5)
        if " ".join(words[at : at + 6]) in runs
    ]
    assert copied == []


def test_only_depth_is_of_lower_confidence() -> None:
    assert [p.word for p in shipped().pillars.values() if p.lower_confidence] == ["depth"]


def test_patterns_of_artifacts_are_settled_by_files_and_log_more_often_than_those_of_depth() -> (
    None
):
    def judged(pillar: str) -> float:
        own = [p for p in shipped().patterns.values() if p.pillar == pillar]
        return sum(p.settled == "reading" for p in own) / len(own)

    assert judged("R1") < judged("R2") and judged("R4") < judged("R2")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A.5", "A.6"),
        ("C.1", "C.2"),
        ("B.1", "E.4"),
        ("D.7", "F.4"),
        ("C.7", "X.7"),
        ("A.2", "X.5"),
    ],
)
def test_what_is_often_mistaken_is_told_apart_from_both_sides(one: str, other: str) -> None:
    there, back = shipped().confusable(one), shipped().confusable(other)
    assert (
        {p for p in there if other in p.between} == {p for p in back if one in p.between} != set()
    )


def test_the_page_is_made_from_the_file() -> None:
    assert (ROOT / "docs" / "taxonomy.md").read_text() == taxonomy_page(shipped())


def test_numbers_are_ordered_as_numbers() -> None:
    assert sorted(["X.10", "X.9", "A.2"], key=order) == ["A.2", "X.9", "X.10"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('settled = "reading"', 'settled = "vibes"', "Use 'files', 'log' or 'reading'"),
        ('stage = "A"', 'stage = "B"', "under another stage"),
        ('pillar = "R2"', 'pillar = "R9"', "unknown pillar"),
        ("definition =", "defnition =", "Did you mean definition?"),
        ('[patterns."A.1"]', '[patterns."A1"]', "no stage, dot and number"),
        ('between = ["A.5", "A.6"]', 'between = ["A.5", "A.9"]', "unknown pattern"),
        ('between = ["A.5", "A.6"]', 'between = ["A.5", "A.5"]', "is one pattern"),
        ('word = "depth"', 'word = "grounding"', "two pillars have one word"),
        ('version = "arft-45"', 'version = "ARFT 45"', "version is no name"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TEXT.replace(old, new, 1))
    with pytest.raises(SpecError, match=said.replace("?", r"\?")):
        read_taxonomy(file)


def test_another_format_and_a_newer_number_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    for form in ("benchwright.prices/1", "benchwright.taxonomy/2"):
        file.write_text(TEXT.replace("benchwright.taxonomy/1", form))
        with pytest.raises(FormatError):
            read_taxonomy(file)


def test_an_id_without_its_dot_is_of_another_set_and_never_guessed_at() -> None:
    with pytest.raises(SpecError, match="older set"):
        shipped().pattern("C1")
    assert shipped().pattern("C.1").id == "C.1"


def test_versions_are_not_mixed() -> None:
    assert one_version(["arft-45", "arft-45"], "labels") == "arft-45"
    for versions in (["arft-45", "mine"], []):
        with pytest.raises(SpecError, match="version"):
            one_version(versions, "labels")


def test_a_version_without_a_map_is_refused_and_with_one_is_carried_over(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no map"):
        shipped().map_from("early")
    file = tmp_path / "mine.toml"
    told = '[[maps]]\nsource = "early"\npatterns = { P1 = ["D.7", "A.2"], P2 = ["A.2"], P3 = [] }\n'
    file.write_text(f"{TEXT}\n{told}")
    found = read_taxonomy(file).map_from("early")
    assert found.carry(["P2", "P1", "P3"]) == ("A.2", "D.7")
    assert found.carry(["P3"]) == ()
    with pytest.raises(SpecError, match="unknown pattern"):
        found.carry(["P4"])
    file.write_text(f"{TEXT}\n{told.replace('A.2', 'A.20')}")
    with pytest.raises(SpecError, match="unknown pattern"):
        read_taxonomy(file)


ids = st.sampled_from(IDS)
maps = st.fixed_dictionaries({one: st.lists(ids, max_size=3).map(tuple) for one in IDS[:6]})
few = st.lists(st.sampled_from(IDS[:6]), max_size=6)


@given(few)
def test_a_version_is_carried_to_itself_unchanged_but_for_order_and_repeats(
    some: list[str],
) -> None:
    same = shipped().map_from(shipped().version)
    assert same.carry(some) == tuple(sorted(set(some), key=order))


@given(maps, maps, few)
def test_two_maps_in_a_row_do_what_both_do_one_after_the_other(
    first: dict[str, tuple[str, ...]], second: dict[str, tuple[str, ...]], some: list[str]
) -> None:
    inside = {one: tuple(n for n in new if n in second) for one, new in first.items()}
    one, two = VersionMap("a", "b", inside), VersionMap("b", "c", second)
    assert one.then(two).carry(some) == two.carry(one.carry(some))
    with pytest.raises(SpecError, match="different versions"):
        two.then(one)


@given(maps, few)
def test_the_order_of_labels_does_not_matter(
    new: dict[str, tuple[str, ...]], some: list[str]
) -> None:
    there = VersionMap("a", "b", new)
    orders = itertools.islice(itertools.permutations(some), 24)
    assert len({there.carry(one) for one in orders}) == 1
