"""Steps of one agent in order, kept in a temporary file until results and counts are known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from benchwright.trajectory.events import Anchor


class Store:
    """JSON values in one temporary file; a value is found again by where it stands."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._end = 0

    def put(self, value: Any) -> tuple[int, int]:
        """Keep `value`; returns its place."""
        data = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        self._file.seek(self._end)
        self._file.write(data)
        place = (self._end, len(data))
        self._end += len(data)
        return place

    def get(self, place: tuple[int, int]) -> Any:
        """The value at `place`."""
        self._file.seek(place[0])
        return json.loads(self._file.read(place[1]))


@dataclass(slots=True)
class OpenStep:
    """The step that is being read: parts of one answer of the model, or one message."""

    source: str
    key: str | None
    texts: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    time: str | None = None
    model: str | None = None
    copied: bool = False
    anchors: list[Anchor] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    results: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Call: where its result waits, of calls that were answered while the step is read."""


@dataclass(slots=True)
class _Kept:
    place: tuple[int, int]
    key: str | None
    calls: tuple[str, ...]
    results: list[tuple[int, int]] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)


class Steps:
    """The steps of one thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: list[_Kept] = []
        self._open: OpenStep | None = None
        self._where: dict[str, int] = {}
        """Call: number of its step, while it has no result."""

    def part(self, source: str, key: str | None, anchor: Anchor) -> OpenStep:
        """The step that a part with this source and key belongs to; a new one where it must be."""
        step = self._open
        same = step is not None and key is not None and (step.source, step.key) == (source, key)
        if step is None or not same:
            self.close()
            step = self._open = OpenStep(source, key)
        if len(step.anchors) < 64:
            step.anchors.append(anchor)
        return step

    def call(self, step: OpenStep, call_id: str, call: dict[str, Any]) -> None:
        """Add a call to the step that is open."""
        step.calls.append(call)
        self._where[call_id] = len(self._kept)

    def result(self, call_id: str, result: dict[str, Any]) -> bool:
        """Keep the result of a call of this thread; False where there is no such call."""
        number = self._where.pop(call_id, None)
        if number is None:
            return False
        place = self._store.put(result)
        if number == len(self._kept) and self._open is not None:
            self._open.results[call_id] = place
        else:
            self._kept[number].results.append(place)
            self._kept[number].answered.add(call_id)
        return True

    def close(self) -> None:
        """The open step is complete."""
        step, self._open = self._open, None
        if step is None:
            return
        calls = tuple(call["tool_call_id"] for call in step.calls)
        kept = _Kept(self._store.put(_plain(step)), step.key, calls)
        kept.results, kept.answered = list(step.results.values()), set(step.results)
        self._kept.append(kept)

    def __len__(self) -> int:
        return len(self._kept)

    def read(self) -> Iterator[tuple[dict[str, Any], str | None, list[dict[str, Any]], list[str]]]:
        """Each step, its key, its results in order, and the calls that have none."""
        self.close()
        for kept in self._kept:
            results = [self._store.get(place) for place in kept.results]
            missing = [call for call in kept.calls if call not in kept.answered]
            yield self._store.get(kept.place), kept.key, results, missing


def _plain(step: OpenStep) -> dict[str, Any]:
    data: dict[str, Any] = {"source": step.source, "message": "\n".join(step.texts)}
    if step.time:
        data["timestamp"] = step.time
    if step.source == "agent":
        if step.model:
            data["model_name"] = step.model
        if any(step.reasoning):
            data["reasoning_content"] = "\n".join(step.reasoning)
        if step.calls:
            data["tool_calls"] = step.calls
    if step.copied:
        data["is_copied_context"] = True
    anchors = [[a.line, a.start, a.end, a.pointer, a.file] for a in step.anchors]
    data["extra"] = {**step.extra, "anchors": anchors}
    return data
