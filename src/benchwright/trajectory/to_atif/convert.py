"""The fold from events to ATIF documents, and the totals that go with them.

What a format does not say stays absent: no time, no cost, no count is made up. A call that failed
or was never answered is kept, with a result whose `extra.status` says so. facts: log_formats 11.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import IO, Any

from benchwright.errors import FormatError
from benchwright.trajectory.atif import SCHEMA
from benchwright.trajectory.digests import Digests
from benchwright.trajectory.events import Begin, Call, Event, Mark, Message, Result, Usage
from benchwright.trajectory.to_atif.counts import Counted, Counts
from benchwright.trajectory.to_atif.spool import Steps, Store

_KEPT_MARKS = ("compaction", "retry", "abort", "error", "task")


@dataclass(frozen=True, slots=True)
class Loss:
    """Something of the log that ATIF has no place for, and how often."""

    what: str
    count: int


@dataclass(frozen=True, slots=True)
class Conversion:
    """What was written."""

    documents: int
    steps: int
    losses: tuple[Loss, ...]


def write_atif(log: Iterable[Event], out: IO[str]) -> Conversion:
    """Write the runs of a log to `out`: one document, or one a line where there are several.

    Every step is checked by the `atif` package as it is written.
    """
    writer = _Writer(out, Store())
    for event in log:
        writer.see(event)
    return writer.end()


class _Writer:
    def __init__(self, out: IO[str], store: Store) -> None:
        self._out, self._store = out, store
        self._run: _Run | None = None
        self._documents = self._steps = 0
        self._losses: Counter[str] = Counter()

    def see(self, event: Event) -> None:
        if isinstance(event, Begin) and not event.thread:
            self._finish()
            self._run = _Run(event, self._store, self._losses)
            return
        if self._run is None:
            begin = Begin(event.anchor, None, "unknown")
            self._run = _Run(begin, self._store, self._losses)
        self._run.see(event)

    def end(self) -> Conversion:
        self._finish()
        losses = tuple(Loss(what, number) for what, number in sorted(self._losses.items()))
        return Conversion(self._documents, self._steps, losses)

    def _finish(self) -> None:
        run, self._run = self._run, None
        if run is None:
            return
        if not run.has_steps():
            self._losses["a run without any step"] += 1
            return
        if self._documents:
            self._out.write("\n")
        self._documents += 1
        self._steps += run.write(self._out)


class _Run:
    """One trajectory and its sub-agents."""

    def __init__(self, begin: Begin, store: Store, losses: Counter[str]) -> None:
        self._begin, self._store, self._losses = begin, store, losses
        self._begins = {"": begin}
        self._threads: dict[str, Steps] = {"": Steps(store)}
        self._usage = Counts(store)
        self._owners: dict[str, str] = {}
        """Call without a result: its thread."""

    def has_steps(self) -> bool:
        """Whether anything was said or done."""
        self._threads[""].close()
        return len(self._threads[""]) > 0

    def see(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, Begin):
            self._begins.setdefault(event.thread, event)
        elif isinstance(event, Message):
            self._message(event)
        elif isinstance(event, Call):
            self._call(event)
        elif isinstance(event, Result):
            self._result(event)
        elif isinstance(event, Usage):
            self._usage.keep(event)
        else:
            self._mark(event)

    def _steps(self, thread: str) -> Steps:
        return self._threads.setdefault(thread, Steps(self._store))

    def _message(self, event: Message) -> None:
        key = event.key if event.source == "agent" else None
        step = self._steps(event.thread).part(event.source, key, event.anchor)
        if event.text:
            step.texts.append(event.text)
        if event.reasoning:
            step.reasoning.append(event.reasoning)
        step.time = step.time or event.time
        step.model = step.model or event.model
        step.copied = step.copied or event.copied
        if event.synthetic:
            step.extra["synthetic"] = True
        if event.images:
            self._losses["images in messages"] += event.images

    def _call(self, event: Call) -> None:
        steps = self._steps(event.thread)
        step = steps.part("agent", event.key, event.anchor)
        step.time = step.time or event.time
        call: dict[str, Any] = {
            "tool_call_id": event.call_id,
            "function_name": event.name,
            "arguments": dict(event.arguments),
        }
        if event.native_id and event.native_id != event.call_id:
            call["extra"] = {"native_id": event.native_id}
        self._owners[event.call_id] = event.thread
        steps.call(step, event.call_id, call)

    def _result(self, event: Result) -> None:
        thread = self._owners.pop(event.call_id, None)
        if event.structured is not None:
            self._losses["structured results of tools"] += 1
        if event.images:
            self._losses["images in results"] += event.images
        extra = {
            "status": event.status,
            "timestamp": event.time,
            "duration_ms": event.duration_ms,
            "exit_code": event.exit_code,
            "truncated": event.truncated,
            "child": event.child,
        }
        result: dict[str, Any] = {
            "source_call_id": event.call_id,
            "extra": {name: value for name, value in extra.items() if value is not None},
        }
        if event.text is not None:
            result["content"] = event.text
        if thread is None or not self._steps(thread).result(event.call_id, result):
            self._losses["results without a call"] += 1

    def _mark(self, event: Mark) -> None:
        if event.kind not in _KEPT_MARKS:
            if event.kind != "end":
                self._losses[f"marks of kind {event.kind}"] += 1
            return
        step = self._steps(event.thread).part("system", None, event.anchor)
        step.texts.append(f"{event.label}: {event.text}" if event.text else event.label)
        step.time = event.time
        step.extra["kind"] = event.kind

    def write(self, out: IO[str]) -> int:
        """Write the document; returns the number of steps of the main agent."""
        children = [name for name in self._threads if name]
        out.write("{" + _members(self._head("")) + ', "steps": [')
        written = self._write_steps("", out)
        out.write("]")
        totals = self._totals(written)
        out.write(f', "final_metrics": {_json(totals)}')
        for number, name in enumerate(children):
            out.write(', "subagent_trajectories": [' if number == 0 else ", ")
            out.write("{" + _members(self._head(name)) + ', "steps": [')
            self._write_steps(name, out)
            out.write("]}")
        out.write("]}" if children else "}")
        return written

    def _head(self, thread: str) -> dict[str, Any]:
        begin = self._begins.get(thread, self._begin)
        agent = {
            "name": begin.agent or "unknown",
            "version": begin.version or "unknown",
            "model_name": begin.model,
        }
        extra = {"cwd": begin.cwd, "began": begin.time}
        head: dict[str, Any] = {"schema_version": SCHEMA}
        if begin.session and not thread:
            head["session_id"] = begin.session
        if thread:
            head["trajectory_id"] = thread
        head["agent"] = {name: value for name, value in agent.items() if value is not None}
        kept = {name: value for name, value in extra.items() if value is not None}
        return {**head, "extra": kept} if kept else head

    def _write_steps(self, thread: str, out: IO[str]) -> int:
        number, counted = 0, Digests()
        for step, key, results in self._threads[thread].read():
            number += 1
            if results:
                step["observation"] = {"results": [self._linked(r) for r in results]}
            usage = self._usage.of(thread, key) if key and step["source"] == "agent" else None
            metrics = _metrics(usage) if usage is not None else {}
            if metrics and counted.add(str(key)):
                step["metrics"] = metrics
            data = _valid({"step_id": number, **step}, self._losses)
            out.write(("" if number == 1 else ", ") + _json(data))
        return number

    def _linked(self, result: dict[str, Any]) -> dict[str, Any]:
        child = result["extra"].get("child")
        for name in (result["source_call_id"], child):
            if name and name in self._threads:
                result["subagent_trajectory_ref"] = [{"trajectory_id": name}]
        return result

    def _totals(self, steps: int) -> dict[str, Any]:
        totals: dict[str, Any] = {"total_steps": steps}
        groups = () if self._usage.broken_off else self._usage.sums()
        for part in ("prompt", "cached", "completion"):
            for group in groups:
                if (known := group[part].known) is not None:
                    totals[f"total_{part}_tokens"] = known
                    break
        costs = (group["cost_nano"].known for group in groups)
        cost = next((known for known in costs if known is not None), None)
        if cost is not None:
            totals["total_cost_usd"] = float(Decimal(cost) / 10**9)
        return totals


def _metrics(usage: Counted) -> dict[str, Any]:
    data = {
        "prompt_tokens": usage.prompt,
        "cached_tokens": usage.cached,
        "completion_tokens": usage.completion,
        "cost_usd": None if usage.cost_nano is None else float(Decimal(usage.cost_nano) / 10**9),
    }
    return {name: value for name, value in data.items() if value is not None}


def _valid(step: dict[str, Any], losses: Counter[str]) -> dict[str, Any]:
    """The step as `atif` has it; a time that is no ISO 8601 goes to `extra`."""
    import atif
    from pydantic import ValidationError

    time = step.get("timestamp")
    if time is not None and not _iso(time):
        step["extra"]["timestamp"] = step.pop("timestamp")
        losses["times that are not ISO 8601"] += 1
    try:
        atif.Step.model_validate(step)
    except ValidationError as error:
        raise FormatError(
            "a step is not valid ATIF",
            value=str(error.errors()[0]),
            where=f"step {step['step_id']}",
            hint="Report this with the log: every log that can be read must convert.",
        ) from error
    return step


def _iso(time: str) -> bool:
    try:
        datetime.fromisoformat(time)
    except ValueError:
        return False
    return True


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _members(value: dict[str, Any]) -> str:
    return _json(value)[1:-1]
