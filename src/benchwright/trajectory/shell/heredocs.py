"""Takes here-documents and line continuations out of a script, so that the rest parses plainly.

A backslash goes with the line end behind it, as in the shell, also inside a word. Each `<<WORD`
becomes `< NAME` with a name that no file has; the body is kept beside it. Follows quotes,
substitutions and comments as the shell does, also inside `"$(...)"`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PREFIX = "/benchwright-heredoc/"
_OPERATOR = re.compile(r"<<(-?)(?:[ \t]|\\\n)*((?:'[^'\n]*'|\"[^\"\n]*\"|\\.|[^\s;&|<>()'\"\\])+)")


@dataclass(frozen=True, slots=True)
class Heredoc:
    """Text that a command gets on its standard input."""

    text: str
    literal: bool
    """Whether the delimiter was quoted, so that the shell expands nothing in it."""
    delimiter: str
    closed: bool = True
    """False where the script ends before the delimiter."""


def take_heredocs(script: str) -> tuple[str, tuple[Heredoc, ...]]:
    """The script without bodies, and the bodies; number i stands at `PREFIX` + i."""
    if "<<" not in script and "\\\n" not in script:
        return script, ()
    lexer = _Lexer(script)
    return lexer.run(), tuple(lexer.found)


class _Lexer:
    def __init__(self, script: str) -> None:
        self._script = script
        self._at = 0
        self._out: list[str] = []
        self._waiting: list[tuple[str, bool, bool]] = []
        self._contexts = ["code"]
        self.found: list[Heredoc] = []

    def run(self) -> str:
        while self._at < len(self._script):
            self._step()
        self._bodies()
        return "".join(self._out)

    def _step(self) -> None:
        if self._contexts[-1] == "quoted":
            self._quoted()
        else:
            self._code()

    def _keep(self, count: int) -> None:
        self._out.append(self._script[self._at : self._at + count])
        self._at += count

    def _escaped(self) -> None:
        if self._script.startswith("\\\n", self._at):
            self._at += 2
        else:
            self._keep(2)

    def _quoted(self) -> None:
        char = self._script[self._at]
        if char == "\\":
            self._escaped()
        elif char == '"':
            self._contexts.pop()
            self._keep(1)
        elif not self._substitution():
            self._keep(1)

    def _substitution(self) -> bool:
        """Whether `$((` or `$(` starts here; it is entered then."""
        for mark, context in (("$((", "sum"), ("$(", "code")):
            if self._script.startswith(mark, self._at):
                self._contexts.append(context)
                self._keep(len(mark))
                return True
        return False

    def _code(self) -> None:
        char = self._script[self._at]
        if char == "\\":
            self._escaped()
        elif char == "\n":
            self._keep(1)
            self._bodies()
        elif char == "'":
            self._single()
        elif char == '"':
            self._contexts.append("quoted")
            self._keep(1)
        elif char == "#" and self._starts_word():
            end = self._script.find("\n", self._at)
            self._keep((end if end >= 0 else len(self._script)) - self._at)
        elif char in "()":
            self._bracket(char)
        elif not self._heredoc() and not self._substitution():
            self._keep(1)

    def _single(self) -> None:
        ansi = self._at > 0 and self._script[self._at - 1] == "$"
        pattern = r"'(?:[^'\\]|\\.)*'?" if ansi else r"'[^']*'?"
        found = re.compile(pattern, re.DOTALL).match(self._script, self._at)
        self._keep(len(found.group()) if found else 1)

    def _starts_word(self) -> bool:
        return not self._out or self._out[-1][-1:] in " \t\n;&|("

    def _bracket(self, char: str) -> None:
        if char == "(":
            self._contexts.append(self._contexts[-1])
            self._keep(1)
            return
        double = self._contexts[-1] == "sum" and self._script.startswith("))", self._at)
        if len(self._contexts) > 1:
            self._contexts.pop()
        self._keep(2 if double else 1)

    def _heredoc(self) -> bool:
        if self._contexts[-1] == "sum" or not self._script.startswith("<<", self._at):
            return False
        if self._script.startswith("<<<", self._at):
            self._keep(3)
            return True
        found = _OPERATOR.match(self._script, self._at)
        if not found:
            return False
        word = found.group(2)
        literal = any(mark in word for mark in "'\"\\")
        self._waiting.append((re.sub(r"['\"\\]", "", word), literal, bool(found.group(1))))
        number = len(self.found) + len(self._waiting) - 1
        self._out.append(f"< {PREFIX}{number}")
        self._at = found.end()
        return True

    def _bodies(self) -> None:
        for delimiter, literal, tabs in self._waiting:
            lines, closed = self._lines(delimiter, tabs)
            self.found.append(Heredoc("".join(lines), literal, delimiter, closed))
        self._waiting.clear()

    def _lines(self, delimiter: str, tabs: bool) -> tuple[list[str], bool]:
        lines: list[str] = []
        while self._at < len(self._script):
            end = self._script.find("\n", self._at)
            line = self._script[self._at : end + 1 if end >= 0 else len(self._script)]
            self._at += len(line)
            line = line.lstrip("\t") if tabs else line
            if line.rstrip("\n") == delimiter:
                return lines, True
            lines.append(line)
        return lines, False
