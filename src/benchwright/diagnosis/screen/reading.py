"""From a log and the folder that a run left to its stories: one for each run that the log holds.

Memory grows with the text of the log. Nothing is run, and nothing outside the folder is opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchwright.diagnosis.screen.files import FilesAtEnd
from benchwright.diagnosis.screen.pointers import Pointers
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.diagnosis.screen.teams import with_calls
from benchwright.diagnosis.screen.words import tidy
from benchwright.trajectory.events import Anchor, Begin, Call, Event, Mark, Message, Result
from benchwright.trajectory.files.history import Effects
from benchwright.trajectory.log import Log, open_log

_NOT_DONE = re.compile(
    r"\s*(?:<\w+>)?(?:Error|\[Errno|\w*Error:|Permission denied|Failed to|Could not)"
)


def read_stories(
    path: Path, artifacts: Path | None = None, dialect: str | None = None
) -> list[Story]:
    """The runs of a log, in its order.

    artifacts: the folder that the run left; of a log with several runs it belongs to the last.
    dialect: a name of `trajectory.readers.DIALECTS`, to skip detection.

    Raises:
        FormatError: the log is unreadable or of no known kind.
    """
    log = open_log(path, dialect)
    runs = list(_runs(log))
    folders = [None] * (len(runs) - 1) + [artifacts]
    return [_story(log, events, folder) for events, folder in zip(runs, folders, strict=True)]


def _runs(log: Log) -> Iterator[list[Event]]:
    """Events of each run; one that goes on from another belongs to it."""
    events: list[Event] = []
    acted = False
    for event in log:
        new = isinstance(event, Begin) and not event.thread and not event.continues
        if new and acted:
            yield events
            events, acted = [], False
        events.append(event)
        acted = (
            acted
            or isinstance(event, Call)
            or (isinstance(event, Message) and event.source == "agent")
        )
    yield events


def _story(log: Log, events: Iterable[Event], artifacts: Path | None) -> Story:
    builder = _Builder(artifacts)
    for event in with_calls(events) if "calls" in log.dialect.lacks else events:
        builder.see(event)
    builder.end()
    document = log.dialect.name == "atif"
    pointers = Pointers(log.path, document, artifacts, log.whole)
    damage = ("the log breaks off",) if log.notes.counts.get("cut") else ()
    return Story(
        builder.acts, builder.files, pointers, damage, builder.agent,
        builder.cwd, builder.partial,
    )  # fmt: skip


def _carries_over(event: Event) -> bool:
    """Whether the event tells of something that stands before the log, or was left out of it."""
    if isinstance(event, Message):
        return event.copied
    if isinstance(event, Mark):
        return event.kind == "compaction"
    return isinstance(event, Begin) and event.continues


def _went_wrong(act: Act) -> bool:
    """Whether a tool that writes says in words that it did not, where the log has no status."""
    unsaid = act.result is not None and act.result.status == "unknown"
    return unsaid and act.is_a("write", "edit", "patch") and _NOT_DONE.match(act.output) is not None


class _Builder:
    def __init__(self, artifacts: Path | None) -> None:
        self.acts: list[Act] = []
        self.partial = False
        self.cwd: str | None = None
        self.agent = ("", "")
        self.files = FilesAtEnd(artifacts)
        self._effects = Effects()
        self._open: dict[str, Act] = {}

    def see(self, event: Event) -> None:
        self.partial = self.partial or _carries_over(event)
        if isinstance(event, Begin) and not event.thread:
            self.cwd = self.cwd or event.cwd
            self.agent = (event.agent, event.model or self.agent[1])
        if isinstance(event, Message):
            if event.text and not event.synthetic and not event.copied:
                self._add(event.source, tidy(event.text), event.anchor)
        elif isinstance(event, Call):
            act = self._add("agent", "", event.anchor)
            act.call = event
            self._open[event.call_id] = act
        opened = self._open.get(event.call_id) if isinstance(event, Result) else None
        if opened is not None and isinstance(event, Result):
            opened.result = event
        for call, _, effect in self._effects.see(event):
            act = self._open[call.call_id]
            if not _went_wrong(act):
                act.effects.append(effect)
                self.files.apply(effect, act.number)

    def end(self) -> None:
        """Calls that nothing answered: what they were to do is known, not that it was done."""
        for call, _, effect in self._effects.end():
            self._open[call.call_id].effects.append(effect)

    def _add(self, who: str, text: str, anchor: Anchor) -> Act:
        act = Act(len(self.acts), who, text, anchor)
        self.acts.append(act)
        return act
