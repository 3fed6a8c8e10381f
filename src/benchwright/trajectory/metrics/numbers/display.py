"""What a call shows, as far as its tool and arguments say: the context in which lines are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from benchwright.trajectory.metrics.lists import listed

_SOURCE = listed("source_suffixes")
_SOURCE_NAMES = frozenset({"makefile", "dockerfile", "gnumakefile", "rakefile", "justfile"})


@dataclass(frozen=True, slots=True)
class Display:
    """What is known of an output before it is read."""

    source: Literal["none", "some", "all"] = "none"
    """Whether it shows programs, style sheets, templates or queries: not at all, beside other
    things, or nothing else."""
    hits: bool = False
    """Lines can begin with the path of a search hit."""
    numbered: bool = False
    """Lines can begin with a number that a reader or a search adds."""
    search: bool = False
    """A search tool gave it, not a command."""
    separated: bool = False
    """Rows of a CSV file: commas never group digits."""
    payload: bool = False
    """A dump of bytes."""
    harness: bool = False
    """The harness speaks, not a tool."""


PLAIN = Display()


def is_source(path: str) -> bool:
    """Whether a file is a program, style sheet, template or query, by its name."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    return name in _SOURCE_NAMES or ("." in name and name.rpartition(".")[2] in _SOURCE)


def is_table(path: str) -> bool:
    """Whether a file holds rows with separators, by its name."""
    return path.lower().endswith((".csv", ".tsv", ".psv"))
