"""How a log's timeline, files, searches and words look in a terminal and on a pipe.

Text of logs is shown, never obeyed: control characters become visible signs, nothing is markup.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence

from rich.text import Text

from benchwright.cli.output import say
from benchwright.report.terminal import console, tame
from benchwright.report.words import counted
from benchwright.trajectory.events import Message
from benchwright.trajectory.files.history import Change, FileChanges
from benchwright.trajectory.files.reconstruct import Answer
from benchwright.trajectory.log import Log
from benchwright.trajectory.searches import Search
from benchwright.trajectory.timeline import Entry

_STYLES = {"ok": "green", "failed": "red", "refused": "yellow", "missing": "yellow"}
_WHO = {"user": "bold", "system": "dim", "agent": ""}


def timeline(log: Log, entries: Sequence[Entry]) -> None:
    """A line for each entry: number, time of day, who, tool, how it ended, first words."""
    hidden = sum(map(_is_silent, entries))
    without = f", {hidden} of them notices without words, left out here" if hidden else ""
    say(f"{log.dialect.title}, {counted(len(entries), 'entry', 'entries')}{without}")
    screen = console()
    for entry in entries:
        if _is_silent(entry):
            continue
        name = entry.name if entry.what in ("call", "mark", "begin") else entry.who
        thread = f"{entry.thread[:8]} " if entry.thread else ""
        line = Text(f"{entry.number:>5} {_clock(entry.time)} ", style="dim", no_wrap=True)
        line.append(f"{tame(thread + name)[:22]:<22} ", style=_WHO.get(entry.who, "dim"))
        line.append(f"{_ended(entry):<13} ", style=_STYLES.get(entry.status or "", "dim"))
        line.append(tame(entry.text).replace("\t", " "), style="")
        screen.print(line, overflow="ellipsis", no_wrap=True)


def _is_silent(entry: Entry) -> bool:
    """Progress of hooks and commands, hundreds in a log, of which it says no more than the kind."""
    return entry.what == "mark" and entry.who == "notice" and not entry.text


def _clock(time: str | None) -> str:
    return time[11:19] if time and len(time) >= 19 else " " * 8


def _ended(entry: Entry) -> str:
    if entry.status is None:
        return ""
    code = f" {entry.exit_code}" if entry.exit_code not in (None, 0) else ""
    took = f" {entry.duration_ms / 1000:.1f} s" if entry.duration_ms is not None else ""
    return f"{entry.status}{code}{took}"


def files(log: Log, fold: FileChanges) -> None:
    """Each path with its changes in order."""
    changed = fold.changed()
    known = set(changed)
    kept = [path for path in fold.paths() if path not in known]
    places, elsewhere = _places(fold)
    say(f"{log.dialect.title}, {counted(len(changed), 'path')} changed")
    _changes(fold, changed, places)
    if kept:
        said = "not changed: every call that was to change it failed or was refused:"
        say(f"{counted(len(kept), 'path')} {said}")
        _changes(fold, kept, places)
    if elsewhere:
        say(f"{counted(len(elsewhere), 'command')} that can change files without naming them here:")
        for change in (fold.changes[number] for number in elsewhere[:40]):
            say(tame(f"  {change.anchor.text()}: {change.why} ({change.status})"))


def _places(fold: FileChanges) -> tuple[dict[str, array[int]], array[int]]:
    """Numbers of the changes of each path, and of those without one."""
    places: dict[str, array[int]] = {path: array("I") for path in fold.paths()}
    elsewhere = array("I")
    for number, change in enumerate(fold.changes):
        if change.path is None and change.kind != "nothing":
            elsewhere.append(number)
        for path in {change.path, change.to} - {None}:
            places[str(path)].append(number)
    return places, elsewhere


def _changes(fold: FileChanges, paths: Sequence[str], places: Mapping[str, array[int]]) -> None:
    for path in paths:
        say(tame(path))
        for number in places[path]:
            say(tame(f"  {_changed(fold.changes[number], path)}"))


def _changed(change: Change, path: str) -> str:
    doubt = "" if change.certain else " (may not have happened)"
    moved = f" to {change.to}" if change.to and change.path == path else ""
    why = f"  {change.why}" if change.why not in ("", change.status) else ""
    kind = "no change" if change.kind == "nothing" else change.kind
    line = f"{change.anchor.text()}: {kind}{moved} by {change.tool}, "
    return f"{line}{change.status}{doubt}{why}"


def answer(found: Answer) -> None:
    """The text on stdout, as it is; how far to trust it on stderr."""
    if found.text is not None:
        sys.stdout.write(found.text)
        sys.stdout.flush()
    what = found.certainty if found.exists is not False else f"{found.certainty}: deleted"
    print(f"{tame(found.path)}: {what}, from the {found.source}", file=sys.stderr)
    for reason in found.reasons:
        print(f"  {tame(reason)}", file=sys.stderr)
    for place in found.drifted:
        print(f"  {place}: something unseen had changed the file before", file=sys.stderr)


def searches(log: Log, found: Sequence[Search]) -> None:
    """Each retrieval with the first words of what came back."""
    say(f"{log.dialect.title}, {counted(len(found), 'search', 'searches')}")
    for search in found:
        size = "unknown length" if search.length is None else counted(search.length, "character")
        say(tame(f"{search.anchor.text()}: {search.source}, {search.status}, {size}"))
        say(tame(f"  {search.query}"))
        for line in (search.head or "").splitlines()[:6]:
            say(tame(f"    {line[:160]}"))


def messages(found: Iterable[Message]) -> int:
    """Every message whole, with its place; returns how many there were."""
    number = 0
    for message in found:
        number += 1
        who = f"{message.source} {message.thread}".strip()
        say(tame(f"--- {message.anchor.text()}: {who} {message.time or ''}".rstrip()))
        say(tame(message.text))
    return number
