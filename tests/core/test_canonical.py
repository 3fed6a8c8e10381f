from __future__ import annotations

import json
import math
import string
import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.canonical import (
    ID_DIGITS,
    canonical_json,
    digest,
    digest_bytes,
    digest_file,
    digest_tree,
    make_id,
    plain,
    salted_name,
)
from benchwright.errors import FormatError

texts = st.text(st.characters(codec="utf-8"), max_size=8)
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    leaves, lambda v: st.lists(v, max_size=4) | st.dictionaries(texts, v, max_size=4), max_leaves=12
)


def typed(value: object) -> object:
    """The value with truth apart from one, which Python's equality does not do."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, list):
        return [typed(v) for v in value]
    if isinstance(value, dict):
        return {k: typed(v) for k, v in value.items()}
    return value


def respelled(value: object) -> object:
    """The same value: keys in reverse order, lists as tuples, integral numbers the other way."""
    if isinstance(value, dict):
        return {k: respelled(v) for k, v in reversed(value.items())}
    if isinstance(value, list):
        return tuple(respelled(v) for v in value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


@given(values, values)
def test_texts_are_equal_exactly_when_values_are(one: object, other: object) -> None:
    assert (canonical_json(one) == canonical_json(other)) == (typed(one) == typed(other))


@given(values)
def test_spelling_and_key_order_change_nothing(value: object) -> None:
    assert canonical_json(respelled(value)) == canonical_json(value)


@given(values)
def test_reading_the_text_gives_the_value_and_the_same_text(value: object) -> None:
    text = canonical_json(value)
    again = json.loads(text)
    assert typed(again) == typed(value)
    assert canonical_json(again) == text


def test_the_text_is_short_and_sorted() -> None:
    value = {"b": 1.0, "a": [0.1, 1e300, -0.0], "é": None}
    assert canonical_json({"b": 1.0, "a": 0.1}) == b'{"a":0.1,"b":1}'
    assert canonical_json(value).decode().startswith('{"a":[0.1,1000')
    assert "é" in canonical_json(value).decode()


def test_minus_zero_is_zero() -> None:
    assert canonical_json(-0.0) == canonical_json(0)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_a_number_is_refused(value: float) -> None:
    with pytest.raises(FormatError, match="null with a reason"):
        canonical_json({"deep": [value]})


@pytest.mark.parametrize("value", [{1: "a"}, {None: 1}, {True: 1}])
def test_a_key_that_is_not_text_is_refused(value: object) -> None:
    with pytest.raises(FormatError, match="key is not text"):
        canonical_json(value)


@pytest.mark.parametrize("value", [{1, 2}, b"bytes", object(), frozenset()])
def test_what_has_no_order_or_no_meaning_is_refused(value: object) -> None:
    with pytest.raises(FormatError, match="no canonical form"):
        canonical_json(value)


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    path: Path


def test_a_record_is_its_fields() -> None:
    assert plain(Point(2.0, Path("a/b"))) == {"x": 2, "path": "a/b"}
    assert digest(Point(2.0, Path("a/b"))) == digest({"path": "a/b", "x": 2})


def test_a_digest_is_the_known_one() -> None:
    # sha256 of the two bytes {} , computed with another program.
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    assert digest({}) == digest_bytes(b"{}")


@given(
    st.dictionaries(st.text(string.ascii_letters, min_size=1, max_size=3), st.binary(max_size=5))
)
def test_a_folder_is_its_files_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    one, other = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("other")
    for name, data in files.items():
        (one / name).write_bytes(data)
    for name, data in reversed(files.items()):
        (other / name).write_bytes(data)
    assert digest_tree(one) == digest_tree(other)
    (other / "more").write_bytes(b"")
    assert digest_tree(one) != digest_tree(other)


def test_a_file_digest_is_that_of_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"abc" * 1000)
    assert digest_file(tmp_path / "f") == digest_bytes(b"abc" * 1000)


@given(texts)
def test_an_id_is_readable_and_carries_its_digest(words: str) -> None:
    name = make_id(words, digest(words))
    assert set(name) <= set(string.ascii_lowercase + string.digits + "-")
    assert name.endswith("-" + digest(words)[:ID_DIGITS])


def test_an_id_keeps_its_words() -> None:
    assert (
        make_id("BallDrop, low / direct", "0a1b2c3d4e5f6071") == "balldrop-low-direct-0a1b2c3d4e5f"
    )


@given(texts, texts, st.lists(texts.filter(lambda t: "\0" not in t), min_size=1, max_size=3))
def test_a_salted_name_depends_on_the_salt(salt: str, other: str, parts: list[str]) -> None:
    name = salted_name(salt, *parts)
    assert uuid.UUID(name).version == 4
    assert name == salted_name(salt, *parts)
    assert (salted_name(other, *parts) == name) == (other == salt)


def test_parts_of_a_salted_name_do_not_run_together() -> None:
    assert salted_name("s", "ab", "c") != salted_name("s", "a", "bc")
