"""A shell script as the commands that it runs, in order.

Takes the text of a script (bash or POSIX sh); gives `Command`s, also those inside pipelines, lists,
loops, substitutions and `bash -c '...'`, with their words unquoted, their redirects and what they
get on standard input. Runs nothing. Wrappers (`timeout 5`, `env A=1`, `sudo`, `nohup`, `time`) are
taken off. What the shell would have to compute is None: never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from benchwright.trajectory.shell.command import NO_JOB, Command, Redirect, Script, hides
from benchwright.trajectory.shell.heredocs import take_heredocs
from benchwright.trajectory.shell.walk import Walk, parser
from benchwright.trajectory.shell.wrappers import unwrap

__all__ = ["Command", "Redirect", "Script", "is_only_for_bash", "parse_argv", "parse_script"]

_SHELLS = ("bash", "sh", "zsh", "dash")
_DEEPEST = 8
_ONLY_BASH = re.compile(
    r"\{(?=[^{}\s]*+\})[^{}\s]*?(?:,|\.\.)|\[\[|<<<|&>|>&[ \t]*[^\d\s-]|\$['\"]|==|"
    r"\(\(|[<>]\(|\w\+?=\(|\+=|\|&|;&|\bpipefail\b|"
    r"(?:^|[;&|({!\n`]|\b(?:then|do|else|time|if|while|until)\b)[ \t]*+(?:"
    r"echo[ \t]+-|function|source|pushd|popd|"
    r"dirs|declare|typeset|local|shopt|mapfile|readarray|let|"
    r"select|coproc|time|trap|printf[ \t]+-|read[ \t]+-[^r]|exec[ \t]+-)(?![\w=])"
)
"""What bash understands and another shell reads otherwise, or not at all."""


def parse_script(script: str) -> Script:
    """The commands of `script`; raises MissingExtraError without the extra `logs`."""
    return _parse(script, 0)


def parse_argv(argv: list[str]) -> Script:
    """The commands of a call that has its words already apart."""
    return _parse_argv(tuple(argv))


@lru_cache(maxsize=16)  # several folds ask for the same script one after the other
def _parse_argv(argv: tuple[str, ...]) -> Script:
    inner = _inner_script(argv)
    if inner is not None:
        found = _parse(inner, 1)
        return replace(found, broken=found.broken or _misread(inner, argv))
    return Script((unwrap(Command(argv)),), False)


@lru_cache(maxsize=16)
def _parse(script: str, depth: int) -> Script:
    plain, heredocs = take_heredocs(script)
    data = plain.encode("utf-8", "replace")
    root = parser().parse(data).root_node
    walk = Walk(data, heredocs)
    try:
        walk.statements(root, conditional=False, nested=False)
    except RecursionError:
        return Script(tuple(walk.commands), True)
    found = Script(
        tuple(walk.commands), bool(root.has_error) or "\r" in plain, frozenset(walk.defined)
    )
    return _expanded(found, depth)


def _expanded(script: Script, depth: int) -> Script:
    """`bash -c '...'` replaced by what it runs; indices of pipes are moved along."""
    commands: list[Command] = []
    broken, defined = script.broken, set(script.defined)
    place: dict[int | None, int] = {}
    for number, command in enumerate(script.commands):
        inner = _inner_script(command.words) if depth < _DEEPEST else None
        below = _parse(inner, depth + 1) if inner is not None else None
        if below is not None and below.commands:
            base = len(commands)
            last = number == len(script.commands) - 1
            commands.extend(_below(item, command, (base, number, last)) for item in below.commands)
            commands.extend(_around(command))
        else:
            commands.append(replace(command, piped_from=place.get(command.piped_from)))
        if below is not None:
            broken = broken or below.broken or _misread(inner or "", command.words)
            defined |= below.defined
        place[number] = len(commands) - 1
    return Script(tuple(commands), broken, frozenset(defined))


def _misread(script: str, words: tuple[str | None, ...]) -> bool:
    return (words[0] or "").rpartition("/")[2] != "bash" and is_only_for_bash(script)


def is_only_for_bash(script: str) -> bool:
    """Whether a shell that is not bash may read the script otherwise than bash does."""
    return bool(_ONLY_BASH.search(script))


def _around(outer: Command) -> Iterator[Command]:
    """What a shell that runs a script does besides: its redirects, its end behind `exec`."""
    if outer.redirects:
        rest = replace(outer, words=(None,), group=True, takes_over=False)
        yield replace(rest, stdin=None, piped_from=None)
    if outer.takes_over:
        yield replace(outer, words=("exit",), redirects=(), stdin=None, piped_from=None)


def _below(item: Command, outer: Command, place: tuple[int, int, bool]) -> Command:
    base, number, last = place
    return replace(
        item,
        piped_from=None if item.piped_from is None else item.piped_from + base,
        conditional=item.conditional or outer.conditional or (item.guarded and not last),
        nested=item.nested or outer.nested,
        guarded=item.guarded or outer.guarded or _gives_up(outer.words),
        scope=(*outer.scope, -number - 1, *item.scope),
        chain=outer.chain,
        background=NO_JOB if item.background else outer.background,
        muted=item.muted or outer.muted or hides(outer),
        takes_over=item.takes_over,
    )


def _gives_up(words: tuple[str | None, ...]) -> bool:
    """Whether a shell stops at the first failure."""
    options = [word for word in words[1:] if word and word.startswith("-")]
    return "errexit" in words or any("e" in o for o in options if not o.startswith("--"))


def _inner_script(words: tuple[str | None, ...]) -> str | None:
    name = (words[0] or "").rpartition("/")[2] if words else ""
    if name not in _SHELLS:
        return None
    for position, word in enumerate(words[1:], start=1):
        if word is not None and word.startswith("-") and not word.startswith("--"):
            if "n" in word:  # it is only checked
                return None
            if "c" in word:
                return words[position + 1] if position + 1 < len(words) else None
        elif word is None or not word.startswith("-"):
            return None
    return None
