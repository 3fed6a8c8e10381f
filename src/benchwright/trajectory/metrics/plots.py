"""Plots: images that the agent made, and which of them it looked at.

Generated are the images in the artifact folder where one is at hand, else the distinct images that
calls wrote with success: saved by Python under a literal name, targets of redirections and `-o`,
files written by a tool. Inspected are generated images that a tool for images opened later, with
success; listing or naming one is not looking. facts: tracebench 9.3, 9.4; behaviour 29.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchwright.trajectory.events import Call, Result
from benchwright.trajectory.files.effects import Effect
from benchwright.trajectory.metrics.lists import listed
from benchwright.trajectory.metrics.scripts import script_of
from benchwright.trajectory.metrics.sources import is_image
from benchwright.trajectory.tools import argument


class Plots:
    """Fold: keeps the names of images."""

    def __init__(self, artifacts: Path | None = None) -> None:
        self._made: dict[str, str] = {}
        """Image: the agent that made it first."""
        self._named: dict[str, list[str]] = {}
        """Last part of a path: the images that are called so."""
        self._closed = False
        if artifacts is not None:
            self._make(_images(artifacts), "")
            self._closed = True
        self._looked: dict[str, str] = {}
        self._seeing = False

    def wrote(self, effect: Effect, thread: str) -> None:
        """A call wrote a file, with success."""
        if effect.kind in ("write", "append", "opaque") and effect.path:
            self._make([effect.path], thread)

    def ran(self, call: Call, result: Result | None, saved: Iterable[str]) -> None:
        """A call is over; saved: images that the Python in it saves."""
        if result is None or result.status not in ("ok", "unknown"):
            return
        self._make([*saved, *_outputs(call)], call.thread)
        if call.kind in ("read", "view"):
            path = argument(call.arguments, "path")
            shows = result.images > 0 or call.kind == "view"
            self._seeing = self._seeing or shows
            if isinstance(path, str) and is_image(path):
                self._look(path, call.thread)

    def generated(self) -> Counter[str]:
        """Images by the agent that made them first."""
        return Counter(self._made.values())

    def inspected(self, agents: Iterable[str]) -> Counter[str] | None:
        """Images by the agent that looked at them first; None for agents that see none.

        Agents that are not known to have a tool for images have one once they use it.
        """
        if not self._seeing and not listed("image_agents").intersection(agents):
            return None
        return Counter(self._looked.values())

    def _make(self, paths: Iterable[str], thread: str) -> None:
        for path in paths:
            if is_image(path) and not self._closed and self._same(path) is None:
                place = posixpath.normpath(path)
                self._made[place] = thread
                self._named.setdefault(posixpath.basename(place), []).append(place)

    def _look(self, path: str, thread: str) -> None:
        made = self._same(path)
        if made is not None:
            self._looked.setdefault(made, thread)

    def _same(self, path: str) -> str | None:
        """The image that a path means: itself, or the one whose path ends in the other."""
        wanted = posixpath.normpath(path)
        if wanted in self._made:
            return wanted
        alike = self._named.get(posixpath.basename(wanted), [])
        found = [path for path in alike if _ends(path, wanted) or _ends(wanted, path)]
        return found[0] if len(found) == 1 else None


def _ends(path: str, end: str) -> bool:
    return not end.startswith("/") and path.endswith("/" + end)


def _images(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if is_image(path.name) and path.is_file() and not path.is_symlink():
            yield path.relative_to(folder).as_posix()


def _outputs(call: Call) -> Iterator[str]:
    """Images behind `-o` and its like in commands that are not Python."""
    script = script_of(call)
    for command in script.commands if script is not None else ():
        for option, word in zip(command.words, command.words[1:], strict=False):
            if option in ("-o", "--output", "--out", "-O") and word and is_image(word):
                yield word
