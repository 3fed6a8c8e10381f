"""A label file is read back as it was written; a folder of them is one collection."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.canonical import canonical_json
from benchwright.diagnosis.labels.file import (
    file_name,
    labels_data,
    labels_of,
    read_collection,
    read_labels,
    write_labels,
)
from benchwright.diagnosis.labels.model import Label, Labels, Subject
from benchwright.errors import FormatError, SpecError
from benchwright.trajectory.evidence import Evidence
from tests.diagnosis.labels.made import label, labels

text = st.text(st.characters(codec="utf-8"), max_size=8)
name = text.filter(lambda t: bool(t.strip()))
every = st.builds(
    Labels,
    text, st.builds(Subject, name, text, text), name, st.sampled_from(["human", "judge"]),
    st.sampled_from([None, "valid", "no_delivery"]),
    st.lists(
        st.builds(
            Label,
            st.none() | text, st.sampled_from(["hit", "partial"]), st.none() | st.integers(0, 99),
            st.none() | st.floats(0, 1),
            st.lists(st.builds(Evidence, text, text, st.none() | text), max_size=2).map(tuple),
            text,
        ),
        max_size=3,
    ).map(tuple),
    text, st.none() | st.booleans(), st.sampled_from([None, "none", "high"]),
)  # fmt: skip


@given(every)
def test_labels_are_read_back_as_they_were_written(own: Labels) -> None:
    assert labels_of(json.loads(canonical_json(labels_data(own))), "there") == own


def test_a_folder_of_any_depth_is_one_sorted_collection(tmp_path: Path) -> None:
    for subject, rater in (("b", "Z"), ("a", "Z"), ("a", "B")):
        write_labels(tmp_path / rater / "deep", labels(label("C.2"), subject=subject, rater=rater))
    (tmp_path / ".partial.json").write_text("no label file")
    found = read_collection(tmp_path)
    assert [(x.subject.id, x.rater) for x in found] == [("a", "B"), ("a", "Z"), ("b", "Z")]


def test_a_rater_who_labels_a_subject_twice_is_refused_by_name(tmp_path: Path) -> None:
    write_labels(tmp_path / "one", labels(label("C.2"), subject="run-7", rater="Ada"))
    write_labels(tmp_path / "two", labels(label("C.1"), subject="run-7", rater="Ada"))
    with pytest.raises(SpecError, match=r"twice by one rater: 'run-7 by Ada'.*one/.*two/"):
        read_collection(tmp_path)


@pytest.mark.parametrize("make", [lambda p: p / "gone", lambda p: p])
def test_a_folder_without_label_files_is_refused(make: Any, tmp_path: Path) -> None:
    with pytest.raises(SpecError):
        read_collection(make(tmp_path))


def test_keys_that_are_not_known_are_passed_over(tmp_path: Path) -> None:
    own = labels(label("C.2"))
    data: dict[str, Any] = {**labels_data(own), "uncovered": [{"mechanism": "new"}]}
    (tmp_path / "x.json").write_bytes(canonical_json(data))
    assert read_labels(tmp_path / "x.json") == own


@pytest.mark.parametrize("field", ["task", "system", "suite", "kind", "domain"])
def test_null_in_a_subject_is_not_known_as_an_absent_key_is(field: str, tmp_path: Path) -> None:
    data = labels_data(labels(label("C.2")))
    subject = {"id": "run-7", "task": "t", field: None}
    (tmp_path / "x.json").write_bytes(canonical_json({**data, "subject": subject}))
    found = read_labels(tmp_path / "x.json").subject
    assert (found.id, getattr(found, field)) == ("run-7", "")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "benchwright.labels/2"),
        ("format", "benchwright.plan/1"),
        ("rater", " "),
        ("rater_kind", "oracle"),
        ("verdict", 0.5),
        ("verdict", "good"),
        ("severity", "fatal"),
        ("labels", None),
        ("subject", {"id": ""}),
        ("subject", {"id": None, "task": "t"}),
        ("subject", None),
    ],
)
def test_what_has_not_the_form_is_refused_with_its_place(
    key: str, value: object, tmp_path: Path
) -> None:
    data = {**labels_data(labels(label("C.2"))), key: value}
    (tmp_path / "x.json").write_bytes(canonical_json(data))
    with pytest.raises(FormatError, match=r"x\.json"):
        read_labels(tmp_path / "x.json")


@given(st.tuples(text, text), st.tuples(text, text))
def test_two_subjects_or_raters_never_share_a_file(a: tuple[str, str], b: tuple[str, str]) -> None:
    names = [file_name(labels(subject=s, rater=r)) for s, r in (a, b)]
    assert (names[0] == names[1]) == (a == b)
    assert all("/" not in one and len(one) < 200 for one in names)
