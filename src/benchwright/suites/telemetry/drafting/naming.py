"""Names: what paths of files of one header have in common, and ids made of words.

Takes paths with the days that their readings lie in; gives a pattern whose groups fill templates. A
run of digits that says the year, month or day of a file's own readings is a date, any other part
that differs is the name of something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath

_TOKEN = re.compile(r"\d+|[^\W\d_]+|[\W_]+")
Days = tuple[date, date]
"""First and last day of the readings of a file."""


@dataclass(frozen=True, slots=True)
class Naming:
    """What a source says about the names of its files."""

    pattern: str | None
    equipment: str
    """Template of the thing that a file is about."""
    groups: Mapping[str, Mapping[str, str]]
    """What the groups of the pattern hold, by path."""
    whole: bool = False
    """Whether names had no common build, so that each is a thing of its own."""
    dated: bool = False
    """Whether parts were read as dates."""

    def of(self, path: str) -> str:
        """The thing that a file is about."""
        return self.equipment.format_map(self.groups.get(path, {}))


def naming_of(files: Mapping[str, Days]) -> Naming:
    """The common pattern of the names of files."""
    stems = {path: str(PurePosixPath(path).with_suffix("")) for path in sorted(files)}
    tokens = {path: _TOKEN.findall(stem) for path, stem in stems.items()}
    if len({_build(one) for one in tokens.values()}) > 1:
        return _whole(stems)
    rows = list(tokens.values())
    dates = {i for i in range(len(rows[0])) if _is_date(i, tokens, files)}
    differ = [i for i in range(len(rows[0])) if len({row[i] for row in rows}) > 1]
    named = [i for i in differ if i not in dates]
    dated = any(i in dates for i in differ)
    names = {i: f"unit_{n}" if n else "unit" for n, i in enumerate(named)}
    equipment = _equipment(rows[0], names, dates)
    if not named:
        return Naming(None, equipment, {}, dated=dated)
    groups = {path: {names[i]: row[i] for i in named} for path, row in tokens.items()}
    return Naming(_pattern(rows, names, differ), equipment, groups, dated=dated)


def _build(tokens: Sequence[str]) -> tuple[str, ...]:
    """Kinds of tokens, and separators as they are."""
    return tuple("9" if t.isdigit() else "a" if t.isalpha() else t for t in tokens)


def _whole(stems: Mapping[str, str]) -> Naming:
    names = [PurePosixPath(stem).name for stem in stems.values()]
    alone = len(set(names)) == len(names)
    groups = {p: {"file": PurePosixPath(s).name if alone else s} for p, s in stems.items()}
    part = "[^/]+" if alone else ".+"
    start = "" if alone else "^"
    return Naming(rf"{start}(?P<file>{part})\.[^./]+$", "{file}", groups, whole=True)


def _is_date(place: int, tokens: Mapping[str, Sequence[str]], files: Mapping[str, Days]) -> bool:
    """Whether a year stands there, or a month, day or quarter beside one, in every file."""
    if all(_quarter(row, place, files[path]) for path, row in tokens.items()):
        return True
    texts = {path: row[place] for path, row in tokens.items()}
    if not all(text.isdigit() for text in texts.values()):
        return False
    if all(_says(text, files[path]) for path, text in texts.items()):
        return True
    if not all(len(text) == 2 for text in texts.values()):
        return False
    beside = [i for i in (place - 2, place - 4) if i >= 0]
    return all(
        any(
            _ends((row[i], *(row[j] for j in range(i + 2, place + 1, 2))), files[path])
            for i in beside
            if len(row[i]) == 4
        )
        for path, row in tokens.items()
    )


def _quarter(row: Sequence[str], place: int, days: Days) -> bool:
    """Whether the letter or the number of a quarter stands there (2023Q1), that of the readings."""
    at = place - 1 if row[place].isdigit() else place
    if not 0 < at < len(row) - 1 or row[at].lower() != "q":
        return False
    year = row[at - 1] if row[at - 1].isdigit() else row[max(at - 2, 0)]
    said = (year, row[at + 1])
    return any(said == (str(day.year), str((day.month + 2) // 3)) for day in days)


def _says(text: str, days: Days) -> bool:
    """Whether digits say year, year and month, or day of the readings."""
    forms = {4: ("%Y",), 6: ("%Y%m",), 8: ("%Y%m%d", "%d%m%Y")}.get(len(text), ())
    return any(day.strftime(form) == text for day in days for form in forms)


def _ends(parts: Sequence[str], days: Days) -> bool:
    """Whether a year, a month and perhaps a day are those of the first or last reading."""
    return any(
        [day.strftime(f) for f in ("%Y", "%m", "%d")][: len(parts)] == list(parts) for day in days
    )


def _equipment(row: Sequence[str], names: Mapping[int, str], dates: set[int]) -> str:
    """The name without its dates; braces in names are doubled, as templates want it."""
    parts = []
    for i, token in enumerate(row):
        if i in names:
            parts.append(f"{{{names[i]}}}")
        elif i not in dates:
            parts.append(token.replace("{", "{{").replace("}", "}}"))
    text = re.sub(r"([-_. ])[-_. ]+", r"\1", "".join(parts)).strip("-_. /")
    return text or "unit"


def _pattern(rows: Sequence[Sequence[str]], names: Mapping[int, str], differ: list[int]) -> str:
    """A regular expression of the whole path."""
    first = rows[0]
    parts = []
    for i, token in enumerate(first):
        piece = (r"\d+" if token.isdigit() else r"[^\W\d_]+") if i in differ else re.escape(token)
        parts.append(f"(?P<{names[i]}>{piece})" if i in names else piece)
    return f"^{''.join(parts)}" + r"\.[^./]+$"


def slug(text: str) -> str:
    """Lower-case letters, digits and single underscores."""
    return re.sub(r"[\W_]+", "_", text.lower()).strip("_") or "column"


def class_name(text: str) -> str:
    """A name for a class, from that of a column."""
    return "_".join(word.capitalize() for word in slug(text).split("_"))


def unique(names: Iterable[str]) -> list[str]:
    """Names with `_2`, `_3` where one comes again."""
    found: list[str] = []
    for name in names:
        count, called = 1, name
        while called in found:
            count += 1
            called = f"{name}_{count}"
        found.append(called)
    return found


def build_of(path: str) -> tuple[str, ...]:
    """How a path is built: every run of digits as one sign, every run of letters as another."""
    return _build(_TOKEN.findall(path))
