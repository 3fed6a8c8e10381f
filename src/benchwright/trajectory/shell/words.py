"""One word of a shell script: its quotes and backslashes taken off, its patterns told apart."""

from __future__ import annotations

import re
from typing import Any

WILD = re.compile(r"(?:^|[=:])~|[*?]|\[.*\]")


class Pattern(str):
    """A word, as written, that the shell replaces: by names of files, a home, a list of words."""

    __slots__ = ()


def shape(text: str) -> str:
    """The text of a word with `*` for each expansion in it."""
    plain = re.sub(r"\$\([^()]*\)|\$\{[^{}]*\}|\$\w+|`[^`]*`", "*", text)
    return plain.replace('"', "").replace("'", "")


def computed(node: Any) -> bool:
    """Whether the shell expands something in this text between double quotes."""
    return any(child.type.endswith(("expansion", "substitution")) for child in node.named_children)


def unescape(text: str, quote: str) -> str:
    """Backslashes as the shell reads them: between double quotes most of them stay."""
    if "\\" not in text:
        return text
    out, at = [], 0
    while at < len(text):
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            after = text[at + 1]
            special = not quote or after in '$`"\\\n'
            out.append(("" if after == "\n" else after) if special else char + after)
            at += 2
        else:
            out.append(char)
            at += 1
    return "".join(out)


def ansi(text: str) -> str | None:
    """`$'...'`; None where it holds more than the plainest escapes."""
    table = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "r": "\r"}
    if any(char not in table for char in re.findall(r"\\(.)", text, re.DOTALL)):
        return None
    return re.sub(r"\\(.)", lambda m: table[m.group(1)], text, flags=re.DOTALL)
