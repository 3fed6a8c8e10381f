"""The word lists of the screen: each can be read, says nothing twice, and is asked for by code."""

from __future__ import annotations

import ast
import itertools
import re
from pathlib import Path

import pytest

from benchwright.diagnosis import screen
from benchwright.diagnosis.screen.phrases import entries, pattern, read, template

FOLDER = Path(screen.__file__).parent
FILES = sorted(file.stem for file in (FOLDER / "phrases").glob("*.toml"))
LISTS = [(file, name) for file in FILES for name in read(file)]
INNER = re.compile(r"\{([a-z_]+)\}")


def asked_for(*readers: str) -> set[tuple[str, str]]:
    """Lists that the code of the screen asks these functions for."""
    asked: set[tuple[str, str]] = set()
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in readers:
                words = [a.value for a in node.args[:2] if isinstance(a, ast.Constant)]
                if len(words) == 2 and all(isinstance(word, str) for word in words):
                    names = INNER.findall(words[1]) or [words[1]]
                    asked |= {(words[0], name) for name in names}
    return asked


def inner() -> set[tuple[str, str]]:
    """Lists that phrases of other lists name."""
    return {(f, name) for f, n in PATTERNS for e in entries(f, n) for name in INNER.findall(e)}


NAMES = asked_for("entries")
"""Lists that are compared as they are written, not matched."""
PATTERNS = [listed for listed in LISTS if listed not in NAMES]


def test_there_are_word_lists() -> None:
    assert {"checks", "claims", "flaws", "promises", "words"} <= set(FILES)


@pytest.mark.parametrize(("file", "name"), PATTERNS)
def test_every_list_compiles_and_matches_no_empty_text(file: str, name: str) -> None:
    assert template(file, f"{{{name}}}").fullmatch("") is None


@pytest.mark.parametrize(("file", "name"), PATTERNS)
def test_every_phrase_compiles_by_itself_and_holds_no_group_that_is_counted(
    file: str, name: str
) -> None:
    assert [e for e in entries(file, name) if template(file, e).groups] == []


@pytest.mark.parametrize(("file", "name"), LISTS)
def test_no_phrase_is_listed_twice(file: str, name: str) -> None:
    listed = entries(file, name)
    assert sorted(listed) == sorted(set(listed))


@pytest.mark.parametrize("file", FILES)
def test_a_comment_says_what_each_list_is(file: str) -> None:
    lines = (FOLDER / "phrases" / f"{file}.toml").read_text(encoding="utf-8").split("\n")
    bare = [
        line
        for above, line in itertools.pairwise(lines)
        if re.match(r"\w+ = \[", line) and not above.startswith("# ")
    ]
    assert bare == []


def test_every_list_is_used_and_every_list_that_is_asked_for_exists() -> None:
    assert asked_for("entries", "pattern", "template") | inner() == set(LISTS)


def test_a_pattern_is_of_whole_words_in_either_case() -> None:
    found = pattern("words", "denies").search("It is Never so")
    assert found is not None and found.group() == "Never"
    assert pattern("words", "denies").search("a notable knot") is None


def test_case_is_heeded_where_a_list_says_so() -> None:
    heeds = template("checks", r"\s*{says_no}\b", re.NOFLAG)
    assert heeds.match(" FAILED") and not heeds.match(" failed")


def test_a_phrase_can_name_another_list() -> None:
    grave = pattern("flaws", "grave")
    assert grave.search("the labels were in fact swapped") and not grave.search("were in fact")


def test_a_list_that_is_not_there_is_named() -> None:
    with pytest.raises(KeyError, match="unheard"):
        template("words", "{unheard}")
