"""JSON lines to records: every object once, everything else counted, places exact."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.trajectory.notes import Notes
from benchwright.trajectory.records import Record, read_lines

chars = st.characters(exclude_categories=["Cs"])
strings = st.text(chars) | st.sampled_from(["\u2028", "a\u2029b", "\u0085", "\ufeff", "\x00"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | strings,
    lambda inner: st.lists(inner) | st.dictionaries(strings, inner),
    max_leaves=3,
)
objects = st.dictionaries(strings, values, max_size=4)
noise = st.sampled_from(["", "  ", "null", "42", "[]", '"a"', "npm WARN x", "{broken", "}{", "]"])


def read(raw: bytes) -> tuple[list[Record], Notes]:
    notes = Notes()
    return list(read_lines(io.BytesIO(raw), notes)), notes


def objects_of(raw: bytes) -> list[Any]:
    return [record.value for record in read(raw)[0]]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085"])
def test_separators_inside_a_string_do_not_break_a_record(mark: str) -> None:
    value = {"text": f"a{mark}b"}
    raw = json.dumps(value, ensure_ascii=False).encode() + b"\n"
    assert objects_of(raw * 2) == [value, value]


def test_a_record_behind_a_byte_order_mark_and_before_a_carriage_return_is_read() -> None:
    raw = b'\xef\xbb\xbf{"a":1}\r\n{"a":2}\r\n'
    records, notes = read(raw)
    assert [record.value["a"] for record in records] == [1, 2]
    assert json.loads(raw[records[0].anchor.start : records[0].anchor.end]) == {"a": 1}
    assert notes.counts == {"bom": 1, "crlf": 1}


def test_what_is_no_object_is_counted_by_what_it_is() -> None:
    raw = b'Loading...\n\nnull\n42\n[]\n[{"a":1}]\n"x"\n{"a":1}\n{broken\n{"a":2}\n'
    records, notes = read(raw)
    assert [(r.value, r.anchor.line) for r in records] == [({"a": 1}, 8), ({"a": 2}, 10)]
    assert notes.counts == {"text": 2, "scalar": 5}
    assert [detail for _, detail in notes.examples["text"]] == ["Loading...", "{broken"]


def test_a_record_that_breaks_off_at_the_end_is_a_cut_and_elsewhere_is_text() -> None:
    assert read(b'{"a":1}\n{"a":')[1].counts == {"cut": 1}
    assert read(b'{"a":1}\n{"a":\n')[1].counts == {"text": 1}


def test_a_file_cut_inside_a_character_ends_with_a_cut_record() -> None:
    raw = '{"a":1}\n{"a":"é'.encode()[:-1]
    records, notes = read(raw)
    assert [r.value for r in records] == [{"a": 1}]
    assert notes.counts == {"cut": 1}


def test_invalid_bytes_are_replaced_and_counted() -> None:
    records, notes = read(b'{"a":"\xff"}\n')
    assert records[0].value == {"a": "\ufffd"}
    assert notes.counts == {"bytes": 1}


def test_half_a_surrogate_pair_is_replaced_in_keys_and_values_and_counted() -> None:
    records, notes = read(b'{"a\\udc00":["\\ud800",{"b":"\\ud83d\\ude00"}]}\n')
    assert records[0].value == {"a\ufffd": ["\ufffd", {"b": "\U0001f600"}]}
    assert notes.counts == {"bytes": 1}


@pytest.mark.parametrize("depth", [190, 300, 900, 100_000])
@pytest.mark.parametrize("leaf", ["1", '"\\ud800"'])
def test_deep_nesting_is_read_or_counted_and_never_a_crash(depth: int, leaf: str) -> None:
    raw = b'{"a":' + b"[" * depth + leaf.encode() + b"]" * depth + b"}\n"
    records, notes = read(raw + b'{"b":1}\n')
    assert records[-1].value == {"b": 1}
    assert len(records) == 2 or notes.counts == {"deep": 1}


def test_a_deep_line_is_told_from_one_that_is_no_json() -> None:
    _, notes = read(b'{"a":' * 900 + b"1" + b"}" * 900 + b"\n" + b"[" * 900 + b"]" * 900 + b"\n")
    assert notes.counts == {"deep": 2}
    assert read(b'{"a":' * 900 + b"\n")[1].counts == {"text": 1}


def test_an_empty_file_has_no_records_and_no_notes() -> None:
    assert read(b"") == ([], Notes())
    assert read(b"\n \n\r\n")[0] == []


@settings(max_examples=40)
@given(st.lists(objects | noise, max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_every_object_is_read_once_and_its_place_holds_it(
    items: list[Any], end: str, marked: bool
) -> None:
    lines = [i if isinstance(i, str) else json.dumps(i, ensure_ascii=False) for i in items]
    raw = b"\xef\xbb\xbf" * marked + "".join(line + end for line in lines).encode()
    records, notes = read(raw)
    wanted = [item for item in items if isinstance(item, dict)]
    assert [record.value for record in records] == wanted
    for record in records:
        where = record.anchor
        assert json.loads(raw[where.start : where.end]) == record.value
        assert raw[: where.start].count(b"\n") + 1 == where.line
    others = [line for line in lines if line.strip() and not line.startswith('{"')]
    spoken = [item for item in others if item != "{}"]
    assert notes.counts.get("text", 0) + notes.counts.get("scalar", 0) == len(spoken)


@given(st.binary())
def test_any_bytes_are_read_without_a_crash(raw: bytes) -> None:
    read(raw)
    read(b'{"a":"' + raw + b'"}\n{"b":1}')


@settings(max_examples=40)
@given(st.lists(objects, min_size=1, max_size=4), st.data())
def test_a_cut_gives_a_prefix_of_the_records(items: list[Any], data: st.DataObject) -> None:
    raw = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items).encode()
    cut = data.draw(st.integers(0, len(raw)))
    whole, short = objects_of(raw), objects_of(raw[:cut])
    assert short == whole[: len(short)]
    assert raw[:cut].count(b"\n") in (len(short), len(short) - 1)
