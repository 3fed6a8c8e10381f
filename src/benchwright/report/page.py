"""`Page` and its blocks: what can stand on a page, as data. Knows neither HTML nor files.

All text is plain text and stays so: nothing in a block is read as markup, a template or an address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Union

from benchwright.report.dialogue import Talk
from benchwright.report.story import Stretch
from benchwright.report.viewer import Axis, Trace, Viewer

Tone = Literal["plain", "good", "bad", "warn", "muted"]
SharePart = Literal["point", "interval", "chance", "bounds"]
FoldKind = Literal["sample", "tally"]
"""How wide the cells of a fold are: a short name first, or a name, a number and a text."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A word or two in a frame, for what must not be overlooked."""

    text: str
    tone: Tone = "plain"
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """A share in 0..1 drawn on a line from 0 to 1; None where nothing is known."""

    value: float | None
    interval: tuple[float, float] | None = None
    bounds: tuple[float, float] | None = None
    """What the share could be if missing samples were all wrong or all right."""
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry of a table, a list of facts or a summary line."""

    text: str = ""
    href: str | None = None
    """A page of this site, relative to its root; nothing else is accepted when written."""
    badges: tuple[Badge, ...] = ()
    note: str = ""
    """Smaller text under the first."""
    share: Share | None = None
    tone: Tone = "plain"
    hint: str = ""
    """Shown on hovering."""


@dataclass(frozen=True, slots=True)
class Column:
    """Head of a table column; numbers are set right and in tabular figures."""

    title: str
    number: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the page title; level 2 or 3."""

    text: str
    level: Literal[2, 3] = 2
    note: str = ""
    anchor: str = ""
    """Name by which a link finds it; unique on its page."""


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph. `warn` and `bad` are set as notices."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Facts:
    """A short list of named values."""

    items: tuple[tuple[str, Cell], ...]
    narrow: bool = False
    """Short values, set closer."""


@dataclass(frozen=True, slots=True)
class Section:
    """Rows of a table under one name; `apart` sets them off from those above."""

    title: str
    rows: tuple[tuple[Cell, ...], ...]
    apart: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Sections under common columns. On a narrow page each row becomes a small list."""

    columns: tuple[Column, ...]
    sections: tuple[Section, ...]
    caption: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Legend:
    """What the parts of a drawn share mean: pairs of a part and its words."""

    items: tuple[tuple[SharePart, str], ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """Words that stand elsewhere on the page, and what each of them means."""

    title: str
    items: tuple[tuple[Cell, str], ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Raw counts, coloured by the share of their row. Diagonal cells are what is right."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    shares: tuple[tuple[float | None, ...], ...]
    note: str = ""
    badges: tuple[Badge, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """What an agent did, step by step."""

    stretches: tuple[Stretch, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """Exact text in a fixed font: a prompt, a file, a command."""

    text: str
    caption: str = ""
    open: bool = True


@dataclass(frozen=True, slots=True)
class Grid:
    """Blocks beside each other where the page is wide enough."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class FoldHead:
    """Names of the cells in the folds that follow; on a narrow page they stand in each fold."""

    titles: tuple[str, ...]
    kind: FoldKind = "sample"


@dataclass(frozen=True, slots=True)
class Fold:
    """A line of cells that opens to further blocks."""

    summary: tuple[Cell, ...]
    titles: tuple[str, ...]
    """Names of the cells, as in the head."""
    blocks: tuple[Block, ...]
    open: bool = False
    kind: FoldKind = "sample"
    anchor: str = ""
    """Name by which a link on another page finds and opens it; unique on its page."""


@dataclass(frozen=True, slots=True)
class Specimen:
    """One sample as a puzzle: small series to switch, possible answers, the truth when asked for.

    Works without a script: what is shown follows from which boxes are checked.
    """

    name: str
    """Plain and unique on its page."""
    title: str
    text: str
    question: str
    choices: tuple[str, ...]
    truth: str
    """The right one of `choices`."""
    axes: tuple[Axis, ...]
    levels: tuple[Trace, ...]
    """Of these exactly one is seen; at most `MOST_LEVELS`."""
    probes: tuple[Trace, ...]
    """Of these any number is seen; at most one per role."""
    start_s: float
    step_s: float
    mark_s: float | None
    answer: tuple[Block, ...]
    """What stands below the truth once it is asked for."""
    more: Cell


MOST_LEVELS = 5
"""Levels of a specimen that the style sheet can switch between."""

Block = Union[
    Heading, Text, Facts, Table, Legend, Terms, Matrix, Viewer, Story, Code, FoldHead, "Grid",
    "Fold", Specimen, Talk,
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Page:
    """One file of the site."""

    path: str
    """Relative to the site's root: `index.html`, `tasks/<id>.html`."""
    title: str
    blocks: Sequence[Block]
    lead: str = ""
    kicker: Cell | None = None
    """A short line above the title, usually the way back."""
    badges: tuple[Badge, ...] = ()
