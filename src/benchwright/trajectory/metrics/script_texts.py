"""The Python files of a log as the agent wrote them: the last text of each, within a limit."""

from __future__ import annotations

import posixpath
from collections import OrderedDict

from benchwright.trajectory.files.effects import Effect
from benchwright.trajectory.files.state import FileState

LIMIT = 8_000_000
"""Characters of all texts; beyond it the file that was touched longest ago is forgotten."""

_WRITES = ("write", "append", "edit", "patch", "diff")


class ScriptTexts:
    """Effects in, texts out."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._states: OrderedDict[str, FileState] = OrderedDict()
        self._limit, self._size = limit, 0

    def apply(self, effect: Effect) -> str | None:
        """The new text of a Python file that this effect gave it; None for any other effect."""
        path = effect.path
        if path is None:
            return None
        if effect.kind in ("move", "copy"):
            self._move(path, effect)
            return None
        if not path.endswith(".py") or effect.kind not in (*_WRITES, "seen", "delete"):
            return None
        state = self._states.setdefault(path, FileState())
        before = state.text
        state.apply(effect, "")
        self._touch(path, state, len(state.text or "") - len(before or ""))
        written = effect.kind in _WRITES and state.text != before
        return state.text if written else None

    def of(self, path: str) -> str | None:
        """The text of a script as a command names it; None where it is not known, or which."""
        wanted = posixpath.normpath(path)
        state = self._states.get(wanted)
        if state is None:
            ends = "/" + wanted.lstrip("/")
            found = [s for p, s in self._states.items() if p.endswith(ends)]
            state = found[0] if len(found) == 1 else None
        return state.text if state is not None else None

    def _move(self, path: str, effect: Effect) -> None:
        known = self._states.get(path)
        if known is None or not effect.to or not effect.to.endswith(".py"):
            return
        copy = FileState(known.text, known.exists, known.doubts)
        if effect.kind == "move":
            self._forget(path)
        self._forget(effect.to)
        self._touch(effect.to, copy, len(copy.text or ""))

    def _forget(self, path: str) -> None:
        state = self._states.pop(path, None)
        self._size -= len(state.text or "") if state is not None else 0

    def _touch(self, path: str, state: FileState, more: int) -> None:
        self._states[path] = state
        self._states.move_to_end(path)
        self._size += more
        while self._size > self._limit and len(self._states) > 1:
            self._forget(next(iter(self._states)))
