"""Steps of one agent in order, kept in a temporary file until results and counts are known."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benchwright.trajectory.events import Anchor
from benchwright.trajectory.spool import Spool


class Store:
    """JSON values in one temporary file; a value is found again by where it stands."""

    def __init__(self) -> None:
        self._spool = Spool()

    def put(self, value: Any) -> int:
        """Keep `value`; returns its place."""
        return self._spool.put(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))

    def get(self, place: int) -> Any:
        """The value at `place`."""
        return json.loads(self._spool.get(place))


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


class Steps:
    """The steps of one thread: 16 bytes of memory each."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._places, self._results = array("Q"), array("Q")
        """Of each step: where it stands, and 1 more than where its last result stands, else 0.
        A result says the same of the one before it."""
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
            self._results.append(0)
        if len(step.anchors) < 64:
            step.anchors.append(anchor)
        return step

    def call(self, step: OpenStep, call_id: str, call: dict[str, Any]) -> None:
        """Add a call to the step that is open."""
        step.calls.append(call)
        self._where[call_id] = len(self._places)

    def result(self, call_id: str, result: dict[str, Any]) -> bool:
        """Keep the result of a call of this thread; False where there is no such call."""
        number = self._where.pop(call_id, None)
        if number is None:
            return False
        self._results[number] = self._store.put([self._results[number], result]) + 1
        return True

    def close(self) -> None:
        """The open step is complete."""
        step, self._open = self._open, None
        if step is not None:
            self._places.append(self._store.put([_plain(step), step.key]))

    def __len__(self) -> int:
        return len(self._places)

    def read(self) -> Iterator[tuple[dict[str, Any], str | None, list[dict[str, Any]]]]:
        """Each step, its key, and its results in order; calls without one have `missing`."""
        self.close()
        for place, last in zip(self._places, self._results, strict=True):
            step, key = self._store.get(place)
            results: list[dict[str, Any]] = []
            while last:
                last, result = self._store.get(last - 1)
                results.append(result)
            results.reverse()
            calls = [call["tool_call_id"] for call in step.get("tool_calls", ())]
            missing = dict.fromkeys(calls).keys() - {r["source_call_id"] for r in results}
            results += [
                {"source_call_id": call, "extra": {"status": "missing"}}
                for call in calls
                if call in missing
            ]
            yield step, key, results


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
