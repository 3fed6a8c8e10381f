"""ATIF: one document, or one document a line. facts: log_formats 8.

Read as it is, whatever its version: nothing is refused for a key that a newer one has.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.trajectory.dialect import Dialect, Lack
from benchwright.trajectory.digests import Digests
from benchwright.trajectory.events import (
    Anchor,
    Begin,
    Call,
    Event,
    Mark,
    Message,
    Result,
    Source,
    Status,
    Usage,
)
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers.parts import count, joined, mapping, nano, shown, text
from benchwright.trajectory.records import Record
from benchwright.trajectory.tools import kind_of

_STATUS: dict[str, Status] = {
    "ok": "ok",
    "failed": "failed",
    "refused": "refused",
    "missing": "missing",
}


def looks(members: Mapping[str, Any]) -> bool:
    """Whether the members are those of an ATIF document."""
    return str(members.get("schema_version", "")).startswith("ATIF")


class Atif:
    """Keeps the header until the first step; ids are qualified by run and sub-agent."""

    def __init__(self, _: Path, notes: Notes) -> None:
        self._notes = notes
        self._head: dict[str, Any] = {}
        self._runs = 0
        self._seen = Digests()
        self._open: set[str] = set()

    def feed(self, record: Record) -> Iterator[Event]:
        """A step, a member of the header, or a whole document on one line."""
        value, anchor = record.value, record.anchor
        if not anchor.pointer:
            yield from self._document(value, anchor, "")
        elif anchor.pointer.startswith("/steps/"):
            yield from self._start(anchor)
            yield from self._step(value, anchor, "")
        elif anchor.pointer.startswith("/subagent_trajectories/"):
            child = mapping(value)
            yield from self._document(child, anchor, text(child.get("trajectory_id")) or "child")
        else:
            self._head[anchor.pointer.removeprefix("/")] = value

    def end(self) -> Iterator[Event]:
        """Totals that the document states; a count of what was never answered."""
        place = Anchor(0, -1, -1)
        if self._head:
            yield from self._start(place)
            yield from _totals(mapping(self._head.get("final_metrics")), place, self._runs)
        for call_id in self._open:
            self._notes.add("unanswered", None, call_id)

    def _start(self, anchor: Anchor) -> Iterator[Event]:
        if not self._runs:
            self._runs = 1
            yield _begin(self._head, anchor, "")

    def _document(self, value: Mapping[str, Any], anchor: Anchor, thread: str) -> Iterator[Event]:
        if not thread:
            self._runs += 1
            if self._runs > 1:
                self._notes.add("runs", anchor)
        yield _begin(value, anchor, thread)
        steps = value.get("steps")
        for number, step in enumerate(steps if isinstance(steps, list) else ()):
            place = anchor.below(f"/steps/{number}")
            yield from self._step(step, place, thread)
        if not thread:
            yield from _totals(mapping(value.get("final_metrics")), anchor, self._runs)

    def _step(self, value: Any, anchor: Anchor, thread: str) -> Iterator[Event]:
        if not isinstance(value, Mapping):
            self._notes.add("shape", anchor)
            return
        said = value.get("source")
        source: Source = said if said in ("system", "user", "agent") else "system"
        words, images = joined(value.get("message"))
        time, model = text(value.get("timestamp")), text(value.get("model_name"))
        spoken = source == "agent" and value.get("llm_call_count") != 0
        key = f"r{self._runs}.{anchor.pointer}" if spoken else None
        extra = mapping(value.get("extra"))
        yield Message(
            anchor, source, words, text(value.get("reasoning_content")) or "", time, key, thread,
            model, extra.get("synthetic") is True, value.get("is_copied_context") is True, images,
        )  # fmt: skip
        ids = yield from self._calls(value, anchor, thread, key, time)
        yield from self._results(mapping(value.get("observation")), anchor, ids)
        if spoken or mapping(value.get("metrics")):  # an answer without counts is one too
            yield _usage(mapping(value.get("metrics")), anchor, key, thread, model)

    def _calls(
        self,
        value: Mapping[str, Any],
        anchor: Anchor,
        thread: str,
        key: str | None,
        time: str | None,
    ) -> Generator[Event, None, dict[str, str]]:
        ids: dict[str, str] = {}
        calls = value.get("tool_calls")
        for number, call in enumerate(calls if isinstance(calls, list) else ()):
            item = mapping(call)
            native = text(item.get("tool_call_id")) or f"{anchor.pointer}/{number}"
            call_id = native if native not in self._seen else f"{native}@{anchor.pointer}"
            self._seen.add(call_id)
            self._open.add(call_id)
            ids[native] = call_id
            name = str(item.get("function_name"))
            place = anchor.below(f"/tool_calls/{number}")
            arguments = mapping(item.get("arguments"))
            yield Call(place, call_id, name, kind_of(name), arguments, native, time, key, thread)
        return ids

    def _results(
        self, observation: Mapping[str, Any], anchor: Anchor, ids: Mapping[str, str]
    ) -> Iterator[Event]:
        results = observation.get("results")
        unlinked = [call_id for call_id in ids.values()]
        for number, result in enumerate(results if isinstance(results, list) else ()):
            item = mapping(result)
            place = anchor.below(f"/observation/results/{number}")
            native = text(item.get("source_call_id"))
            call_id = ids.get(native or "")
            if native is None and len(unlinked) == 1:
                call_id = unlinked[0]
            words, images = joined(item.get("content"))
            if call_id is None or call_id not in self._open:
                yield Message(place, "system", words, synthetic=True, images=images)
                continue
            self._open.discard(call_id)
            extra = mapping(item.get("extra"))
            if extra.get("status") == "missing":
                self._open.add(call_id)
                continue
            status = _STATUS.get(str(extra.get("status")), "unknown")
            code = extra.get("exit_code")
            yield Result(
                place, call_id, status, words if item.get("content") is not None else None,
                text(extra.get("timestamp")), count(extra.get("duration_ms")),
                code if isinstance(code, int) else None, images=images,
            )  # fmt: skip


def _begin(head: Mapping[str, Any], anchor: Anchor, thread: str) -> Begin:
    agent = mapping(head.get("agent"))
    extra = mapping(head.get("extra"))
    return Begin(
        anchor,
        text(head.get("session_id")),
        text(agent.get("name")) or "unknown",
        text(agent.get("version")),
        text(agent.get("model_name")),
        text(extra.get("cwd")),
        thread=thread,
        extra={"schema_version": head.get("schema_version")},
    )


def _usage(
    metrics: Mapping[str, Any], anchor: Anchor, key: str | None, thread: str, model: str | None
) -> Usage:
    return Usage(
        anchor,
        "step",
        count(metrics.get("prompt_tokens")),
        count(metrics.get("cached_tokens")),
        count(metrics.get("completion_tokens")),
        key=key or anchor.pointer,
        thread=thread,
        model=model,
        cost_nano=nano(metrics.get("cost_usd")),
    )


def _totals(metrics: Mapping[str, Any], anchor: Anchor, run: int) -> Iterator[Event]:
    if not metrics:
        return
    yield Usage(
        anchor,
        "run",
        count(metrics.get("total_prompt_tokens")),
        count(metrics.get("total_cached_tokens")),
        count(metrics.get("total_completion_tokens")),
        key=f"run {run}",
        cost_nano=nano(metrics.get("total_cost_usd")),
    )
    yield Mark(anchor, "end", "final_metrics", shown(dict(metrics)))


_LACKS: frozenset[Lack] = frozenset({"answers", "failures"})
DIALECT = Dialect("atif", "ATIF trajectory", "document", looks, Atif, _LACKS)
LINES = Dialect("atif-lines", "ATIF trajectories, one a line", "lines", looks, Atif, _LACKS)
