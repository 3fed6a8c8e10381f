"""Turtle, as far as building models use it: prefixes, names, literals, lists by `;` and `,`, `[ ]`.

Collections in parentheses and texts in three quotes are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.suites.telemetry.audit.findings import UnusableInput

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
TOKEN = re.compile(
    r"""\s*(?:\#[^\n]*\n\s*)*(?:
    (?P<iri><[^<>\s]*>) | (?P<text>"(?:[^"\\\n]|\\.)*"(?:\^\^\S+|@[\w-]+)?) |
    (?P<prefix>@prefix|PREFIX|@base|BASE) |
    (?P<mark>[;,\[\]]) | (?P<stop>\.(?=\s|$)) |
    (?P<number>[+-]?\d+(?:\.\d+)?(?=[\s;,\]])) |
    (?P<name>[\w.-]*:[\w.%:-]*[\w%-]|[\w.-]*:|a(?=\s)|true|false|_:\w+))""",
    re.VERBOSE,
)
Term = str
Triple = tuple[Term, Term, Term]


@dataclass(slots=True)
class Graph:
    """Triples with whole IRIs; literals have a leading quote, blank nodes are `_:` and a number."""

    objects: dict[tuple[Term, Term], list[Term]]
    subjects: dict[tuple[Term, Term], list[Term]]
    prefixes: dict[str, str]

    def given(self, subject: Term, predicate: Term) -> list[Term]:
        """Objects of a subject."""
        return self.objects.get((subject, predicate), [])

    def holders(self, predicate: Term, thing: Term) -> list[Term]:
        """Subjects that have the object."""
        return self.subjects.get((predicate, thing), [])


def parse(text: str, where: str) -> Graph:
    """The graph of a text."""
    graph = Graph({}, {}, {})
    for subject, predicate, thing in _Parser(text, where, graph.prefixes).triples():
        graph.objects.setdefault((subject, predicate), []).append(thing)
        graph.subjects.setdefault((predicate, thing), []).append(subject)
    return graph


def literal(term: Term) -> str | None:
    """The text of a literal, None of anything else."""
    return term[1:] if term.startswith('"') else None


class _Parser:
    def __init__(self, text: str, where: str, prefixes: dict[str, str]) -> None:
        self.tokens = _tokens(text, where)
        self.where = where
        self.prefixes = prefixes
        self.blanks = 0
        self.kind, self.token = "", ""

    def advance(self) -> None:
        self.kind, self.token = next(self.tokens, ("end", ""))

    def triples(self) -> Iterator[Triple]:
        self.advance()
        while self.kind != "end":
            if self.kind == "prefix":
                self._prefix()
                continue
            subject, inner = self._term()
            yield from inner
            yield from self._predicates(subject)
            if self.kind != "stop":
                raise UnusableInput(f"no point behind a statement: {self.token!r} ({self.where})")
            self.advance()

    def _prefix(self) -> None:
        if self.token.upper().endswith("BASE"):
            raise UnusableInput(f"the audit reads no @base ({self.where})")
        self.advance()
        name = self.token.rstrip(":")
        self.advance()
        self.prefixes[name] = self.token[1:-1]
        self.advance()
        if self.kind == "stop":
            self.advance()

    def _predicates(self, subject: Term) -> Iterator[Triple]:
        while self.kind not in {"stop", "end"} and self.token != "]":
            predicate = TYPE if self.token == "a" else self._iri()
            while True:
                self.advance()
                thing, inner = self._term()
                yield from inner
                yield subject, predicate, thing
                if self.token != ",":
                    break
            while self.token == ";":
                self.advance()

    def _term(self) -> tuple[Term, list[Triple]]:
        """The term at the reader, which then stands behind it, and the triples inside it."""
        if self.token == "[":
            self.blanks += 1
            blank = f"_:{self.blanks}"
            self.advance()
            inner = [*self._predicates(blank)]
            if self.token != "]":
                raise UnusableInput(f"an open bracket ({self.where})")
            self.advance()
            return blank, inner
        if self.kind == "text":
            made = '"' + _unescaped(self.token[1 : self.token.rindex('"')])
        elif self.kind == "number" or self.token in {"true", "false"}:
            made = '"' + self.token
        else:
            made = self._iri()
        self.advance()
        return made, []

    def _iri(self) -> Term:
        if self.kind == "iri":
            return self.token[1:-1]
        if self.kind == "name" and ":" in self.token:
            prefix, _, rest = self.token.partition(":")
            if prefix == "_":
                return self.token
            if prefix in self.prefixes:
                return self.prefixes[prefix] + rest
        raise UnusableInput(f"no name: {self.token!r} ({self.where})")


def _tokens(text: str, where: str) -> Iterator[tuple[str, str]]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            if re.fullmatch(r"\s*(#[^\n]*\s*)*", text[at:]):
                return
            raise UnusableInput(
                f"Turtle that the audit does not read: {text[at : at + 40]!r} ({where})"
            )
        at = found.end()
        yield found.lastgroup, found[found.lastgroup]


def _unescaped(text: str) -> str:
    plain = {"n": "\n", "t": "\t", "r": "\r"}
    return re.sub(r"\\(.)", lambda m: plain.get(m[1], m[1]), text)
