"""Text as sentences: what is quoted is taken out, and values stand as marks in the words.

A value becomes a mark such as <n3>, so rules are written on words and no rule sees half a number,
half an id or the inside of a code. Kinds: n number, x what looks like one, t instant, p period,
i id or code, h handle, q quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.suites.telemetry.text.ids import CODE, TOKEN, is_handle, is_id, label
from benchwright.suites.telemetry.text.numbers import DIGITS, NUMBER, read_number
from benchwright.suites.telemetry.text.times import PERIOD, TIME, read_instant

QUOTE = (
    r"\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|\u201e[^\u201c\u201d\n]*[\u201c\u201d]"
    r"|\u00ab[^\u00bb\n]*\u00bb|\u00bb[^\u00ab\n]*\u00ab|\u2039[^\u203a\n]*\u203a"
    r"|\u2018[^'\n]*'|(?<!\w)'[^'\n]*'(?!\w)"
)
"""Somebody else's words, in quotation marks of any kind."""
_LEX = re.compile(
    rf"(?P<code>{CODE})|(?P<quote>{QUOTE})|(?P<time>{TIME})"
    rf"|(?P<period>{PERIOD})|(?P<token>{TOKEN})|(?P<number>{NUMBER})|(?P<digits>{DIGITS})"
)
_BULLET = re.compile(r"\s*(?:[-*\u2022]|\d{1,3}[.)])\s+")
_ALONE = re.compile(rf"(?:{CODE}|{TOKEN})[,.;]?")
_ROW = re.compile(r"\s*\|(?P<name>[^|]+)\|(?P<value>[^|]+)\|\s*")
_EQUALS = re.compile(r"(?<=\w)=(?=[\w`.+\u2212-])")
_NAMED = re.compile(r"[A-Za-z_` ]{1,40}:\s")
_END = re.compile(r"(?<=[.!?])\s+(?![a-z])|\n+")
_SHORT = (("n't ", " not "), ("i'm ", "i am "), ("i'll ", "i will "), ("i've ", "i have "))
MARK = re.compile(r"<([nxtpihq])(\d+)>")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, and the same with marks in the place of values."""

    raw: str
    frame: str
    tokens: tuple[str, ...]
    """Texts of all values of the message; a mark holds the place of its own."""

    @property
    def asks(self) -> bool:
        """Whether it ends as a question."""
        return self.frame.rstrip(" )").endswith("?")

    def text(self, mark: str) -> str:
        """What a mark stands for."""
        return self.tokens[int(mark[2:-1])]


def sentences(text: str) -> Iterator[Sentence]:
    """Every sentence of a message; quotations are marks, quoted lines are left out."""
    tokens: list[str] = []
    marked = _LEX.sub(
        lambda m: _mark(m, tokens), _joined(_EQUALS.sub(" = ", text.replace("\u2019", "'")))
    )
    for part in _END.split(marked):
        if part.strip(" .\t"):
            raw = MARK.sub(lambda m: tokens[int(m[2])], part).strip()
            yield Sentence(raw, _lowered(part), tuple(tokens))


def _joined(text: str) -> str:
    """Lines as sentences: a list of bare ids belongs to the line that announces it."""
    lines: list[str] = []
    for line in re.sub(r"\*\*|__(?=\W|$)", "", text).splitlines():
        if line.lstrip().startswith(">"):
            continue
        line = _cells(line)
        bullet = _BULLET.match(line)
        body = line[bullet.end() :].strip() if bullet else line.strip()
        listed = bullet is not None and _ALONE.fullmatch(body) is not None
        if listed and lines and lines[-1].endswith((":", ",")):
            lines[-1] = f"{lines[-1]} {body.rstrip(',.;')},"
        elif bullet is None and body and lines and _goes_on(lines[-1], body):
            lines[-1] = f"{lines[-1]} {body}"
        else:
            lines.append(body)
    return "\n".join(line.removesuffix(",") for line in lines).replace("<", " below ")


def _cells(line: str) -> str:
    """A row of two cells as a name with its value; a rule between rows as nothing."""
    row = _ROW.fullmatch(line)
    if row is None:
        return line
    return (
        "" if re.fullmatch(r"[\s:|-]*", line) else f"{row['name'].strip()}: {row['value'].strip()}"
    )


def _goes_on(line: str, body: str) -> bool:
    """Whether a line is the rest of the one before; "Coverage: 0.98" stands for itself."""
    named = _NAMED.match(line) or _NAMED.match(body)
    return bool(line) and line[-1] not in ".!?:,`" and named is None


def _mark(found: re.Match[str], tokens: list[str]) -> str:
    text = found[0]
    kind = _kind(str(found.lastgroup), text)
    if kind is None:
        return label(text.strip("`\"'")) or text
    tokens.append(text.strip("`") if found.lastgroup == "code" else text)
    return f"<{kind}{len(tokens) - 1}>"


def _kind(group: str, text: str) -> str | None:
    """The kind of a mark; None for a word."""
    bare = text.strip("`")
    if group == "quote" and label(text[1:-1].strip()) is not None:
        return None
    if group == "code" and label(bare) is None:
        return "h" if is_handle(bare) else _inside(bare)
    if group == "token" and label(text) is None and (is_handle(text) or is_id(text)):
        return "h" if is_handle(text) else "i"
    if group == "time":
        return "t" if read_instant(text) else "x"
    if group == "number":
        return "n" if read_number(text) is not None else "x"
    return {"quote": "q", "period": "p", "digits": "x"}.get(group)


def _inside(bare: str) -> str:
    """What stands in backquotes: a number, an instant, or an id."""
    for group, pattern in (("n", NUMBER), ("t", TIME)):
        if re.fullmatch(pattern, bare):
            return group if group == "t" or read_number(bare) is not None else "x"
    return "i"


def _lowered(part: str) -> str:
    words = f"{part.lower()} ".replace("cannot", "can not").replace("can't", "can not")
    for short, whole in _SHORT:
        words = words.replace(short, whole)
    return re.sub(r"\s+", " ", words).strip()
