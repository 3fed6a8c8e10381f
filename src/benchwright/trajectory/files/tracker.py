"""The states of some files along a log: each effect applied, with what it does to other names.

Takes the paths that matter; follows their texts, the links that the log made, programs that ran by
the text they held then, and jobs that may still be writing.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import replace

from benchwright.trajectory.events import Call
from benchwright.trajectory.files.code_reach import code_reach
from benchwright.trajectory.files.effects import Effect, Program
from benchwright.trajectory.files.links import Links
from benchwright.trajectory.files.names import mentions, mentions_folder
from benchwright.trajectory.files.python_reach import imports, own_module
from benchwright.trajectory.files.state import FileState

_DEEPEST = 4
_MOST_JOBS = 32


class Tracker:
    """States of `paths`; `apply` takes the effects in their order."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.states = {path: FileState() for path in paths}
        self._links = Links()
        self._lasting: list[tuple[Effect, str]] = []
        self._own: set[str] = set()
        """Modules that the log wrote, with names of known ones."""

    def apply(self, effect: Effect, call: Call) -> None:
        """Change what is known by one effect of a call."""
        place = call.anchor.text()
        for part in self._opened(effect, 0):
            self._one(part, place)
            for path in (part.path, part.to):
                if path is not None and (module := own_module(path)) is not None:
                    self._own.add(module)
            self._linked(part, place)
            if part.lasting:
                self._keep(part, place)
        for part, since in self._lasting:
            self._opaque(part, since)
            self._linked(part, since)

    def _keep(self, effect: Effect, place: str) -> None:
        """One of each kind of job that may still write; of many, that any file can be written."""
        if len(self._lasting) >= _MOST_JOBS:
            effect = replace(effect, path=None, everything=True)
        known = any(
            (one.everything and effect.path is None)
            or (one.path, one.names, one.everything)
            == (effect.path, effect.names, effect.everything)
            for one, _ in self._lasting
        )
        if not known:
            self._lasting.append((effect, place))

    def _opened(self, effect: Effect, depth: int) -> Iterator[Effect]:
        """An effect, and of a program that ran what its text says."""
        program = effect.program
        if program is None:
            yield effect
            return
        text = self._text(program) if depth < _DEEPEST else None
        if text is not None and self._own and imports(text, self._own):
            text = None
        if text is None:
            yield Effect(
                "opaque", None, names=effect.names, everything=True, certain=False, why=effect.why,
                lasting=effect.lasting,
            )  # fmt: skip
            return
        if effect.names:  # words: its text may take them for names
            yield Effect("opaque", None, names=effect.names, certain=False, why=effect.why)
        for part in code_reach(program, text, effect.why):
            for inner in self._opened(part, depth + 1):
                yield replace(inner, lasting=inner.lasting or effect.lasting)

    def _text(self, program: Program) -> str | None:
        if program.path is None:
            return program.code
        state = self.states.get(program.path)
        return state.text if state is not None and state.certainty == "exact" else None

    def _one(self, effect: Effect, place: str) -> None:
        if effect.kind in ("move", "copy"):
            self._move(effect, place)
        elif effect.kind == "opaque":
            self._opaque(effect, place)
        elif effect.kind == "link":
            self._link(effect, place)
        elif effect.kind == "delete":
            for path, state in self.states.items():
                if path == effect.path or path.startswith(f"{effect.path}/"):
                    state.apply(effect, place)
        elif effect.path is None:
            for state in self.states.values():
                if effect.kind == "touch" and state.exists is False:
                    state.doubt(f"{place}: {effect.why}")
        elif effect.path in self.states:
            self.states[effect.path].apply(effect, place)

    def _link(self, effect: Effect, place: str) -> None:
        self._links.add(effect.path, effect.to)
        for path, state in self.states.items():
            if path == effect.path or path.startswith(f"{effect.path}/"):
                state.apply(Effect("opaque", path, why=effect.why), place)

    def _linked(self, effect: Effect, place: str) -> None:
        """Doubts in files that have another name through a link."""
        if effect.kind in ("nothing", "seen", "link") or not self._links:
            return
        why = f"{place}: it may have another name through a link"
        named = [path for path in (effect.path, effect.to) if path is not None]
        any_name = bool(named) and (effect.crossed or self._links.unknown)
        others = {other for path in named for other in self._links.others(path)}
        if effect.kind == "opaque" and effect.path is None:
            others |= self._links.named(effect.names)
        for path, state in self.states.items():
            if path in named and not effect.crossed:
                continue
            below = any(path == o or path.startswith(f"{o}/") for o in others)
            if any_name or below:
                state.doubt(why)
        if effect.kind in ("move", "copy"):
            self._links.carry(effect.path or "", effect.to or "")

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
            elif effect.path is not None:
                if path.startswith(f"{effect.path}/"):
                    state.doubt(f"{place}: {effect.why}")
            elif effect.everything or _named(effect.names, path):
                state.doubt(f"{place}: {effect.why}")


def _named(words: str, path: str) -> bool:
    return mentions(words, path) or mentions_folder(words, path)
