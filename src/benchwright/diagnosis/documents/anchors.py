"""What a reader can check in a text: pointers, code, numbers and identifiers of sources.

A pointer is `Evidence`: `fit.py:12`, `out/run.log:3-9`, a file by its name, `log line 40`, `step 7`
or `result:HANDLE`; code in back-ticks right behind one is what is said to stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.trajectory.evidence import Evidence

_SUFFIXES = "py|jsonl?|md|txt|csv|npy|npz|log|sh|ya?ml|toml|parquet|ipynb|tsv|png"
_PATH = rf"(?<![\w./:-])/?(?:[\w.-]+/)*+[\w.-]*\w\.(?:{_SUFFIXES})(?![\w/])"
_LINES = r"\d{1,9}(?:-\d{1,9})?"
_POINTER = re.compile(
    rf"(?P<path>{_PATH})(?::(?P<at>{_LINES}))?"
    rf"|\blog(?: lines? |:)(?P<log>{_LINES})"
    r"|\bsteps? (?P<step>\d{1,9})"
    r"|\bresult:(?P<result>[\w-]{4,80})"
)
_QUOTE = re.compile(r"`?[)\]]?(?::| =| says| reads| has| prints)? ?\(?`([^`\n]{1,400})`")
_CODE = re.compile(r"`([^`\n]{2,})`")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?")
_PLACE = re.compile(r"\b[Ll]ines? \d+|\bL\d+\b|(?<=\w):\d+\b")
_WORK = re.compile(r"\b10\.\d{4,9}/\S|\barXiv:\s?\d{4}\.\d{4,5}", re.IGNORECASE)
_LINK = re.compile(r"\b\w{2,10}://\S+")
_PUBLISHED = (_CODE, _NUMBER, re.compile(_PATH), _PLACE, _WORK)
LEAST_DIGITS = 3
"""Of a number that can anchor: shorter ones stand in any log by chance."""
LEAST_CODE = 4
LEAST_QUOTE = 20


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where a text points to, as it says it, and from which of its lines."""

    evidence: Evidence
    said: str
    line: int


def density(text: str) -> int:
    """Anchors in a text as they are published: five kinds, and a place is of several at once."""
    return sum(len(kind.findall(text)) for kind in _PUBLISHED)


def pointers(text: str, first_line: int = 1) -> Iterator[Pointer]:
    """Every pointer in order; links to the web are none."""
    for offset, line in enumerate(text.split("\n")):
        bare = _LINK.sub(lambda link: " " * len(link.group()), line)
        for found in _POINTER.finditer(bare):
            yield Pointer(_evidence(found, line), found.group(), first_line + offset)


def code(text: str) -> tuple[str, ...]:
    """Spans in back-ticks of four characters and more."""
    return tuple(span for span in _CODE.findall(text) if len(span) >= LEAST_CODE)


def figures(text: str) -> tuple[str, ...]:
    """Numbers of three digits and more, without the commas of thousands."""
    found = (number.replace(",", "") for number in _NUMBER.findall(text))
    return tuple(n for n in found if sum(map(str.isdecimal, n.lstrip("0."))) >= LEAST_DIGITS)


def works(text: str) -> tuple[str, ...]:
    """Identifiers of published work: DOI and arXiv."""
    return tuple(_WORK.findall(text))


def _evidence(found: re.Match[str], line: str) -> Evidence:
    behind = _QUOTE.match(line, found.end())
    quote = behind[1] if behind else None
    if found["path"]:
        return Evidence(f"artifact:{found['path']}", found["at"] or "", quote)
    if found["log"]:
        return Evidence("log", found["log"], quote)
    if found["step"]:
        return Evidence("step", found["step"], quote)
    return Evidence(f"result:{found['result']}", "", quote)
