"""One JSON document as a stream of parts: pointers, places, cuts, memory."""

from __future__ import annotations

import codecs
import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.trajectory.documents import read_document
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.records import Record

strings = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | strings,
    lambda inner: st.lists(inner) | st.dictionaries(strings, inner),
    max_leaves=4,
)
documents = st.dictionaries(strings, values | st.lists(values), min_size=1, max_size=4) | st.lists(
    st.dictionaries(strings, values, max_size=3), max_size=4
)


def read(raw: bytes) -> tuple[list[Record], Notes]:
    notes = Notes()
    return list(read_document(io.BytesIO(raw), notes)), notes


def parts_of(value: Any) -> list[tuple[str, Any]]:
    """What a document should come apart into, said once more and simply."""
    if isinstance(value, list):
        return [(f"/{number}", item) for number, item in enumerate(value)]
    parts: list[tuple[str, Any]] = []
    for key, member in value.items():
        name = "/" + key.replace("~", "~0").replace("/", "~1")
        items = member if isinstance(member, list) else None
        parts += [(name, member)] if items is None else parts_of_items(name, items)
    return parts


def parts_of_items(name: str, items: list[Any]) -> list[tuple[str, Any]]:
    return [(f"{name}/{number}", item) for number, item in enumerate(items)]


@pytest.mark.parametrize("indent", [None, 2])
def test_members_and_items_of_array_members_come_apart(indent: int | None) -> None:
    value = {"info": {"id": 1}, "messages": [{"a": "x"}, "y", 3], "end": None, "none": []}
    raw = json.dumps(value, indent=indent).encode()
    records, notes = read(raw)
    assert [(r.anchor.pointer, r.value) for r in records] == [
        ("/info", {"id": 1}),
        ("/messages/0", {"a": "x"}),
        ("/messages/1", "y"),
        ("/messages/2", 3),
        ("/end", None),
    ]
    assert not notes.counts


def test_an_array_of_records_comes_apart_too() -> None:
    records, _ = read(b'[{"a":1},\n{"a":2}]')
    assert [(r.anchor.pointer, r.value["a"], r.anchor.line) for r in records] == [
        ("/0", 1, 1),
        ("/1", 2, 2),
    ]


def test_a_banner_before_the_document_is_counted() -> None:
    raw = b"Exporting session: ses_1\n" + json.dumps({"info": 1}, indent=1).encode()
    records, notes = read(raw)
    assert [(r.anchor.pointer, r.anchor.line) for r in records] == [("/info", 3)]
    assert notes.examples["text"] == [(None, "Exporting session: ses_1")]


def test_brackets_in_a_banner_do_not_open_the_document() -> None:
    raw = b'[INFO] {starting}\n[1/2] step\n{"a": 1}'
    assert [(r.anchor.pointer, r.value) for r in read(raw)[0]] == [("/a", 1)]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_a_utf_16_document_is_decoded_and_has_lines_but_no_offsets(codec: str) -> None:
    mark = codecs.BOM_UTF16_LE if codec == "utf-16-le" else codecs.BOM_UTF16_BE
    text = json.dumps({"a": "é\u2028", "b": ["x" * 70_000]}, ensure_ascii=False, indent=1)
    records, notes = read(mark + text.encode(codec))
    assert [r.value for r in records] == ["é\u2028", "x" * 70_000]
    assert [(r.anchor.line, r.anchor.start, r.anchor.end) for r in records] == [
        (2, -1, -1),
        (4, -1, -1),
    ]
    assert notes.counts == {"utf-16": 1}


def test_a_byte_order_mark_is_skipped() -> None:
    raw = b'\xef\xbb\xbf{"a":[1]}'
    (record,), notes = read(raw)
    assert json.loads(raw[record.anchor.start : record.anchor.end]) == 1
    assert not notes.counts


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b'{"a', b'{"a":', b'{"a":[1,{"b":', b'{"a":tru', b"[", b'[{"a":1},', b"no json"],
)
def test_a_document_that_breaks_off_is_a_cut_and_gives_what_is_whole(raw: bytes) -> None:
    records, notes = read(raw)
    assert notes.counts["cut"] == 1
    assert all(r.value in (1, {"a": 1}) for r in records)


def test_deep_nesting_is_counted_and_no_crash() -> None:
    records, notes = read(b'{"a":1,"b":' + b"[" * 200_000)
    assert [r.value for r in records] == [1]
    assert notes.counts["cut"] == 1
    records, notes = read(b'{"a":1,"b":' + b"[" * 900 + b"]" * 900 + b',"c":2}')
    assert [r.value for r in records] == [1, 2]
    assert notes.counts["deep"] == 1


def test_a_part_over_the_limit_is_counted_and_ends_the_reading() -> None:
    file = io.BytesIO(b'{"a":1,"b":"' + b"x" * (1 << 24) + b'","c":2}')
    notes = Notes()
    assert [r.value for r in read_document(file, notes, longest=1 << 20)] == [1]
    assert notes.counts == {"long": 1, "cut": 1}
    assert file.tell() < 1 << 23


@settings(max_examples=40)
@given(documents, st.sampled_from([None, 0, 3]), st.sampled_from(["", "\n\n", "Loading\n"]))
def test_every_part_comes_once_and_its_place_holds_it(
    value: Any, indent: int | None, before: str
) -> None:
    raw = (before + json.dumps(value, ensure_ascii=False, indent=indent)).encode()
    records, notes = read(raw)
    assert [(r.anchor.pointer, r.value) for r in records] == parts_of(value)
    for record in records:
        where = record.anchor
        assert json.loads(raw[where.start : where.end]) == record.value
        assert raw[: where.start].count(b"\n") + 1 == where.line
    assert "cut" not in notes.counts


@settings(max_examples=40)
@given(documents, st.data())
def test_a_cut_gives_a_prefix_of_the_parts(value: Any, data: st.DataObject) -> None:
    raw = json.dumps(value, ensure_ascii=False, indent=1).encode()
    cut = data.draw(st.integers(0, len(raw) - 1))
    parts = [(r.anchor.pointer, r.value) for r in read(raw[:cut])[0]]
    sure = max(0, len(parts) - 1)  # of a number at the very end nobody knows that it was cut
    assert parts[:sure] == parts_of(value)[:sure]
    assert [pointer for pointer, _ in parts] == [p for p, _ in parts_of(value)][: len(parts)]


@given(st.binary())
def test_any_bytes_are_read_without_a_crash(raw: bytes) -> None:
    read(raw)
    read(b'{"a":[' + raw)
