"""What a file held at the end of a log, or at a place in it.

Takes a log that can be read twice: once for the list of changes, once for the texts of the paths
that matter, which are those asked for and those they were moved or copied from.
"""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.trajectory.events import Call, Event
from benchwright.trajectory.files.effects import Effect
from benchwright.trajectory.files.history import Change, Effects
from benchwright.trajectory.files.state import Certainty, FileState


@dataclass(frozen=True, slots=True)
class Answer:
    """What a file held, and how far to trust it."""

    path: str
    certainty: Certainty
    text: str | None
    """None where unavailable, or where the file was deleted (`exists` False)."""
    exists: bool | None
    reasons: tuple[str, ...]
    """Why it is not exact."""
    drifted: tuple[str, ...]
    """Places where the log shows a change that it does not hold; later ones made up for it."""
    source: str
    """`log` or `workspace`."""


def matching(paths: Iterable[str], name: str) -> list[str]:
    """The paths that `name` can mean: the path itself, else all that end in it, part by part."""
    paths = list(paths)
    wanted = posixpath.normpath(name)
    if wanted in paths:
        return [wanted]
    return [path for path in paths if path.endswith("/" + wanted.removeprefix("./"))]


def reconstruct(
    log: Iterable[Event],
    changes: Sequence[Change],
    path: str,
    *,
    before: int | None = None,
    workspace: Path | None = None,
) -> Answer:
    """What `path` held.

    changes: of the same log, from `FileChanges`; before: a line of the log, to stop at calls that
    start there or later; workspace: the real folder at the end, which wins where it has the file
    and `before` is not given, and else leaves a doubt.
    """
    final = workspace if before is None else None
    real = _real(final, path, changes) if final is not None else None
    if real is not None:
        return _from_workspace(path, real)
    tracker = _Tracker(_family(changes, path))
    effects = Effects()
    for event in log:
        if before is not None and isinstance(event, Call) and event.anchor.line >= before:
            break
        for call, _, effect in effects.see(event):
            tracker.apply(effect, call)
    for call, _, effect in effects.end():
        tracker.apply(effect, call)
    state = tracker.states[path]
    if final is not None and state.exists:
        state.doubt("the workspace does not hold it")
    certainty = state.certainty
    return Answer(path, certainty, state.text, state.exists, state.doubts, state.drifted, "log")


def _family(changes: Sequence[Change], path: str) -> set[str]:
    family, size = {path}, 0
    while size != len(family):
        size = len(family)
        family |= {c.path for c in changes if c.to in family and c.path is not None}
    return family


def _from_workspace(path: str, data: bytes) -> Answer:
    try:
        return Answer(path, "exact", data.decode(), True, (), (), "workspace")
    except UnicodeDecodeError:
        text = data.decode(errors="replace")
        return Answer(path, "partial", text, True, ("it is no text in UTF-8",), (), "workspace")


def _real(workspace: Path, path: str, changes: Sequence[Change]) -> bytes | None:
    """The real file: `path` below the workspace, by its longest tail that is there.

    An agent made the workspace: no link in it is followed out of it.
    """
    root = workspace.resolve()
    parts = posixpath.normpath(path).strip("/").split("/")
    known = {c.path for c in changes if c.path}
    for cut in range(len(parts)):
        tail = "/".join(parts[cut:])
        alike = [p for p in known if p == tail or p.endswith("/" + tail)]
        file = workspace / tail
        inside = ".." not in parts and file.resolve() == root / tail
        if len(alike) <= 1 and inside and file.is_file():
            return file.read_bytes()
    return None


class _Tracker:
    def __init__(self, paths: set[str]) -> None:
        self.states = {path: FileState() for path in paths}

    def apply(self, effect: Effect, call: Call) -> None:
        place = call.anchor.text()
        if effect.kind in ("move", "copy"):
            self._move(effect, place)
        elif effect.kind == "opaque":
            self._opaque(effect, place)
        elif effect.kind == "delete":
            for path, state in self.states.items():
                if path == effect.path or path.startswith(f"{effect.path}/"):
                    state.apply(effect, place)
        elif effect.path in self.states:
            self.states[effect.path].apply(effect, place)

    def _move(self, effect: Effect, place: str) -> None:
        source, target = effect.path or "", effect.to or ""
        inside = posixpath.join(target, posixpath.basename(source))
        for path, state in self.states.items():
            if path in (target, inside):
                self._take(state, source, effect, place)
            elif path.startswith((f"{source}/", f"{target}/")):
                state.doubt(f"{place}: a folder above it was moved or copied")
        if effect.kind == "move" and source in self.states:
            if effect.certain:
                self.states[source] = FileState(None, False, ())
            else:
                self.states[source].doubt(f"{place}: {effect.why}")

    def _take(self, state: FileState, source: str, effect: Effect, place: str) -> None:
        known = self.states.get(source)
        if known is None:
            state.doubt(f"{place}: another file was put in its place")
            return
        state.text, state.exists = known.text, known.exists
        state.doubts, state.drifted = known.doubts, known.drifted
        if not effect.certain:
            state.doubt(f"{place}: {effect.why}")

    def _opaque(self, effect: Effect, place: str) -> None:
        for path, state in self.states.items():
            if path == effect.path:
                state.apply(effect, place)
            elif effect.path is None and (effect.everything or mentions(effect.names, path)):
                state.doubt(f"{place}: {effect.why}")


def mentions(words: str, path: str) -> bool:
    """Whether words of a command or program name the file, by its name or a pattern of it."""
    base = posixpath.basename(path)
    if re.search(rf"(?<![\w.-]){re.escape(base)}(?![\w-])", words):
        return True
    return any(_fits(word, path) for word in words.split() if any(mark in word for mark in "*?["))


def _fits(pattern: str, path: str) -> bool:
    folder, _, last = pattern.rpartition("/")
    if last.strip("*."):
        return fnmatch.fnmatchcase(posixpath.basename(path), last)
    return bool(folder.strip("*./")) and f"/{folder.removeprefix('./')}/" in f"/{path}"
