"""Programs that only run another one, taken off: `timeout 5 python x.py` is `python x.py`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchwright.trajectory.shell.command import Command

_WITH_VALUE = {
    "timeout": ("-k", "-s", "--kill-after", "--signal"),
    "nice": ("-n", "--adjustment"),
    "sudo": ("-u", "-g", "-h", "-p"),
    "env": ("-u", "-C", "--unset", "--chdir"),
    "time": ("-f", "-o"),
    "nohup": (),
    "stdbuf": ("-i", "-o", "-e"),
    "command": (),
    "exec": ("-a",),
    "ionice": ("-c", "-n"),
    "unbuffer": (),
    "xargs": ("-n", "-I", "-P", "-L", "-d", "-a", "-s"),
}
"""Wrapper: its options that take a word."""

_ELSEWHERE = ("-C", "--chdir", "-S", "--split-string", "-D")
"""Options that change the folder, or hold a script: what they run is left to them."""


def unwrap(command: Command) -> Command:
    """The command that is run in the end; the wrapper itself where there is none behind it."""
    words, takes_over = command.words, False
    while words and (name := (words[0] or "").rpartition("/")[2]) in _WITH_VALUE:
        inner = _behind(name, words)
        if not inner or inner[0] is None:
            break
        words, takes_over = inner, takes_over or name == "exec"
    if words is command.words:
        return command
    cut = (command.words[0] or "").rpartition("/")[2] == "timeout"
    return replace(command, words=words, guarded=command.guarded or cut, takes_over=takes_over)


def _behind(name: str, words: tuple[str | None, ...]) -> tuple[str | None, ...]:
    at = 1
    while at < len(words):
        word = words[at]
        if word is None:
            return ()
        if word.partition("=")[0] in _ELSEWHERE:
            return ()
        if name == "time" and re.match(r"-\w*o|--o", word):  # it writes a file
            return ()
        if word in _WITH_VALUE[name]:
            at += 2
        elif word.startswith("-") or (name in ("env", "time") and "=" in word):
            at += 1
        else:
            break
    if name == "xargs":  # it adds words, also inside of a script
        shell = at < len(words) and (words[at] or "").rpartition("/")[2] in ("bash", "sh", "zsh")
        return (words[at], None) if shell else (*words[at:], None) if at < len(words) else ()
    return words[at + 1 :] if name == "timeout" else words[at:]
