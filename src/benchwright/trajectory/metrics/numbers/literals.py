"""Which tokens of a line are numeric values, and by which rule the others are not.

Takes text without colour codes; gives tokens. A token of one value or two is counted; any other
carries the name of the rule that leaves it out (`RULES`). In doubt a token counts.
source: tracebench paper, appendix G; the rules are ours where the paper is silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

RULES = {
    "address": "URLs, mail addresses, host and port",
    "path": "paths and file names, also with a line",
    "identifier": "digits in names and keys, values of keys that name an id, UUIDs, hashes",
    "moment": "dates, clock times and zones",
    "version": "three or more parts with points",
    "payload": "encoded data and hexadecimal dumps",
    "redirection": "redirections of an echoed command",
}

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_NUMBER = r"(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?"
_UNIT = (
    r"(?:%|°[CFK]?|[€£¥$]|[nuµμm]?s|min|sec|[hd]|[kKMGTP]i?[Bb]?|[bB]|[kMGT]?Hz|"
    r"[nuµμmkMG]?[VAWNgm]|[kMGhm]?Pa|m?bar|[cd]m|px|r?em|pt|x)"
)
_WORDS = (
    r"(?:(?:milli|micro|nano)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|"
    r"(?:kilo|mega|giga|tera)?(?:bytes?|bits?|hertz|watts?|pascals?)|degrees?|(?:kilo|milli|centi)?"
    r"met(?:er|re)s?|(?:kilo)?grams?|volts?|amps?|min|sec|ms|px)"
)
_BEFORE = r"(?:^|(?<=[\s\"'`“‘«(\[{=:,;|<>*~±≈≤≥≠→⇒⟶➜$€£¥]))[-+−±]?"
_AFTER = r"(?=$|[\s\"'`”’»)\]},;|!?*<>=…]|\.+(?:$|[\s\"'`”’»)\]}*|])|:(?![A-Za-z]))"
_WHOLE = r"(?=$|[\"'`”’»)\]}|*!?;:]|[.,]+(?:$|[\"'`”’»)\]}]))"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:[AaPp][Mm]\b)?(?:Z\b|[+-]\d{2}:?\d{2}\b)?"
_HEX = r"(?:(?=[0-9]*[a-f])[0-9a-f]{7,64}|(?=[0-9]*[A-F])[0-9A-F]{7,64})(?![\w-])"
_APART = r"\s\"'`“”‘’«»()\[\]{}<>|,;:=*~±≈≤≥≠→⇒⟶➜$€£¥"
"""What separates names from what stands around them."""
_ENDS = r"\s\"'`()\[\]{}<>|,;"
"""What ends a path."""

_NUMERIC = rf"""
      (?P<moment>(?<![\w.])(?:\d{{4}}-\d\d-\d\d(?:[T_]\d\d[:-]\d\d(?:[:-]\d\d(?:[.,]\d+)?)?
            (?:Z|[+-]\d\d:?\d\d)?)?|\d{{4}}/\d\d?/\d\d?|\d\d?/\d\d?/\d{{2,4}}|{_CLOCK})(?![\w/-]))
    | (?P<redirection>^(?:\d>&\d|\d>{{1,2}}(?=\S)))
    | (?P<grouped>{_BEFORE}[€£¥$]?\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?{_UNIT}?{_WHOLE})
    | (?P<version>(?<![\w@^#])\d+(?:\.\d+){{2,}}[\w.+-]*(?::\d+|/\d+)?)
    | (?P<one>{_BEFORE}(?:(?:\d+(?:\.\d+)?(?:ms|min|[hmsd])){{2,}}{_AFTER}
        |{_NUMBER}(?:{_UNIT}?{_AFTER}|(?=-{_WORDS}\b))))
    | (?P<two>{_BEFORE}{_NUMBER}{_UNIT}?[-–—/]{_NUMBER}{_UNIT}?{_AFTER})
"""
"""What begins with a digit, a point, a sign or a currency."""
_NAMED = rf"""
      (?P<address>(?<![A-Za-z0-9+.-])(?:[A-Za-z][A-Za-z0-9+.-]*+://|www\.)[^\s"'<>|,)\]}}]*
        |(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+)
    | (?P<payload>data:[\w/+.-]++;base64,[A-Za-z0-9+/=]*
        |(?<![\w+/])(?=[A-Za-z+/]*+\d)[A-Za-z0-9+/]{{80,}}+=*)
    | (?P<identifier>(?<![\w-])[0-9a-fA-F]{{8}}(?:-[0-9a-fA-F]{{4}}){{3}}-[0-9a-fA-F]{{12}}(?!\w)
        |0[xX][0-9a-fA-F]+\b|(?<![\w.-]){_HEX}
        |(?<![\w.-])(?:[\w.-]*(?:_id|Id|ID)|(?i:uuid|id|pid))\\?["']?[:=]\\?["']?\w[\w.-]*)
    | (?P<path>(?<![\w.+-])(?:[\w+-]++\.)+[A-Za-z]\w*:\d+(?::\d+|-\d+)*(?![\w.])|localhost:\d+)
"""
"""What may begin with a letter."""
_TOKEN = re.compile(
    rf"""
      (?=\w)(?:{_NAMED})
    | (?=[\d.+−±€£¥$-])(?:{_NUMERIC})
    | (?=[^{_APART}])(?:
        (?P<place>(?<![^{_ENDS}=])[^{_ENDS}=/\\]*+[/\\][^{_ENDS}]*)
      | (?P<name>(?<![^{_APART}])[^{_APART}\d]*+\d[^{_APART}]*))
    """,
    re.VERBOSE,
)
_PLAIN = r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_ROW = re.compile(rf"[\[(]*({_PLAIN}(?:[,;|]{_PLAIN})*)[,;|\])]*$")
"""A shortcut through what most numeric output is made of; gives what `_TOKEN` would."""
_GROUPED = re.compile(r"[^.]*(?<![\d.])\d{1,3},\d{3}(?!\d)")
_DIGIT = re.compile(r"\d")
_CHUNK = re.compile(r"(?<!\S)[^\s\d]*+\d\S*")
_WORD_VALUE = re.compile(
    r"(?:^|(?<=[\s\"'`(\[{=:,;|<>*~±]))[-+−]?(?:nan|inf|infinity)(?=$|[\s\"'`)\]},;|!?*<>=.])",
    re.IGNORECASE | re.MULTILINE,
)
_MONTH_BEFORE = re.compile(rf"(?:^|[^A-Za-z]){_MONTH}(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?,?\s+$")
_MONTH_AFTER = re.compile(rf"\s+(?:of\s+)?{_MONTH}(?![A-Za-z])")
_CLOCK_BEFORE = re.compile(r"\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s+$")
_ID_BEFORE = re.compile(r"(?:\w*(?:_id|Id|ID)|\b(?i:uuid|id|pid))\\?[\"'`]?\s*[:=]\s+$")
_BARE = re.compile(r"[\"'`(\[]*[-+]?(\d+)[\"'`)\],.;:]*$")


class Token(NamedTuple):
    """`values` numbers at `start`; 0 where `rule` leaves it out."""

    start: int
    values: int
    rule: str


def tokens(text: str, *, separated: bool = False) -> Iterator[Token]:
    """The tokens with digits, and words for numbers, of a line or of several.

    separated: commas always separate, as in the rows of a CSV file.
    """
    for chunk in _CHUNK.finditer(text):
        start, word = chunk.start(), chunk.group()
        found = _of_chunk(word) if len(word) < 200 else _scan(word)
        if len(found) == 1 and found[0].values == 1 and (bare := _BARE.match(word)):
            rule = _by_context(text, start, chunk.end(), bare.group(1))
            found = (Token(0, 0, rule),) if rule else found
        for at, values, rule in found:
            if rule == "grouped":
                values, rule = _grouped(text, start, word, at, separated), ""
            yield Token(start + at, values, rule)
    for found_word in _WORD_VALUE.finditer(text):
        yield Token(found_word.start(), 1, "")


@lru_cache(maxsize=4096)
def _of_chunk(word: str) -> tuple[Token, ...]:
    return _scan(word)


def _scan(word: str) -> tuple[Token, ...]:
    row = _ROW.match(word)
    if row is not None and not _GROUPED.match(word) and not _hexadecimal(row.group(1)):
        start = row.start(1)
        return (Token(start, 1 + sum(map(row.group(1).count, ",;|")), ""),)
    return tuple(_token(found) for found in _TOKEN.finditer(word) if _DIGIT.search(found.group()))


def _hexadecimal(word: str) -> bool:
    return "e" in word.lower() and re.search(_HEX, word) is not None


def _token(found: re.Match[str]) -> Token:
    kind, at = found.lastgroup or "", found.start()
    if kind in ("one", "grouped"):
        return Token(at, 1, "" if kind == "one" else kind)
    if kind == "two":
        return Token(at, 2, "")
    if kind == "place":
        kind = "path" if re.search(r"[A-Za-z]", found.group()) else "moment"
    return Token(at, 0, "identifier" if kind == "name" else kind)


def _by_context(text: str, start: int, end: int, digits: str) -> str:
    """The rule that leaves out a number that stands alone, by the words around it."""
    before = text[max(0, start - 60) : start].rpartition("\n")[2]
    kept = before.rstrip()
    if kept.endswith((":", "=")) and _ID_BEFORE.search(before):
        return "identifier"
    if len(digits) <= 4:
        day = len(digits) <= 2
        if _MONTH_BEFORE.search(before) or (day and _MONTH_AFTER.match(text, end)):
            return "moment"
        if len(digits) == 4 and text[end - 5 : end - 4] in "+-" and _CLOCK_BEFORE.search(before):
            return "moment"
    return ""


def _grouped(text: str, start: int, word: str, at: int, separated: bool) -> int:
    """Values of digits in groups of three: one, unless commas separate here as in an array."""
    line = text[text.rfind("\n", 0, start) + 1 : start + at + 1]
    if separated or line.count("[") > line.count("]") or line.count("{") > line.count("}"):
        found = re.match(r"[^\d]*\d{1,3}((?:,\d{3})+)", word[at:])
        return 1 + (found.group(1).count(",") if found else 0)
    return 1
