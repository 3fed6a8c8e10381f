"""Share of console output in the input of the model (tracebench paper, appendix G).

Console output is every result of a tool. A text has as many tokens as a quarter of its characters
(code points), not rounded; a text that the tool cut counts as it was cut. An output is in the
context of every later answer of the same agent until a compaction, which empties the context. A
sub-agent is a context of its own. The share is console tokens over prompt tokens, both added over
the answers whose prompt tokens are known; without any there is no share.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from benchwright.trajectory.columns import Column
from benchwright.trajectory.digests import Digests, keyed
from benchwright.trajectory.events import Begin, Call, Event, Mark, Message, Result, Usage

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the model: what its context held before it."""

    thread: str
    console: int
    """Characters of all tool output."""
    shell: int
    """Characters of the output of commands."""
    prompt: int | None


@dataclass(frozen=True, slots=True)
class ConsoleShare:
    """Sums over the answers of some agents whose prompt tokens are known."""

    answers: int
    unknown: int
    """Answers without a count of their prompt tokens, which the share leaves out."""
    console_characters: int
    shell_characters: int
    prompt_tokens: int
    share: float
    shell_share: float
    lower_bound: bool
    """Whether the log begins in the middle: what was in the context before is unknown."""


class Console:
    """Fold: keeps three numbers for each answer, in columns."""

    def __init__(self) -> None:
        self._shell_calls: dict[str, bool] = {}
        """Calls without a result: whether they ran a command."""
        self._threads: dict[str, str] = {}
        self._context: dict[str, tuple[int, int]] = {}
        self._keys = Digests()
        """Answers; the columns have a row for each, in the order of their first records."""
        self._console, self._shell, self._prompts = array("Q"), array("Q"), Column()
        self._counted = bytearray()
        """Whether there was any usage of an answer."""
        self._agents: dict[str, array[int]] = {}
        """Agent: rows of its answers."""
        self._last: tuple[str, str | None] | None = None
        self._cut_off: set[str] = set()

    def see(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, Result):
            self._output(event)
        elif isinstance(event, Mark):
            if event.kind == "compaction":
                self._context[event.thread] = (0, 0)
        elif isinstance(event, Begin):
            self._begin(event)
        else:
            self._part(event)

    def end(self) -> None:
        """Nothing is left to do."""

    def _begin(self, event: Begin) -> None:
        if not event.continues:
            self._context[event.thread] = (0, 0)
        elif event.thread not in self._context:
            self._cut_off.add(event.thread)

    def _part(self, event: Message | Call | Usage) -> None:
        if isinstance(event, Call):
            self._shell_calls[event.call_id] = event.kind in ("shell", "python", "input")
            self._threads[event.call_id] = event.thread
        if isinstance(event, Usage) and event.scope != "step":
            return
        if isinstance(event, Usage):
            row = self._row(event.thread, event.key)
            self._counted[row] = 1
            if event.prompt is not None:
                self._prompts[row] = event.prompt
        elif event.key is not None and self._last != (event.thread, event.key):
            self._last = (event.thread, event.key)
            self._row(event.thread, event.key)

    def _row(self, thread: str, key: str | None) -> int:
        row = self._keys.number(keyed(thread, key))
        if row == len(self._counted):
            console, shell = self._context.get(thread, (0, 0))
            self._console.append(console)
            self._shell.append(shell)
            self._prompts.append(None)
            self._counted.append(0)
            self._agents.setdefault(thread, array("I")).append(row)
        return row

    def _output(self, event: Result) -> None:
        shell = self._shell_calls.pop(event.call_id, False)
        thread = self._threads.pop(event.call_id, "")
        size = len(event.text or "") + event.wrapper
        console, commands = self._context.get(thread, (0, 0))
        self._context[thread] = (console + size, commands + (size if shell else 0))

    def answers(self) -> list[Answer]:
        """Every answer with usage, in the order of their first records."""
        found = [
            (row, Answer(thread, self._console[row], self._shell[row], self._prompts[row]))
            for thread, rows in self._agents.items()
            for row in rows
            if self._counted[row]
        ]
        return [answer for _, answer in sorted(found, key=lambda item: item[0])]

    def share(self, threads: Collection[str] | None = None) -> ConsoleShare | None:
        """The share of some agents, or of all; None where no prompt tokens are recorded."""
        known = unknown = console = shell = prompt = 0
        for thread, rows in self._agents.items():
            for row in rows if threads is None or thread in threads else ():
                tokens = self._prompts[row]
                if tokens is None:
                    unknown += self._counted[row]
                    continue
                known += 1
                prompt += tokens
                console += self._console[row]
                shell += self._shell[row]
        if not prompt:
            return None
        whole = CHARACTERS_PER_TOKEN * prompt
        return ConsoleShare(
            known, unknown, console, shell, prompt, console / whole, shell / whole,
            bool(self._cut_off) if threads is None else not self._cut_off.isdisjoint(threads),
        )  # fmt: skip


def table(answers: Collection[Answer], names: Mapping[str, str] | None = None) -> str:
    """A line for each answer: context, characters of console output, prompt tokens."""
    named = names or {}
    rows = (f"{named.get(a.thread, a.thread or 'main')}\t{a.console}\t{a.prompt}" for a in answers)
    return "".join(row + "\n" for row in rows)
