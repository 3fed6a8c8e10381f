"""TOML with comments, line by line.

Values are written as TOML wants them; remarks that a person must look at begin with `CHECK:`.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable

MARK = "# CHECK:"


def text(value: str) -> str:
    """A string: literal where it holds a backslash, else basic."""
    if "\\" in value and "'" not in value and value.isprintable():
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def texts(values: Iterable[str]) -> str:
    """An array of strings."""
    return f"[{', '.join(map(text, values))}]"


def check(remark: str) -> list[str]:
    """A remark for a person, in lines that can be read."""
    lines = textwrap.wrap(
        " ".join(remark.split()), 92, break_long_words=False, break_on_hyphens=False
    )
    return [f"{MARK} {lines[0]}", *(f"#   {line}" for line in lines[1:])]


def note(remark: str) -> list[str]:
    """A remark that asks for nothing."""
    return [f"# {line}" for line in textwrap.wrap(" ".join(remark.split()), 96)]


def some(values: Iterable[str], most: int = 5) -> str:
    """The first few names in quotes, and how many more there are."""
    listed = list(values)
    shown = ", ".join(repr(value) for value in listed[:most])
    return shown + (f" and {len(listed) - most} more" if len(listed) > most else "")
