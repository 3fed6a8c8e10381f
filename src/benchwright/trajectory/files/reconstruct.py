"""What a file held at the end of a log, or at a place in it.

Takes a log that can be read twice: once for the list of changes, once for the texts of the paths
that matter, which are those asked for and those they were moved or copied from.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchwright.trajectory.events import Begin, Call, Event
from benchwright.trajectory.files.history import Change, Effects
from benchwright.trajectory.files.names import mentions
from benchwright.trajectory.files.state import Certainty
from benchwright.trajectory.files.tracker import Tracker
from benchwright.trajectory.files.workspace import Real, find_real

__all__ = ["Answer", "matching", "mentions", "reconstruct"]

_FIRST: Final = 200
"""Events among which the folder of a run is looked for."""


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
    changes: Iterable[Change],
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
    real = find_real(final, path, _home(log)) if final is not None else None
    if real is not None and real.data is not None:
        return _from_workspace(path, real)
    tracker = Tracker(_family(changes, path))
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
        state.doubt(real.doubt if real is not None else "the workspace does not hold it")
    certainty = state.certainty
    return Answer(path, certainty, state.text, state.exists, state.doubts, state.drifted, "log")


def _family(changes: Iterable[Change], path: str) -> set[str]:
    family, moves = {path}, set[tuple[str, str]]()
    for change in changes:
        if change.runs is not None:
            family.add(change.runs)
        if change.to is not None and change.path is not None:
            moves.add((change.path, change.to))
    size = 0
    while size != len(family):
        size = len(family)
        family |= {source for source, target in moves if target in family}
    return family


def _home(log: Iterable[Event]) -> str | None:
    """The folder that the log began in, as far as its first records tell."""
    first = (event for event, _ in zip(log, range(_FIRST), strict=False))
    return next((e.cwd for e in first if isinstance(e, Begin) and e.cwd), None)


def _from_workspace(path: str, real: Real) -> Answer:
    data, doubts = real.data or b"", (real.doubt,) if real.doubt else ()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text, doubts = data.decode(errors="replace"), (*doubts, "it is no text in UTF-8")
    return Answer(path, "partial" if doubts else "exact", text, True, doubts, (), "workspace")
