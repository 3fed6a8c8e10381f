"""A document in Markdown as its sections, its numbered issues and their trailers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from benchwright.diagnosis.documents.skeleton import CORE, FULL

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_MARKER = re.compile(
    r" ?(?:#{3,6} +)?(?P<bullet>[-*+] +)?(?:\*\*|__)?"
    r"(?:(?P<word>(?:issue|finding|problem) +[A-FX]?[.-]?)(?P<said>\d{1,3}) *[.):—–-]"
    r"|(?P<letter>[A-FX]?[.-]?)(?P<plain>\d{1,3})[.)]"
    r"|\[[A-FX][.-]?(?P<bracket>\d{1,3})\]"
    r"|(?P<circled>[\u2460-\u2473]))(?=[\s*_]|$)",
    re.IGNORECASE,
)
_TRAILER = re.compile(r"\[\s*stage\s*:\s*(\w+)\s*\|\s*root\s+cause\s*:\s*(\w+)\s*\]", re.IGNORECASE)
_CODE = re.compile(r"`[^`\n]*`")
_RULE_ROW = re.compile(r"\|[\s|:-]*")


@dataclass(frozen=True, slots=True)
class Trailer:
    """`[stage: C | root cause: integrity]`, as written; `last` where nothing follows."""

    stage: str
    word: str
    last: bool


@dataclass(frozen=True, slots=True)
class Issue:
    """A numbered paragraph of a stage section."""

    stage: str
    """Letter of the section in which it stands."""
    line: int
    text: str
    trailers: tuple[Trailer, ...]

    @property
    def body(self) -> str:
        """The text without number and trailers."""
        return without_trailers(without_number(self.text))


@dataclass(frozen=True, slots=True)
class Section:
    """What stands below a heading, up to the next of two signs."""

    title: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document; `sections` by the title that the skeleton gives them."""

    text: str
    sections: Mapping[str, Section]
    twice: tuple[Section, ...]
    """Sections whose heading stood before."""
    issues: tuple[Issue, ...]


def parse(text: str) -> Document:
    """The document; what is missing in it is simply not there."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    sections: dict[str, Section] = {}
    twice: list[Section] = []
    lines = visible(text).split("\n")
    for section in _sections(lines):
        if section.title in sections:
            twice.append(section)
        else:
            sections[section.title] = section
    quotation = _quotation(lines)
    if quotation.text:
        sections.setdefault(CORE, quotation)
    stages = {part.title: part.stage for part in FULL.parts if part.stage}
    issues = [
        issue
        for title, stage in stages.items()
        if title in sections
        for issue in _issues(sections[title], stage)
    ]
    return Document(text, sections, tuple(twice), tuple(issues))


def visible(text: str) -> str:
    """`text` without comments, which no reader sees; their line feeds stay."""
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 3
    return "".join([*parts, text[at:]])


def without_trailers(text: str) -> str:
    """`text` without what has the form of a trailer: its words are prescribed, so nobody's own."""
    return _TRAILER.sub("", text)


def without_number(text: str) -> str:
    """`text` without the number of an issue at its beginning."""
    marker = _MARKER.match(text)
    return text[marker.end() :] if marker else text


def claims(section: Section) -> int:
    """Rows of the tables in a section, without header and rule."""
    rows = [line.strip() for line in section.text.split("\n") if line.lstrip().startswith("|")]
    rules = sum(_RULE_ROW.fullmatch(row) is not None and "-" in row for row in rows)
    return max(len(rows) - 2 * rules, 0)


def _sections(lines: list[str]) -> Iterator[Section]:
    title, start, fenced = "", 0, ""
    for number, line in enumerate(lines):
        fenced = _fence(line, fenced)
        found = None if fenced else _HEADING.match(line)
        if found is None or len(found[1]) > 2:
            continue
        yield from _section(title, start, lines[start:number])
        title, start = (known(found[2]) if len(found[1]) == 2 else ""), number + 1
    yield from _section(title, start, lines[start:])


def _section(title: str, start: int, lines: list[str]) -> Iterator[Section]:
    if title:
        yield Section(title, start, "\n".join(lines))


def _quotation(lines: list[str]) -> Section:
    """The core verdict as the skeleton has it: what is quoted above the first section."""
    ends = (n for n, line in enumerate(lines) if line.startswith("## "))
    above = lines[: next(ends, len(lines))]
    quoted = [line for line in above if line.lstrip().startswith(">")]
    return Section(CORE, 1, "\n".join(quoted))


def _fence(line: str, fenced: str) -> str:
    found = _FENCE.match(line)
    if found is None:
        return fenced
    return found[1] if not fenced else "" if fenced == found[1] else fenced


def known(heading: str) -> str:
    """The title of the skeleton that a heading is; "" for another heading."""
    plain = re.sub(r"\([^()]*\)\s*$", "", heading.strip(" #*_:")).strip(" #*_:")
    return _TITLES.get(_folded(plain), "")


def _folded(title: str) -> str:
    return " ".join(title.replace("&", " and ").casefold().split())


_TITLES = {_folded(part.title): part.title for part in FULL.parts}


def _issues(section: Section, stage: str) -> Iterator[Issue]:
    lines = section.text.split("\n")
    starts: list[int] = []
    last, fenced = 0, ""
    for number, line in enumerate(lines):
        fenced = _fence(line, fenced)
        found = None if fenced else _MARKER.match(line)
        own = _number(found) if found else 0
        if found and (_opens(lines, number, found) or own == last + 1):
            starts.append(number)
            last = own
    for start, end in pairwise([*starts, len(lines)]):
        text = _own("\n".join(lines[start:end]).strip())
        yield Issue(stage, section.line + start + 1, text, tuple(_trailers(text)))


def _own(text: str) -> str:
    """An issue without the paragraphs behind its trailer: credit may follow the last one."""
    found = _TRAILER.search(text)
    end = text.find("\n\n", found.end()) if found else -1
    return text if end < 0 or _TRAILER.search(text, end) else text[:end]


def _number(found: re.Match[str]) -> int:
    if found["circled"]:
        return ord(found["circled"]) - 0x245F
    return int(found["said"] or found["plain"] or found["bracket"])


def _opens(lines: list[str], number: int, found: re.Match[str]) -> bool:
    """Whether a marker starts a block; a wrapped line that begins with a number does not."""
    before = lines[number - 1].strip() if number else ""
    return not before or before.startswith("#") or bool(found["word"] or found["letter"])


def _trailers(text: str) -> Iterator[Trailer]:
    lines = (line for line in text.split("\n") if not line.lstrip().startswith(">"))
    own = _CODE.sub("", "\n".join(lines))
    for found in _TRAILER.finditer(own):
        rest = own[found.end() :].strip(" \n\t*_.-")
        yield Trailer(found[1], found[2].lower(), not rest)
