"""Label matching, results.json and the shortlist score (facts of tracebench, section 17, 1-9)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import SubmissionError
from benchwright.scoring.answers import LARGEST_FILE, parse_results, resolve_labels, shortlist, top1
from benchwright.tasks.model import Submission

LABELS = ("mass", "gravity acceleration", "no parameter change")
CONTRACT = Submission("direct", "results.json", LABELS, ("a.parquet", "b.parquet"))


def parsed(table: object) -> dict[str, tuple[str, ...]]:
    return parse_results(json.dumps(table).encode(), CONTRACT)


@pytest.mark.parametrize(
    ("labels", "score"),
    [(["a"], 1.0), (["b", "a"], 0.5), (["b"], 0.0), ([], 0.0), (["a", "a"], 1.0)],
)
def test_shortlist_is_one_over_the_number_of_different_labels(
    labels: list[str], score: float
) -> None:
    assert shortlist(labels, "a") == score


def test_a_sample_without_truth_cannot_be_scored() -> None:
    with pytest.raises(ValueError, match="without truth"):
        shortlist(["a"], "")


@given(st.permutations(LABELS), st.sampled_from(LABELS))
def test_naming_every_label_earns_one_over_all_whatever_the_order(
    labels: list[str], truth: str
) -> None:
    assert shortlist(labels, truth) == 1 / len(LABELS)
    assert top1(labels, truth) == (labels[0] == truth)


@pytest.mark.parametrize("form", ["{}.parquet", "{}", "test_samples/{}.parquet", " {} "])
def test_keys_may_be_file_names_stems_or_paths(form: str) -> None:
    answers = parsed({form.format(name): ["mass"] for name in "ab"})
    assert answers == {"a.parquet": ("mass",), "b.parquet": ("mass",)}


def test_plain_text_stands_for_a_list_of_one() -> None:
    assert parsed({"a": "mass", "b": ["mass"]})["a.parquet"] == ("mass",)


@pytest.mark.parametrize("given_label", ["Mass ", "MASS", " mass", "Gravity  acceleration"])
def test_labels_match_without_case_and_outer_space(given_label: str) -> None:
    assert resolve_labels(given_label, LABELS)[0] in LABELS


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"a": "mass"}, "have no answer"),
        ({"a": "mass", "b": "mass", "c": "mass"}, "no sample of this task"),
        ({"a": "mass", "a.parquet": "mass", "b": "mass"}, "answered twice"),
        ({"a": "weight", "b": "mass"}, "not one of the allowed"),
        ({"a": ["mass", "MASS"], "b": "mass"}, "names a label twice"),
        ({"a": [], "b": "mass"}, "neither a label nor a list"),
        ({"a": {"x": 1}, "b": "mass"}, "neither a label nor a list"),
        ({"a": [3], "b": "mass"}, "label is not text"),
        ({"a": "", "b": "mass"}, "label is not text"),
        ([1], "top level is not an object"),
    ],
)
def test_any_other_content_is_refused_with_its_reason(table: object, problem: str) -> None:
    with pytest.raises(SubmissionError, match=problem):
        parsed(table)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'{"a": NaN, "b": "mass"}', "value that JSON does not have"),
        (b'{"a": "mass", "a": "mass", "b": "mass"}', "key stands twice"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'"' + b"x" * LARGEST_FILE + b'"', "larger than 4 MiB"),
    ],
)
def test_files_that_are_not_plain_json_are_refused(data: bytes, problem: str) -> None:
    with pytest.raises(SubmissionError, match=problem):
        parse_results(data, CONTRACT)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=8))
def test_no_answer_of_any_shape_escapes_as_another_error(value: object) -> None:
    try:
        labels = resolve_labels(value, LABELS)
    except SubmissionError:
        return
    assert labels and set(labels) <= set(LABELS)
