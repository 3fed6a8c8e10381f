"""Rules for numbers and instants: each is bound to the name of what it is of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from benchwright.suites.telemetry.text.frame import Sentence
from benchwright.suites.telemetry.text.grammar import (
    AT,
    DENY,
    DONE,
    ID,
    LINK,
    NUM,
    OF,
    SURE,
    denied_before,
    done,
)
from benchwright.suites.telemetry.text.model import Found
from benchwright.suites.telemetry.text.numbers import SECONDS, read_number, seconds
from benchwright.suites.telemetry.text.times import read_instant

_SHARES: Final = {"coverage": r"coverage", "gap_ratio": r"gap ratio"}
_WHOSE: Final = rf"(?:(?: \(?|, ){ID}[,)]?)?"
_NAMES: Final[Mapping[str, str]] = {
    **_SHARES,
    "mean_a": rf"first mean|mean of the first(?: stream| one)?{_WHOSE}",
    "mean_b": rf"second mean|mean of the second(?: stream| one)?{_WHOSE}",
    "difference": r"difference",
    "margin": r"margin|(?:leads|led|wins|won) by",
    "value": r"value|reading|figure|mean|average|change",
}
"""Words that name a field, those that others contain first."""
NAMED: Final[Mapping[str, str]] = {
    "coverage": r"coverage",
    "gap_ratio": r"gap ratio",
    "difference": r"difference",
    "margin": r"margin",
    "offset_s": r"offset",
}
"""Words whose mention without a value is a statement that cannot be read."""
NUMBERS: Final = (*_NAMES, "offset_s")
_UNIT: Final = "|".join(sorted(SECONDS, key=len, reverse=True))
_SIDE: Final = {"earlier": -1, "before": -1, "later": 1, "after": 1}
_APART: Final = re.compile(
    rf"(?:\boffset(?: is| was| ?:) )?(?P<n>{NUM}) (?P<unit>{_UNIT}) (?P<side>{'|'.join(_SIDE)})\b"
)
_MIXED: Final = re.compile(
    rf"{NUM} (?:{_UNIT}),?(?: and)? {NUM} (?:{_UNIT}) (?:{'|'.join(_SIDE)})\b"
)
_OBSERVED: Final = re.compile(
    r"(?:\b(?:observed|taken|recorded|measured|dated)(?: exactly)?(?: (?:at|on|is|was))?:?"
    rf" (?P<t>{AT})"
    rf"|\b(?:instant|time|timestamp)(?: of the (?:nearest )?reading| of observation)"
    rf"(?: is| was| ?:) (?P<u>{AT}))(?! ?[-+\u2013]? ?<[nx])"
)
_DURATION: Final = re.compile(
    rf"{NUM} (?:{_UNIT}|days?|weeks?|months?|readings?|streams?|results?)\b"
)
_SHORT: Final = re.compile(rf"{NUM} (?:{_UNIT})\b")
"""A duration beside an offset: a part of it, or another one."""
_READ_BY: Final = re.compile(
    rf"(?P<i>{ID}) (?:read|reads|showed|shows)(?: exactly)? (?P<n>{NUM}){SURE}"
)
_TIE: Final = rf"(?:(?P<deny>{DENY})|{LINK})"
_OFFSET: Final = re.compile(
    rf"\boffset\b(?P<of>{OF}){_TIE}(?P<n>{NUM}) (?P<unit>{_UNIT})\b(?!,? ?(?:and |or |to )?<[nx])"
)
_PERCENT: Final = r"(?P<pct> ?(?:%|per ?cent\b))?"
# A share may be in per cent; of anything else a unit says more than can be checked here.
_BY_NAME: Final = {
    field: re.compile(
        rf"\b(?P<name>{names})(?P<of>{OF}){_TIE}(?P<n>{NUM})"
        rf"{_PERCENT if field in _SHARES else ''}{SURE}"
    )
    for field, names in _NAMES.items()
}


def numbers(sentence: Sentence, clause: str) -> tuple[list[Found], str]:
    """Numbers that are bound in a clause, and what is left of it."""
    found: list[Found] = []
    for rule in (_offsets, _named, _read_by, _observed):
        clause = rule(sentence, clause, found)
    if any(one.field == "offset_s" for one in found):
        clause = _SHORT.sub(" <x0> ", clause)
    return found, _DURATION.sub(DONE, clause)


def _offsets(sentence: Sentence, clause: str, found: list[Found]) -> str:
    clause = _MIXED.sub(" offset <x0> ", clause)

    def apart(m: re.Match[str]) -> str:
        text = sentence.text(m["n"])
        number = read_number(text)
        if number is None or text[0] in "+-\u2212":
            return " offset <x0> "
        denied = denied_before(m.string, m.start())
        value = _SIDE[m["side"]] * seconds(number, m["unit"])
        found.append(_of("offset_s", value, sentence, denied=denied))
        return DONE

    def signed(m: re.Match[str]) -> str:
        number = read_number(sentence.text(m["n"]))
        if number is None:
            return m[0]
        denied = m["deny"] is not None or denied_before(m.string, m.start())
        found.append(_of("offset_s", seconds(number, m["unit"]), sentence, denied=denied))
        return done(m)

    clause = _APART.sub(apart, clause)
    return _OFFSET.sub(signed, clause)


def _named(sentence: Sentence, clause: str, found: list[Found]) -> str:
    for field, rule in _BY_NAME.items():
        for m in rule.finditer(clause):
            found += _bound(sentence, field, m)
        clause = rule.sub(done, clause)
    return clause


def _bound(sentence: Sentence, field: str, m: re.Match[str]) -> Iterator[Found]:
    number = read_number(sentence.text(m["n"]))
    if number is None:
        return
    if field in _SHARES and m["pct"]:
        number = number / 100
    denied = m["deny"] is not None or denied_before(m.string, m.start())
    yield _of(field, float(number), sentence, denied=denied)
    if denied or field not in ("value", *_SHARES):
        return
    if m["name"] in ("mean", "average", "change"):
        yield _of("of", "change" if m["name"] == "change" else "mean", sentence)
    ids = re.findall(ID, m["of"])
    if len(ids) == 1:
        yield _of("stream", sentence.text(ids[0]), sentence)


def _read_by(sentence: Sentence, clause: str, found: list[Found]) -> str:
    for m in _READ_BY.finditer(clause):
        number = read_number(sentence.text(m["n"]))
        if number is not None and not denied_before(clause, m.start()):
            found.append(_of("value", float(number), sentence))
            found.append(_of("stream", sentence.text(m["i"]), sentence))
    return _READ_BY.sub(DONE, clause)


def _observed(sentence: Sentence, clause: str, found: list[Found]) -> str:
    for m in _OBSERVED.finditer(clause):
        at = read_instant(sentence.text(m["t"] or m["u"]))
        if at is not None:
            denied = denied_before(clause, m.start())
            found.append(_of("observed", at, sentence, denied=denied))
    return _OBSERVED.sub(DONE, clause)


def _of(field: str, value: object, sentence: Sentence, *, denied: bool = False) -> Found:
    return Found(field, value, sentence.raw, denied)
