"""A record is read by its types, and what does not fit is named by file and key."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from benchwright.errors import FormatError
from benchwright.storage.records import Count, Digest, Name, Text, record, without_repeats


@dataclass(frozen=True, slots=True)
class Inner:
    kind: Literal["a", "b"]
    count: Count | None
    share: float


@dataclass(frozen=True, slots=True)
class Outer:
    id: Name
    digest: Digest
    labels: Annotated[tuple[Text, ...], Field(min_length=1)]
    inner: Mapping[str, Inner]
    public: bool = False


GOOD: dict[str, Any] = {
    "id": "t-1", "digest": "0" * 64, "labels": ["x"], "public": True,
    "inner": {"one": {"kind": "a", "count": 3, "share": 0.5}},
}  # fmt: skip


def changed(path: str, value: Any) -> dict[str, Any]:
    copied = {**GOOD, "labels": list(GOOD["labels"]), "inner": {"one": {**GOOD["inner"]["one"]}}}
    *way, last = path.split(".")
    target: Any = copied
    for part in way:
        target = target[part]
    target[last] = value
    return copied


def test_a_record_is_what_its_data_say() -> None:
    found = record(Outer, GOOD, "f")
    assert found.labels == ("x",)
    assert found.inner["one"] == Inner("a", 3, 0.5)
    assert record(Outer, {**asdict(found), "unknown": 1}, "f") == found


WRONG = {
    "a number for text": ("id", 3, "f: id"),
    "a folder's name that leaves it": ("id", "../x", "f: id"),
    "text for a list": ("labels", "x", "f: labels"),
    "a number in a list of text": ("labels", ["a", 3], r"f: labels\[1\]"),
    "an empty list": ("labels", [], "f: labels"),
    "a list for a table": ("inner", [], "f: inner"),
    "a word outside the vocabulary": ("inner.one.kind", "c", r"f: inner\.one\.kind\).*'a' or 'b'"),
    "true for a number": ("inner.one.count", True, r"True \(f: inner\.one\.count\)"),
    "1.0 for an integer": ("inner.one.count", 1.0, r"1\.0 \(f"),
    "text for an integer": ("inner.one.count", "1", r"'1' \(f"),
    "less than nothing": ("inner.one.count", -1, "greater than or equal to 0"),
    "more than can be stored": ("inner.one.count", 2**63, "less than"),
    "true for a float": ("inner.one.share", True, r"True \(f: inner\.one\.share\)"),
    "text for a float": ("inner.one.share", "0.5", r"'0\.5' \(f"),
    "null for a float": ("inner.one.share", None, r"None \(f"),
    "a number for a flag": ("public", 1, r"1 \(f: public\)"),
    "half a digest": ("digest", "0" * 63, "f: digest"),
    "half a character": ("id", "\ud800", "file cannot be used"),
}


@pytest.mark.parametrize(("path", "value", "message"), WRONG.values(), ids=WRONG)
def test_what_does_not_fit_is_named(path: str, value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        record(Outer, changed(path, value), "f")


@pytest.mark.parametrize("key", ["id", "labels", "inner"])
def test_what_is_absent_is_named(key: str) -> None:
    with pytest.raises(FormatError, match=rf"lacks a key: '{key}' \(f\)"):
        record(Outer, {k: v for k, v in GOOD.items() if k != key}, "f")


@pytest.mark.parametrize("value", [None, [], "text", 3])
def test_what_is_no_table_is_refused(value: Any) -> None:
    with pytest.raises(FormatError, match=r"\(f\)"):
        record(Outer, value, "f")


def test_nesting_without_end_is_refused() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(FormatError, match=r"nested too deeply|recursion"):
        record(Outer, changed("labels", deep), "f")


@given(st.binary(min_size=8, max_size=8).map(lambda raw: struct.unpack("d", raw)[0]))
def test_a_number_is_read_to_the_last_bit(number: float) -> None:
    if number - number == 0:
        found = record(Inner, {"kind": "a", "count": 1, "share": number}, "f").share
        assert struct.pack("d", found) == struct.pack("d", number)


def test_the_first_name_that_stands_twice_is_told() -> None:
    without_repeats(["a", "b"], "label", "f")
    with pytest.raises(FormatError, match=r"label stands twice: 'b' \(f\)"):
        without_repeats(["a", "b", "b", "a"], "label", "f")
