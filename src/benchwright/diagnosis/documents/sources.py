"""What a document is about: files, log and trajectory of one episode, each searched in one pass."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from benchwright.diagnosis.documents.similar import plain
from benchwright.errors import SpecError
from benchwright.storage import read_json
from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.resolve import Places, Resolved, resolve

LARGEST = 2 * 1024 * 1024
"""Bytes of an artifact that is searched for quotations and copies, as published."""
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?")


@dataclass(frozen=True)
class Found:
    """What of a document stands in the sources."""

    spans: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()


@dataclass
class Sources:
    """The parts of an episode that are there. Files are opened when asked for, never written."""

    places: Places
    _resolved: dict[Evidence, Resolved | None] = field(default_factory=dict)

    @property
    def given(self) -> bool:
        """Whether there is anything to check against."""
        return any((self.places.trajectory, self.places.log, self.places.artifacts))

    def resolved(self, evidence: Evidence) -> Resolved | None:
        """Where a pointer leads; None where the part that it points into was not given.

        A file may be named by the end of its path, or by its path in the agent's sandbox.
        """
        if evidence not in self._resolved:
            self._resolved[evidence] = self._resolve(evidence)
        return self._resolved[evidence]

    def find(self, spans: Iterable[str], numbers: Iterable[str]) -> Found:
        """Which spans of code and which numbers stand somewhere in the sources.

        A number stands there if one rounds to it at its decimals.
        """
        wanted = {span: plain(span) for span in spans}
        open_spans = {own for own in wanted.values() if own}
        decimals = {_decimals(number) for number in numbers}
        there: set[str] = set()
        seen: set[str] = set()
        for text in self._texts():
            own = plain(text)
            there |= {span for span in open_spans if span in own}
            open_spans -= there
            seen |= _rounded(text, decimals) if decimals else set()
        return Found(
            frozenset(span for span, own in wanted.items() if own in there),
            frozenset(n for n in numbers if _shown(float(n), _decimals(n)) in seen),
        )

    def copyable(self) -> Iterator[str]:
        """Texts that a document could be filled with: what the agent was told and what it left."""
        for path in self._files.values():
            if path.stat().st_size <= LARGEST:
                yield _text(path)
        for step in self._steps:
            message = step.get("message")
            if step.get("source") in ("user", "system") and isinstance(message, str):
                yield message

    def _resolve(self, evidence: Evidence) -> Resolved | None:
        kind, _, rest = evidence.source.partition(":")
        if kind == "artifact":
            return self._file(evidence, rest)
        if kind == "log":
            return resolve(evidence, self.places) if self.places.log else None
        if kind == "step" or kind == "result":
            places = replace(self.places, results=self._result)
            return resolve(evidence, places) if self.places.trajectory else None
        return None

    def _file(self, evidence: Evidence, name: str) -> Resolved | None:
        log = self.places.log
        if log is not None and name.rpartition("/")[2] == log.name:
            return resolve(replace(evidence, source="log", at=evidence.at or "1"), self.places)
        if self.places.artifacts is None:
            return None
        named = [own for own in self._files if _same(own, name)]
        if not named:  # what the folder does not list is never opened
            absent: Literal["absent", "not quoted"] = "absent" if evidence.quote else "not quoted"
            return Resolved(evidence, None, absent, "no such file among the artifacts")
        found = [resolve(replace(evidence, source=f"artifact:{own}"), self.places) for own in named]
        return next((one for one in found if holds(one)), found[0])

    def _result(self, handle: str) -> str | None:
        word = re.compile(rf"(?<![\w-]){re.escape(handle)}(?![\w-])")
        for step in self._steps:
            text = json.dumps(step.get("observation"), ensure_ascii=False)
            if word.search(text):
                return text
        return None

    @cached_property
    def _files(self) -> Mapping[str, Path]:
        root = self.places.artifacts
        if root is None:
            return {}
        files = (p for p in sorted(root.rglob("*")) if p.is_file() and not p.is_symlink())
        return {p.relative_to(root).as_posix(): p for p in files}

    @cached_property
    def _steps(self) -> list[Mapping[str, Any]]:
        if self.places.trajectory is None:
            return []
        document = read_json(self.places.trajectory)
        steps = document.get("steps") if isinstance(document, dict) else None
        return [s for s in steps if isinstance(s, dict)] if isinstance(steps, list) else []

    def _texts(self) -> Iterator[str]:
        for path in self._files.values():
            if path.stat().st_size <= LARGEST:
                yield _text(path)
        for step in self._steps:
            yield json.dumps(step, ensure_ascii=False)
        if self.places.log is not None:
            with self.places.log.open("rb") as file:
                for line in file:
                    yield line.decode("utf-8", "replace")


def holds(resolved: Resolved) -> bool:
    """Whether a pointer leads somewhere and what it quotes stands there."""
    return resolved.text is not None and resolved.quote != "absent"


def places_of(
    episode: Path | None, artifacts: Path | None, log: Path | None, trajectory: Path | None
) -> Places:
    """The places of a closed episode's folder and of single parts, which go before it.

    Raises:
        SpecError: a path that is not there, or of the wrong kind.
    """
    if episode is not None:
        _must_be("folder", episode, "--episode")
        kept, left = episode / "trajectory.json", episode / "artifacts"
        trajectory = trajectory or (kept if kept.is_file() else None)
        artifacts = artifacts or (left if left.is_dir() else None)
    for path, option in ((log, "--log"), (trajectory, "--trajectory")):
        _must_be("file", path, option)
    _must_be("folder", artifacts, "--artifacts")
    return Places(trajectory, log, artifacts)


def _must_be(kind: str, path: Path | None, option: str) -> None:
    if path is None or (path.is_dir() if kind == "folder" else path.is_file()):
        return
    problem = f"no such {kind}"
    raise SpecError(problem, value=str(path), where=option, hint="Check the path.")


def _same(own: str, name: str) -> bool:
    """Whether `name` is the path of a file, the end of it, or has it as its end."""
    name = name.removeprefix("./")
    return own == name or own.endswith(f"/{name}") or name.endswith(f"/{own}")


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def _decimals(number: str) -> int:
    mantissa, _, exponent = number.lower().partition("e")
    places = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return min(max(places, 0), 17)


def _shown(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def _rounded(text: str, decimals: set[int]) -> set[str]:
    values = {float(token.replace(",", "")) for token in _NUMBER.findall(text)}
    return {_shown(value, places) for value in values for places in decimals}
