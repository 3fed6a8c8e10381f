"""Commands whose work is files (tee, rm, mv, cp, ln, touch): their words say what they do."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from benchwright.trajectory.files.effects import Effect
from benchwright.trajectory.files.programs import hidden
from benchwright.trajectory.files.shell_output import written
from benchwright.trajectory.shell.command import Command, hides
from benchwright.trajectory.shell.words import Pattern


def _tee(command: Command, given: str | None) -> Iterator[Effect]:
    append = any(word in ("-a", "--append") for word in command.words)
    for word in command.words[1:]:
        if word is None or isinstance(word, Pattern):
            yield _several(command, "output to a name that the shell computes")
        elif not word.startswith("-") and not word.startswith("/dev/"):
            yield written(word, given, append)


def _remove(command: Command, _: str | None) -> Iterator[Effect]:
    asks = any(word and re.match(r"-[a-zA-Z]*[iI]", word) for word in command.words[1:])
    for word in command.words[1:]:
        if word is None or isinstance(word, Pattern):
            yield _several(command, "files are deleted by a pattern")
        elif not word.startswith("-"):
            yield Effect("delete", word, certain=not asks, why="it asks" if asks else "")


def _move(command: Command, _: str | None) -> Iterator[Effect]:
    options = [word for word in command.words[1:] if word and word.startswith("-")]
    words = [word for word in command.words[1:] if word is None or not word.startswith("-")]
    plain = len(words) == 2 and all(word and not isinstance(word, Pattern) for word in words)
    plain = plain and not any(_ODD.match(word) for word in options)
    if any(_LINKS.match(word) for word in options):
        yield from _link(command, None)
    elif plain and words[0] and words[1]:
        if posixpath.normpath(words[0]) != posixpath.normpath(words[1]):
            kind: Literal["move", "copy"] = "move" if command.name == "mv" else "copy"
            asks = any(_ASKS.match(word) for word in options) or may_fail(command)
            why = "it may have left the target as it was" if asks else ""
            target = words[1]
            if posixpath.basename(target) in ("", ".", ".."):
                target = posixpath.join(target, posixpath.basename(words[0]))
            yield Effect(kind, words[0], to=target, certain=not asks, why=why)
    else:
        found = _several(command, f"several files at once with {command.name}")
        onto = any(_ONTO.match(word) for word in options)
        yield replace(found, everything=True) if onto else found


_ONTO = re.compile(r"-[a-zA-Z]*T|--no-t")
"""What is in a folder goes over what is in another, whose names the words need not tell."""
_ODD = re.compile(r"-[a-zA-Z]*[TtbS]|--(?:target|no-t|backup|suffix|parents)")
_ASKS = re.compile(r"-[a-zA-Z]*[niu]|--(?:no-clobber|interactive|update)")


def _link(command: Command, _: str | None) -> Iterator[Effect]:
    """Two names of one file or folder: what changes one changes the other."""
    words = [word for word in command.words[1:] if word is None or not word.startswith("-")]
    options = {word for word in command.words[1:] if word and word.startswith("-")}
    odd = any(re.match(r"-\w*t|--target", word) for word in options)
    plain = [word for word in words if word and not isinstance(word, Pattern)]
    if odd or not plain or len(plain) != len(words):
        yield Effect("link", None, why="links that the log does not name")
        return
    symbolic = any(re.match(r"-\w*s|--symbolic", word) for word in options)
    sources, last = (plain[:-1], plain[-1]) if len(plain) > 1 else (plain, ".")
    for source in sources:
        inside = posixpath.join(last, posixpath.basename(source.rstrip("/")))
        for place in (last, inside) if len(plain) == 2 else (inside,):
            base = posixpath.dirname(place) if symbolic else ""
            yield Effect("link", place, to=posixpath.join(base, source), why="a link was made")


def _touch(command: Command, _: str | None) -> Iterator[Effect]:
    if any(word and re.match(r"-\w*c|--no-create", word) for word in command.words[1:]):
        return
    for word in command.words[1:]:
        if word is None or not word.startswith("-"):
            plain = word if not isinstance(word, Pattern) else None
            yield Effect("touch", plain, why="it may have been made again, empty")


def _pipe(command: Command, _: str | None) -> Iterator[Effect]:
    for word in command.words[1:]:
        if word is None or isinstance(word, Pattern):
            yield _several(command, "a pipe was made")
        elif not word.startswith("-"):
            why = "a pipe was made in its place"
            yield Effect("opaque", word, names=word, lasting=True, why=why)


def _several(command: Command, why: str) -> Effect:
    names = "\n".join(word or "" for word in command.words)
    return Effect("opaque", None, names=names, everything=hidden(command), why=why)


def may_fail(command: Command) -> bool:
    """Whether it may have done nothing without a word."""
    return command.conditional or command.muted or hides(command)


_LINKS = re.compile(r"-[a-zA-Z]*[sl]|--(?:link|symbolic)")

FILE_COMMANDS: dict[str, Callable[[Command, str | None], Iterator[Effect]]] = {
    "tee": _tee,
    "rm": _remove,
    "unlink": _remove,
    "mv": _move,
    "cp": _move,
    "ln": _link,
    "touch": _touch,
    "mkfifo": _pipe,
    "mknod": _pipe,
}
"""By name: effects of a command, given its standard input (None: not known)."""
