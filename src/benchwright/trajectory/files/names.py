"""Whether words of a command or program name a file."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from functools import lru_cache


def mentions(words: str, path: str) -> bool:
    """Whether words of a command or program name the file, by its name or a pattern of it."""
    base = posixpath.basename(path)
    if re.search(rf"(?<![\w.-]){re.escape(base)}(?![\w-])", words):
        return True
    return any(_fits(word, path) for word in words.split() if any(mark in word for mark in "*?["))


def _fits(pattern: str, path: str) -> bool:
    folder, _, last = pattern.rpartition("/")
    if last.strip("*."):
        return fnmatch.fnmatchcase(posixpath.basename(path), last)
    return bool(folder.strip("*./")) and f"/{folder.removeprefix('./')}/" in f"/{path}"


_APART = re.compile(r"[\s'\"`=:,;()\[\]{}<>|&]+")


def mentions_folder(words: str, path: str) -> bool:
    """Whether a word ends in the name of a folder that the file is in."""
    folders = set(posixpath.dirname(path).strip("/").split("/")) - {""}
    return not folders.isdisjoint(_last_parts(words))


@lru_cache(maxsize=64)  # asked for every file that matters, one after the other
def _last_parts(words: str) -> frozenset[str]:
    parts = (word.rstrip("/").rpartition("/")[2] for word in _APART.split(words))
    return frozenset(part for part in parts if part)
