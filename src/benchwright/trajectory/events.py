"""What every agent log says, in one vocabulary: the records that readers give and folds take.

Readers (`readers/`) turn the records of a log into these events, in the order of the file, and
keep for each the place it came from. What a format does not say is None: unknown, never zero and
never guessed. Events of one log share these rules:

- `call_id` is unique in the log; a reader qualifies ids that the format uses twice (a second run
  in the file, item numbers that start over), and keeps the format's own in `Call.native_id`.
- `key` names one answer of the model: messages, calls and usage with the same key and thread are
  parts of one step. None where the event stands alone.
- `thread` is "" for the main agent and a stable name for each sub-agent.
- A record that only repeats an earlier one gives no event; the reader counts it in its notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, dataclass_transform

Source = Literal["system", "user", "agent"]
Status = Literal["ok", "failed", "refused", "missing", "unknown"]
"""Of a call: succeeded; ran and failed; was not allowed to run; never answered; not said."""

MarkKind = Literal[
    "compaction", "retry", "abort", "error", "end", "task", "mode", "notice", "opaque"
]
Scope = Literal["step", "turn", "run"]


_Kind = TypeVar("_Kind")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def event(kind: type[_Kind]) -> type[_Kind]:
    """A record that nobody changes.

    The type checker holds that: a guard at run time costs five times as much as the record itself,
    and a long log has hundreds of thousands of them.
    """
    return dataclass(slots=True)(kind)


class Anchor(NamedTuple):
    """Where in a log something stands.

    `line` counts from 1, 0 in a document without lines; `start` and `end` are byte offsets of the
    whole record in the file, -1 where there are none (inside an archive); `pointer` is a JSON
    pointer below the record, or below the document; `file` names a companion file or member of an
    archive, "" for the log itself.
    """

    line: int
    start: int
    end: int
    pointer: str = ""
    file: str = ""

    def below(self, pointer: str) -> Anchor:
        """The anchor of a part of what this one points to."""
        return self._replace(pointer=self.pointer + pointer)

    def text(self) -> str:
        """For people and for `Evidence.at`, e.g. `line 12`, `subagents/agent-a.jsonl line 3`."""
        place = f"line {self.line}" if self.line else (self.pointer or "document")
        below = f" {self.pointer}" if self.line and self.pointer else ""
        return f"{self.file} {place}{below}".strip()


@event
class Begin:
    """A run, a session or, with a `thread`, a sub-agent starts; a log can hold several.

    Of a sub-agent, `extra["call"]` is the id of the call that started it, where that is known.
    """

    anchor: Anchor
    session: str | None
    agent: str
    """As in ATIF: claude-code, codex, gemini-cli, opencode, ..."""
    version: str | None = None
    model: str | None = None
    cwd: str | None = None
    time: str | None = None
    thread: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    continues: bool = False
    """It goes on from what stands before it in the log or, at its start, outside of the log."""


@event
class Message:
    """Words of somebody, or reasoning that the model left readable."""

    anchor: Anchor
    source: Source
    text: str
    reasoning: str = ""
    time: str | None = None
    """ISO 8601 as the log states it; epoch numbers are converted to UTC with Z."""
    key: str | None = None
    thread: str = ""
    model: str | None = None
    synthetic: bool = False
    """Put there by the program, not by a person: reminders, continuation summaries, notices."""
    copied: bool = False
    """Context that a compaction or a resumed session carried over."""
    images: int = 0


@event
class Call:
    """The agent asks for a tool."""

    anchor: Anchor
    call_id: str
    name: str
    """As the log has it."""
    kind: str
    """What it does: a value of `tools.KINDS`."""
    arguments: Mapping[str, Any]
    native_id: str = ""
    time: str | None = None
    key: str | None = None
    thread: str = ""


@event
class Result:
    """What a tool gave back; at most one per call."""

    anchor: Anchor
    call_id: str
    status: Status
    text: str | None
    """What the model saw, as text; None where the log does not keep it."""
    time: str | None = None
    duration_ms: int | None = None
    exit_code: int | None = None
    structured: Any = None
    """The format's own structured twin, as parsed, untouched."""
    images: int = 0
    truncated: bool | None = None
    """Whether the log says that the tool cut its output; None where it does not say."""
    child: str | None = None
    """Session or thread id of the sub-agent that this call started."""
    wrapper: int = 0
    """Characters that the tool put around `text`; the model saw them too."""


@event
class Usage:
    """Token counts. Counts of the same (scope, thread, key) replace each other: the last holds.

    `prompt` includes `cached` (as in ATIF); `completion` includes reasoning. `scope` says what the
    counts cover: one answer of the model, one turn, or the whole run. Where a run states its own
    total, that total is trusted over sums of parts.
    """

    anchor: Anchor
    scope: Scope
    prompt: int | None
    cached: int | None
    completion: int | None
    reasoning: int | None = None
    """Part of `completion`, where it is known apart."""
    cache_written: int | None = None
    """Part of `prompt` that was written to a cache."""
    key: str | None = None
    thread: str = ""
    model: str | None = None
    cost_nano: int | None = None
    """Nano-USD; only where the log states it."""
    duration_ms: int | None = None
    api_duration_ms: int | None = None
    time: str | None = None
    """When the counts were written down."""
    partial: bool = False
    """Written down before the answer was complete: `completion` is a lower bound."""


@event
class Mark:
    """Anything else that matters to the order of things: compaction, retry, abort, error, end.

    `notice` is what the program says of itself (hooks, notifications, titles). `opaque` is a record
    of a kind that this version does not know. `label` is the format's own word for it.
    """

    anchor: Anchor
    kind: MarkKind
    label: str
    text: str = ""
    time: str | None = None
    thread: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


Event: TypeAlias = Begin | Message | Call | Result | Usage | Mark
