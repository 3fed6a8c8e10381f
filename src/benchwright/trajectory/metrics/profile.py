"""The hard rules of the public evaluator for a trajectory. facts: tracebench 9.4, behaviour 30.

One word of a user, none of the system behind it, as many observations as calls, tools that the
agent is known to have, at least one step. Put-in words of the program and copies are no steps, nor
are the words between an agent and its sub-agents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from benchwright.trajectory.events import Call, Event, Message, Result


class Profile:
    """Fold: counts steps."""

    def __init__(self, tools: Collection[str] | None = None) -> None:
        self._tools = tools
        self._spoken: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()
        self._calls = self._results = 0

    def see(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, Message):
            self._message(event)
        elif isinstance(event, Call):
            self._calls += 1
            self._spoken["agent"] += not event.thread
            if self._strange(event):
                self._unknown[event.name] += 1
        elif isinstance(event, Result):
            self._results += event.status != "missing"

    def end(self) -> None:
        """Nothing is left to do."""

    def _message(self, message: Message) -> None:
        put = message.synthetic or message.copied or bool(message.thread)
        leading = message.source == "system" and not self._spoken["user"]
        if not put and not leading:
            self._spoken[message.source] += 1

    def _strange(self, call: Call) -> bool:
        return call.name not in self._tools if self._tools is not None else call.kind == "other"

    def violations(self) -> list[str]:
        """What breaks a rule, in words; empty where all hold."""
        found = []
        if self._spoken["user"] != 1:
            found.append(f"{self._spoken['user']} user steps; there must be 1")
        if self._spoken["system"]:
            found.append(f"{self._spoken['system']} system steps; there must be none")
        if self._calls != self._results:
            found.append(f"{self._calls} calls and {self._results} observations; they must agree")
        if self._unknown:
            allowed = "" if self._tools is None else f"; allowed: {', '.join(sorted(self._tools))}"
            found.append(f"tools that are not known: {', '.join(sorted(self._unknown))}{allowed}")
        if not self._spoken["agent"]:
            found.append("no step of the agent")
        return found


def violations(events: Iterable[Event], tools: Collection[str] | None = None) -> list[str]:
    """Which hard rules a log breaks; tools: names that it may use, else those of `tools.toml`."""
    profile = Profile(tools)
    for event in events:
        profile.see(event)
    return profile.violations()
