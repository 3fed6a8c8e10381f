"""Files that the agent created, and programs that it ran from files."""

from __future__ import annotations

import posixpath
from collections.abc import Collection

from benchwright.trajectory.events import Begin, Call, Event, Result
from benchwright.trajectory.files.effects import Effect
from benchwright.trajectory.tools import argument


class Made:
    """Fold: keeps paths. Created is what a successful call wrote and nothing earlier showed."""

    def __init__(self) -> None:
        self.created: dict[str, str] = {}
        """Path as the call names it: the agent."""
        self.executed: dict[str, int] = {}
        """Python file as commands name it: how often it was run."""
        self._known: set[str] = set()
        self._folder: str | None = None

    def see(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, Begin) and not event.thread:
            self._folder = event.cwd

    def wrote(self, effect: Effect, call: Call) -> None:
        """An effect of a call that went well."""
        path = effect.path
        if path is None:
            return
        new = effect.kind in ("write", "append", "opaque") and effect.base is None
        if new and path not in self._known:
            self.created.setdefault(self._named(path, call), call.thread)
        self._known.add(path)

    def over(self, call: Call, result: Result | None) -> None:
        """A call is over: what a reader opened was there before."""
        path = argument(call.arguments, "path")
        went = result is not None and result.status in ("ok", "unknown")
        if went and call.kind in ("read", "view") and isinstance(path, str):
            self._known.add(posixpath.normpath(path))

    def ran(self, path: str) -> None:
        """Python ran a file."""
        name = posixpath.normpath(path)
        self.executed[name] = self.executed.get(name, 0) + 1

    def _named(self, path: str, call: Call) -> str:
        """The path as the call names it: below the folder of the run, unless it says otherwise."""
        below = (self._folder or "").rstrip("/") + "/"
        if not self._folder or not path.startswith(below) or path in str(dict(call.arguments)):
            return path
        return path[len(below) :]


def with_suffix(paths: Collection[str], suffix: str) -> int:
    """How many paths end so."""
    return sum(1 for path in paths if path.endswith(suffix))
