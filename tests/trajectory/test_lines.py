"""Bytes to lines: what ends a line, what is decoded, what is passed over and counted."""

from __future__ import annotations

import codecs
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.trajectory.lines import LONGEST_LINE, Line, split_lines
from benchwright.trajectory.notes import Notes

WIDE = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
wide_codecs = pytest.mark.parametrize("codec", WIDE)


def lines_of(raw: bytes, longest: int = LONGEST_LINE) -> tuple[list[Line], Notes]:
    notes = Notes()
    return list(split_lines(io.BytesIO(raw), notes, longest=longest)), notes


def wide(text: str, codec: str) -> bytes:
    return WIDE[codec] + text.encode(codec)


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    lines, notes = lines_of(codecs.BOM_UTF8 + b"a\nb")
    assert lines == [Line(1, 3, 5, b"a\n"), Line(2, 5, 6, b"b")]
    assert notes.counts == {"bom": 1}


def test_carriage_returns_are_noted_once_and_do_not_end_a_line() -> None:
    lines, notes = lines_of(b"a\r\nb\rc\r\n")
    assert [line.data for line in lines] == [b"a\r\n", b"b\rc\r\n"]
    assert notes.counts == {"crlf": 1}


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085", "\v", "\f", "\x1e"])
def test_only_a_line_feed_ends_a_line(mark: str) -> None:
    text = f"a{mark}b\nc"
    assert len(lines_of(text.encode())[0]) == 2
    assert len(lines_of(wide(text, "utf-16-le"))[0]) == 2


@wide_codecs
def test_utf_16_is_decoded_and_its_offsets_are_those_of_the_file(codec: str) -> None:
    raw = wide("é\nx", codec)
    lines, notes = lines_of(raw)
    assert [line.data.decode() for line in lines] == ["é\n", "x"]
    assert [raw[line.start : line.end].decode(codec) for line in lines] == ["é\n", "x"]
    assert notes.counts == {"utf-16": 1}


@wide_codecs
def test_a_newline_byte_inside_a_two_byte_character_ends_no_line(codec: str) -> None:
    text = "\u0a00\u010a\u0a0a\u000d\n"
    assert [line.data.decode() for line in lines_of(wide(text, codec))[0]] == [text]


@wide_codecs
def test_utf_16_cut_inside_a_character_keeps_what_is_whole(codec: str) -> None:
    lines, notes = lines_of(wide("ab\ncd", codec)[:-1])
    assert [line.data.decode() for line in lines] == ["ab\n", "c\ufffd"]
    assert notes.counts == {"utf-16": 1, "bytes": 1}


@pytest.mark.parametrize("codec", ["utf-8", *WIDE])
@pytest.mark.parametrize("length", [99, 100, 101, 250_000])
def test_a_line_over_the_limit_is_counted_with_its_place_and_the_next_is_read(
    codec: str, length: int
) -> None:
    unit = 1 if codec == "utf-8" else 2
    text = "x" * (length - 1) + "\nnext"
    raw = text.encode() if codec == "utf-8" else wide(text, codec)
    lines, notes = lines_of(raw, longest=100 * unit)
    base = 0 if codec == "utf-8" else 2
    assert lines[-1] == Line(2, base + length * unit, len(raw), b"next")
    assert notes.counts.get("long", 0) == (length > 100) == (len(lines) == 1)
    if length > 100:
        place = notes.examples["long"][0][0]
        assert place is not None
        assert (place.line, place.start, place.end) == (1, base, base + length * unit)


@pytest.mark.parametrize("codec", ["utf-8", *WIDE])
def test_a_last_line_over_the_limit_is_counted_too(codec: str) -> None:
    text = "a\n" + "x" * 100_000
    raw = text.encode() if codec == "utf-8" else wide(text, codec)
    lines, notes = lines_of(raw, longest=64)
    assert [line.number for line in lines] == [1]
    assert notes.counts["long"] == 1


def test_places_name_the_companion_file() -> None:
    notes = Notes()
    assert list(split_lines(io.BytesIO(b"x" * 9), notes, name="a.jsonl", longest=4)) == []
    place = notes.examples["long"][0][0]
    assert place is not None
    assert place.file == "a.jsonl"


texts = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n")))


@given(texts, st.sampled_from(["utf-8", *WIDE]), st.integers(4, 40))
def test_lines_tile_the_file_whatever_the_encoding_and_the_limit(
    parts: list[str], codec: str, longest: int
) -> None:
    text = "\n".join(parts)
    raw = text.encode() if codec == "utf-8" else wide(text, codec)
    if raw.startswith((codecs.BOM_UTF8, *WIDE.values())) and codec == "utf-8":
        return
    lines, notes = lines_of(raw, longest)
    kept = [line.data.decode() for line in lines]
    wanted = text.split("\n")
    ends = [part + "\n" for part in wanted[:-1]] + wanted[-1:]
    short = [part for part in ends if part and len(part.encode(codec)) <= longest]
    assert kept == short
    assert len(kept) + notes.counts.get("long", 0) == len([part for part in ends if part])
    assert [raw[line.start : line.end].decode(codec) for line in lines] == kept
    assert all(
        raw[: line.start].decode(codec.removesuffix("-le").removesuffix("-be")).count("\n") + 1
        == line.number
        for line in lines
    )


def test_the_shipped_limit_is_above_any_record_that_was_seen() -> None:
    record = json.dumps({"data": "x" * 1_000_000}).encode()
    lines, notes = lines_of(record * 3 + b"\n")
    assert len(lines) == 1
    assert not notes.counts
