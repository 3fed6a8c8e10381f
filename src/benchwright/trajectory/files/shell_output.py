"""What a shell command prints and where its redirects put that, as far as its words tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchwright.trajectory.files.effects import Effect
from benchwright.trajectory.shell.command import Command, Redirect
from benchwright.trajectory.shell.words import Pattern

_OUTPUT = re.compile(r"^(\d*|&)>{1,2}[|&]?$")


def redirected(command: Command, given: str | None) -> Iterator[Effect]:
    """Effects of the redirects of a command; given: its standard input, None where unknown."""
    last = takes_output(command)
    # where there are several, one shell empties the first ones and another writes to all
    alone = sum(_is_plain(redirect) for redirect in command.redirects) == 1
    for redirect in command.redirects:
        found = _OUTPUT.match(redirect.operator)
        target = redirect.target
        if not found:
            continue
        if target is None or isinstance(target, Pattern):
            if redirect.operator.endswith("&"):  # `2>&$n` and the like name a stream
                continue
            shape = target or redirect.shape
            yield Effect(
                "opaque", None, names=shape, everything=not shape.strip("*./"),
                why="output to a name that the shell computes",
            )  # fmt: skip
        elif not target.startswith("/dev/") and not target.isdigit() and target != "-":
            append = ">>" in redirect.operator
            text = printed(command, given) if redirect is last and alone else None
            yield written(target, text, append)


def takes_output(command: Command) -> Redirect | None:
    """The redirect that gets what the command prints; None where that is not plain to see."""
    last = None
    for redirect in command.redirects:
        if _is_plain(redirect):
            last = redirect
    again = last is not None and (last.target or "").isdigit() and ">&" in last.operator
    return None if again else last


def _is_plain(redirect: Redirect) -> bool:
    found = _OUTPUT.match(redirect.operator)
    return bool(found) and found.group(1) in ("", "1", "&") if found else False


def written(path: str, text: str | None, append: bool) -> Effect:
    """Effect of output into a file; text None: what a program printed, which is not known."""
    if text is None:
        return Effect("opaque", path, names=path, why="output of a program")
    return Effect("append" if append else "write", path, text)


def printed(command: Command, given: str | None) -> str | None:
    """What a command prints, where that follows from its words alone."""
    words = command.words
    if any(redirect.operator.startswith("<") for redirect in command.redirects):
        return None
    if not words or command.name in ("true", ":"):
        return ""
    if command.name == "cat" and (len(words) == 1 or words[1:] == ("-",)):
        return given
    if command.name == "tee":
        return given
    rest = words[1:]
    if None in rest:
        return None
    if any(isinstance(word, Pattern) for word in rest):
        return None
    if command.name == "echo":
        return _echoed([word or "" for word in rest])
    if command.name == "printf" and len(rest) == 1 and "%" not in (rest[0] or ""):
        return _escaped(rest[0] or "")
    return None


def _echoed(words: list[str]) -> str | None:
    if any("\\" in word for word in words):  # kept by bash, read by others
        return None
    end = "\n"
    while words and re.fullmatch(r"-[neE]+", words[0]):
        if "e" in words[0]:
            return None
        end = "" if "n" in words[0] else end
        words = words[1:]
    return " ".join(words) + end


def _escaped(text: str) -> str | None:
    if re.search(r"\\[^nt\\\"']", text):
        return None
    table = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'"}
    return re.sub(r"\\(.)", lambda m: table[m.group(1)], text)


def plain_heredoc(command: Command) -> str | None:
    """The here-document of a command as it is passed on; None where the shell expands in it."""
    body = command.stdin
    if body is None or not body.closed:
        return None
    return body.text if body.literal or not re.search(r"[$`\\]", body.text) else None
