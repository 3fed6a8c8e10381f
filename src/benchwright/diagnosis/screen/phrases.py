"""The word lists that detectors read by: the files of the folder `phrases`, as regular expressions.

A file holds lists, a list holds phrases, and a phrase is a small regular expression; `{name}` in it
stands for any phrase of the list of that name in the same file. Knows no detector.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

_NAMED = re.compile(r"\{([a-z_]+)\}")
"""A list by its name; a count of repetitions has digits."""


def pattern(file: str, name: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """Any phrase of a list as whole words, the first that fits; case is ignored by default."""
    return template(file, rf"\b{{{name}}}\b", flags)


@cache
def template(file: str, text: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """A regular expression with lists of one file in it, each as `{name}`; flags 0 heeds case.

    Raises:
        KeyError: the file has no such list.
        RecursionError: lists stand for each other in a circle.
    """
    return re.compile(_filled(file, text), flags)


def entries(file: str, name: str) -> tuple[str, ...]:
    """The phrases of a list as they are written, in their order."""
    return read(file)[name]


@cache
def read(file: str) -> Mapping[str, tuple[str, ...]]:
    """All lists of `phrases/<file>.toml` by name."""
    place = resources.files("benchwright.diagnosis.screen") / "phrases" / f"{file}.toml"
    lists = tomllib.loads(place.read_text(encoding="utf-8"))
    return {name: tuple(listed) for name, listed in lists.items()}


def _filled(file: str, text: str) -> str:
    """The text with each list as a group of its phrases."""
    lists = read(file)

    def group(found: re.Match[str]) -> str:
        return f"(?:{'|'.join(_filled(file, phrase) for phrase in lists[found.group(1)])})"

    return _NAMED.sub(group, text)
