"""Whatever stands in a file, reading it gives a value or one line with file and place."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import FormatError
from benchwright.storage import (
    read_bytes,
    read_json,
    read_json_lines,
    read_text,
    read_toml,
    write_json,
)

DEEP = 100_000


def said(reader: Callable[[Path], Any], path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        reader(path)
    text = str(caught.value)
    assert str(path) in text and "\n" not in text and len(text) < 1000
    return text


NO_JSON = {
    "nothing": (b"", "empty"),
    "white space": (b" \n", "empty"),
    "half a file": (b'{"a": [1, 2', "line 1, column 12"),
    "the second line": (b'{"a": 1,\n"b": }', "line 2, column 6"),
    "no UTF-8": (b'{"a":\n"\xff"}', "byte 0xff' (.*, line 2)"),
    "a key twice": (b'{"a": {"b": 1, "b": 2}}', "key stands twice: b"),
    "NaN": (b'{"a": NaN}', "NaN is not a JSON value"),
    "infinity": (b'{"a": -Infinity}', "-Infinity is not a JSON value"),
    "a number above all": (b'{"a": 1e999}', "too large: 1e999"),
    "digits without end": (b"1" * 5000, "limit"),
    "half a character": (b'{"a": "\\ud800"}', "half a character"),
    "lists without end": (b"[" * DEEP, "nested too deeply"),
    "objects without end": (b'{"a":' * DEEP, "nested too deeply"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "BOM"),
}


@pytest.mark.parametrize(("data", "word"), NO_JSON.values(), ids=NO_JSON)
def test_what_is_no_json_is_one_line(tmp_path: Path, data: bytes, word: str) -> None:
    path = tmp_path / "f.json"
    path.write_bytes(data)
    text = said(read_json, path)
    assert all(part in text for part in word.split(".*"))


NO_TOML = {
    "no value": (b"a = 1\nb =\n", "line 2, column 4"),
    "half a table": (b"[a", "end of file"),
    "a key twice": (b"a = 1\na = 2\n", "line 2, column 6"),
    "no UTF-8": (b"a = 1\nb = '\xff'", "line 2"),
    "a NUL": (b"a = 1\0", "line 1"),
    "a date": (b"[a]\nb = [2020-01-01]\n", "f.toml: a.b[0]"),
    "a time": (b"a = 07:32:00\n", "date or a time"),
    "an integer of 65 bits": (b"[a]\nb = 0x1_0000_0000_0000_0000\n", "more than 64 bits"),
    "digits without end": (b"a = 0x" + b"f" * 10_000, "more than 64 bits"),
    "lists without end": (b"a = " + b"[" * DEEP, "too deeply"),
    "keys without end": (b"a" + b".a" * 5_000 + b" = 1", "nested too deeply"),
}


@pytest.mark.parametrize(("data", "word"), NO_TOML.values(), ids=NO_TOML)
def test_what_is_no_toml_is_one_line(tmp_path: Path, data: bytes, word: str) -> None:
    path = tmp_path / "f.toml"
    path.write_bytes(data)
    assert word in said(read_toml, path)


@pytest.mark.parametrize("reader", [read_bytes, read_text, read_json, read_toml])
def test_what_is_no_file_is_one_line_and_holds_nobody_up(
    tmp_path: Path, reader: Callable[[Path], Any]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "circle").symlink_to("circle")
    os.mkfifo(tmp_path / "pipe")
    assert "a folder" in said(reader, tmp_path / "folder")
    assert "No such file" in said(reader, tmp_path / "dangling")
    assert "Too many levels" in said(reader, tmp_path / "circle")
    assert "no regular file" in said(reader, tmp_path / "pipe")
    assert "Not a directory" in said(reader, Path("/dev/null/file"))
    assert "too long" in said(reader, tmp_path / ("x" * 300))


@given(st.binary(max_size=60))
def test_any_bytes_are_a_value_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(data)
    for reader in (read_json, read_toml):
        try:
            reader(path)
        except FormatError as error:
            assert str(path) in str(error)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc"), inner),
    max_leaves=8,
)  # fmt: skip


@given(PLAIN)
def test_what_was_written_is_read_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, value: Any
) -> None:
    path = tmp_path_factory.getbasetemp() / "plain"
    write_json(path, value)
    assert read_json(path) == value


def test_every_line_is_a_document_whatever_its_text_holds(tmp_path: Path) -> None:
    """Line separators of Unicode stand inside of text; only a line feed ends a line."""
    path = tmp_path / "f.jsonl"
    lines = [{"format": "benchwright.x/1", "a": "one\u2028two\x85three"}] * 2
    path.write_text("\n\n".join(json.dumps(v, ensure_ascii=False) for v in lines), encoding="utf-8")
    found = read_json_lines(path, form="benchwright.x/1")
    assert found == [(lines[0], f"{path}, line 1"), (lines[1], f"{path}, line 3")]


def test_a_damaged_line_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text('{"format": "benchwright.x/1"}\n{"format":\n', encoding="utf-8")
    assert "line 2, column 11" in said(lambda p: read_json_lines(p, form="benchwright.x/1"), path)


@pytest.mark.parametrize("number", ["0", "01", "-1", "1.0", "²", "x", "9" * 5000, ""])
def test_a_format_without_a_plain_number_is_another_format(tmp_path: Path, number: str) -> None:
    path = tmp_path / "f.json"
    path.write_text(json.dumps({"format": f"benchwright.x/{number}"}), encoding="utf-8")
    assert "expected" in said(lambda p: read_json(p, form="benchwright.x/1"), path)
