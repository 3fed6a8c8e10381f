"""What a call shows: `Display` of a reader, a search, an edit or a shell script.

Takes a call and its result; runs nothing. A script shows sources only where each of its commands
that prints is a display of one; beside other things its lines are judged one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from benchwright.trajectory.events import Call, Result
from benchwright.trajectory.files.patches import parse_patch
from benchwright.trajectory.metrics.lists import listed
from benchwright.trajectory.metrics.numbers.display import PLAIN, Display, is_source, is_table
from benchwright.trajectory.metrics.scripts import script_of
from benchwright.trajectory.shell.commands import Command, Script
from benchwright.trajectory.tools import argument

_DISPLAYS = listed("displays")
_SEARCHES = listed("searches")
_FILTERS = _DISPLAYS | _SEARCHES | listed("filters")
_DUMPS = listed("dumps")
_SILENT = listed("silent")
_REFUSALS = ("<tool_use_error>", "Claude requested permissions", "Permission to use ",
             "The user doesn't want to proceed")  # fmt: skip

_Shows = Literal["source", "hits", "dump", "silent", "other"]


def display_of(call: Call | None, result: Result) -> Display:
    """What the output of a call shows; plain where the call is not known."""
    if result.status == "refused" or (result.text or "").lstrip().startswith(_REFUSALS):
        return Display(harness=True)
    if call is None:
        return PLAIN
    if call.kind == "shell":
        script = script_of(call)
        return PLAIN if script is None else display_of_script(script)
    path = argument(call.arguments, "path")
    named = path if isinstance(path, str) else ""
    if call.kind in ("read", "view"):
        source: Literal["none", "all"] = "all" if is_source(named) else "none"
        return Display(source, numbered=True, separated=is_table(named))
    if call.kind == "find":
        return Display("all" if is_source(named) else "none", hits=True, numbered=True, search=True)
    if call.kind in ("edit", "write", "patch", "notebook"):
        paths = [named] if named else list(_patched(call.arguments))
        shown = bool(paths) and all(map(is_source, paths))
        return Display("all" if shown else "none", numbered=True)
    return PLAIN


def display_of_script(script: Script) -> Display:
    """What the commands of a script print together."""
    found = [(_shows(line), line) for line in _pipelines(script)]
    kinds = {kind for kind, _ in found} - {"silent"}
    lines = [line for kind, line in found if kind != "silent"]
    paths = [path for line in lines for path in _paths(line[0])]
    return Display(
        source="all" if kinds == {"source"} else "some" if "source" in kinds else "none",
        hits=any(_searches(line) for line in lines),
        numbered=any(_numbers(command) for line in lines for command in line),
        separated=bool(paths) and all(map(is_table, paths)),
        payload=kinds == {"dump"},
    )


def _pipelines(script: Script) -> list[list[Command]]:
    """Commands that feed each other, in order."""
    lines: list[list[Command]] = []
    line_of: dict[int | None, list[Command]] = {}
    for number, command in enumerate(script.commands):
        line = line_of.get(command.piped_from) if command.piped_from is not None else None
        if line is None:
            line = []
            lines.append(line)
        line.append(command)
        line_of[number] = line
    return lines


def _shows(line: list[Command]) -> _Shows:
    first, last = line[0], line[-1]
    if not last.words or _redirected(last) or (last.name in _SILENT and len(line) == 1):
        return "silent"
    names = [command.name for command in line]
    if names[0] in _DUMPS and _FILTERS.issuperset(names[1:]):
        return "dump"
    if not _FILTERS.issuperset(names) or _in_place(first) or _lists(first) or _lists(last):
        return "other"
    paths = list(_paths(first))
    if paths and all(map(is_source, paths)):
        return "source"
    return "hits" if first.name in _SEARCHES else "other"


def _redirected(command: Command) -> bool:
    return any(r.operator in (">", ">>", "1>", "&>", "&>>", ">|") for r in command.redirects)


def _in_place(command: Command) -> bool:
    return command.name == "sed" and any(word and word.startswith("-i") for word in command.words)


def _searches(line: list[Command]) -> bool:
    return line[0].name in _SEARCHES and all(command.name in _FILTERS for command in line)


def _lists(command: Command) -> bool:
    """Whether a search prints names or counts instead of lines."""
    options = [word for word in command.words if word] if command.name in _SEARCHES else []
    return any(_flag(word, "clL") or word.startswith(("--count", "--files")) for word in options)


def _numbers(command: Command) -> bool:
    if command.name in ("nl", "bat", "batcat"):
        return True
    numbered = command.name == "cat" or command.name in _SEARCHES
    words = command.words[1:] if numbered else ()
    return any(w and (_flag(w, "n") or w in ("--number", "--line-number")) for w in words)


def _flag(word: str, letters: str) -> bool:
    """Whether a cluster of short options holds one of `letters`."""
    cluster = word.startswith("-") and not word.startswith("--") and word[1:].isalpha()
    return cluster and any(letter in word for letter in letters)


def _paths(command: Command) -> Iterator[str]:
    """Words that name files, for commands that show or search them."""
    if command.name not in _DISPLAYS | _SEARCHES:
        return
    skip = command.name == "sed" or command.name in _SEARCHES
    for word in command.words[1:]:
        if word is None or word.startswith("-"):
            continue
        if skip:
            skip = False
        elif "." in word.rpartition("/")[2] or "/" in word:
            yield word


def _patched(arguments: Any) -> Iterator[str]:
    for name in ("input", "patch", "patchText", "text"):
        if isinstance(arguments.get(name), str):
            yield from (file.path for file in parse_patch(arguments[name]))
            return
