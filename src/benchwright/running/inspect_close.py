"""The end of a sample becomes the closing record of its episode (`on_sample_end`)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from inspect_ai.hooks import Hooks, ModelRetry, RunStart, SampleEnd, hooks
from inspect_ai.log import EvalSample

from benchwright.episodes.model import End, EndKind, Episode, Owner, Planned, Usage
from benchwright.running.close import fresh_folder
from benchwright.running.inspect_atif import steps_of, usage_of
from benchwright.running.inspect_collect import keep_session
from benchwright.running.ledger import Entry, Ledger
from benchwright.running.listener import Retry
from benchwright.trajectory.atif import Actor, Step, write_atif
from benchwright.trajectory.prices import Price, price_of

_LIMITS: dict[str, EndKind] = {
    "message": "message_limit",
    "turn": "message_limit",
    "token": "token_limit",
    "context": "token_limit",
    "time": "time_limit",
    "working": "time_limit",
    "cost": "cost_limit",
}

_UNKNOWN = Usage(*[None] * 8)

_active: list[Ledger] = []
"""The ledger of the run in progress; Inspect keeps one hook object for the whole process."""


class closing:
    """While it is open, every finished sample is closed into `ledger`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def __enter__(self) -> None:
        _register()
        _active.append(self._ledger)

    def __exit__(self, *_: object) -> None:
        _active.remove(self._ledger)


@cache
def _register() -> None:
    """Register once, inside a run: Inspect announces every registered hook on stdout."""

    @hooks(name="benchwright_closing", description="writes benchwright's closing records")
    class Closing(Hooks):
        async def on_run_start(self, data: RunStart) -> None:
            for ledger in _active:
                ledger.interruption.adopt()

        async def on_model_retry(self, data: ModelRetry) -> None:
            for ledger in _active:
                ledger.listener.waits(_retry(data))

        async def on_sample_end(self, data: SampleEnd) -> None:
            for ledger in _active:
                await _closed(ledger, data.sample)


def _retry(data: ModelRetry) -> Retry:
    reason = " ".join(str(part) for part in (data.exception_type, data.status_code) if part)
    return Retry(data.model_name, data.attempt, data.wait_time, reason or "no answer")


async def _closed(ledger: Ledger, sample: EvalSample) -> None:
    try:
        await asyncio.to_thread(close_sample, ledger, sample)
    except Exception as error:
        ledger.leave_owed(str(sample.id), error)


def close_sample(ledger: Ledger, sample: EvalSample) -> None:
    """Write trajectory, sheet and closing record of one finished sample."""
    if ledger.interruption.happened:
        return  # whatever its end looks like, a person may have caused it: the episode stays owed
    if sample.error is not None and sample.error.message.startswith("CancelledError"):
        return  # another sample broke the evaluation: this one stays owed and is run alone
    entry = ledger.entries.pop(str(sample.id), None)
    if str(sample.id) in ledger.unclosed:
        return
    if entry is None:
        entry = _never_began(ledger, sample)
    end, owner = judge_end(entry, sample)
    seen = not _is_own(ledger, entry.planned)
    usage = usage_of(sample, _price(ledger, entry.planned), seen=seen)
    steps = steps_of(sample.messages, sample.events, seen=seen)
    if not seen and not any(step.source == "agent" for step in steps):
        usage = replace(usage, tool_calls=None)  # it acted past its conversation: nobody counted
    _close(ledger, entry, (end, owner), usage, steps)


def close_unlogged(ledger: Ledger, planned: Planned) -> bool:
    """Close an episode whose text Inspect's log cannot hold, from what was noted outside of it.

    The text is the agent's own, and so is the fault; its files are scored. What it used is unknown.
    """
    entry = ledger.entries.pop(planned.id, None)
    if entry is None or not entry.collected or ledger.interruption.happened:
        return False
    entry.fail("agent", "what it wrote is no UTF-8 and cannot be logged")
    assert entry.failure is not None
    owner, reason = entry.failure
    _close(ledger, entry, (End("error", reason), owner), _UNKNOWN, entry.steps)
    return True


def close_torn(ledger: Ledger, planned: Planned, reason: str) -> bool:
    """Close an episode whose own code ended the event loop: nothing of its box could be kept."""
    entry = ledger.entries.pop(planned.id, None)
    if entry is None or ledger.interruption.happened:
        return False
    fresh_folder(entry.folder)
    keep_session(entry)
    entry.fail("agent", reason)
    assert entry.failure is not None
    owner, why = entry.failure
    _close(ledger, entry, (End("error", why), owner), _UNKNOWN, entry.steps)
    return True


def _close(
    ledger: Ledger,
    entry: Entry,
    ended: tuple[End, Owner | None],
    usage: Usage,
    steps: Sequence[Step],
) -> None:
    planned = entry.planned
    episode = Episode(
        id=planned.id,
        task_id=planned.task_id,
        task_digest=planned.task_digest,
        agent=planned.agent,
        trial=planned.trial,
        end=ended[0],
        owner=ended[1],
        usage=usage,
        folder=entry.folder,
    )
    actor = Actor(planned.agent.name, planned.agent.version, planned.agent.model)
    trajectory = write_atif(planned.id, actor, steps)
    sheet = ledger.closer.close(entry.task, episode, trajectory)
    ledger.listener.closed(planned, sheet)


def judge_end(entry: Entry, sample: EvalSample) -> tuple[End, Owner | None]:
    """How the episode ended and whose fault it was; what broke first decides.

    A limit of time that went by mostly in waiting for the provider is not the agent's fault.
    """
    if entry.failure is not None:
        owner, reason = entry.failure
        return End("killed" if owner == "sandbox" else "error", reason), owner
    if sample.error is not None:
        return End("error", sample.error.message), "sandbox"
    if sample.limit is not None:
        kind = _LIMITS.get(sample.limit.type, "error")
        reason = f"{sample.limit.type} limit of {sample.limit.limit:g}"
        waited = _waited_s(sample) if kind == "time_limit" else 0.0
        if waited > 0.5 * (sample.total_time or 0.0):
            return End(kind, f"{reason}, of which {waited:.0f} s waiting for the model"), "provider"
        return End(kind, reason), "agent"
    return End("returned"), None


def _waited_s(sample: EvalSample) -> float:
    """Seconds that the agent could do nothing about: retries of the model and queues for it."""
    if sample.total_time is None or sample.working_time is None:
        return 0.0
    return sample.total_time - sample.working_time


def _price(ledger: Ledger, planned: Planned) -> Price | None:
    own = ledger.brought.get(planned.agent.name)
    return own.price if own and own.price else price_of(planned.agent.model)


def _is_own(ledger: Ledger, planned: Planned) -> bool:
    """Whether code of somebody's own acts, which can call models that nobody here sees."""
    agent = ledger.brought.get(planned.agent.name)
    return agent is not None and not agent.is_loop


def _never_began(ledger: Ledger, sample: EvalSample) -> Entry:
    planned = next(p for p in ledger.run.plan if p.id == sample.id)
    entry = ledger.enter(planned)
    ledger.entries.pop(planned.id)
    fresh_folder(entry.folder)
    message = sample.error.message if sample.error else "the sample ended before its agent began"
    entry.fail("sandbox", message)
    return entry
