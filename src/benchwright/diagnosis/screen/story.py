"""A trajectory as detectors read it: what was said and done in order, and the files at the end.

Made by `reading.read_stories`; asked by detectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchwright.diagnosis.screen.files import FilesAtEnd
from benchwright.diagnosis.screen.pointers import Pointers
from benchwright.diagnosis.screen.words import tidy
from benchwright.trajectory.events import Anchor, Call, Result
from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.files.effects import Effect
from benchwright.trajectory.metrics.scripts import script_of
from benchwright.trajectory.shell.commands import Command, Script
from benchwright.trajectory.tools import argument

LONGEST_SCRIPT = 50_000
"""Characters of a command that is read as shell."""


@dataclass(slots=True)
class Act:
    """Words of somebody (`call` None), or a call with its result and what it did to files."""

    number: int
    """Position in the story, from 0."""
    who: str
    """system, user or agent."""
    text: str
    """The words; of a call empty."""
    anchor: Anchor
    call: Call | None = None
    result: Result | None = None
    effects: list[Effect] = field(default_factory=list)

    @property
    def output(self) -> str:
        """What the call gave back; empty where the log does not keep it."""
        return (self.result.text if self.result else None) or ""

    @property
    def command(self) -> str:
        """Text of the shell command or program that the call runs; empty for other calls."""
        if self.call is None or self.call.kind not in ("shell", "python"):
            return ""
        value = argument(self.call.arguments, "command")
        return tidy(" ".join(map(str, value)) if isinstance(value, list) else str(value or ""))

    @property
    def script(self) -> Script | None:
        """The commands of a shell call; None also for a script of absurd length."""
        value = argument(self.call.arguments, "command") if self.call else None
        if self.call is None or len(str(value)) > LONGEST_SCRIPT:
            return None
        return script_of(self.call)

    @property
    def commands(self) -> Sequence[Command]:
        """The simple commands of a shell call, in order; none of other calls."""
        script = self.script
        return script.commands if script else ()

    @property
    def typed(self) -> str:
        """Every text that the agent itself wrote in this act: words and arguments."""
        if self.call is None:
            return self.text if self.who == "agent" else ""
        return tidy("\n".join(_texts(self.call.arguments)))

    @property
    def path(self) -> str:
        """The file that a reading or writing tool names; empty where there is none."""
        value = argument(self.call.arguments, "path") if self.call else None
        return value if isinstance(value, str) else ""

    def is_a(self, *kinds: str) -> bool:
        """Whether it is a call of one of these kinds."""
        return self.call is not None and self.call.kind in kinds


@dataclass(slots=True)
class Story:
    """One run of one agent."""

    acts: list[Act]
    files: FilesAtEnd
    pointers: Pointers
    damage: tuple[str, ...] = ()
    """What is broken in the log."""
    agent: tuple[str, str] = ("", "")
    """Program and model, where the log names them."""
    cwd: str | None = None
    """Folder that the run began in, where the log says so."""
    partial: bool = False
    """Whether the agent had seen what the log does not hold: then nothing is known to be unseen."""

    def task(self) -> Iterator[Act]:
        """What people and the system told the agent before it first acted."""
        for act in self.acts:
            if act.who == "agent":
                return
            if act.text:
                yield act

    def calls(self, *kinds: str) -> Iterator[Act]:
        """Calls in order, all or of these kinds."""
        return (a for a in self.acts if a.call is not None and (not kinds or a.is_a(*kinds)))

    def notes(self) -> tuple[str, ...]:
        """What of the run could not be read."""
        return (*self.damage, *self.files.unread())

    def agent_name(self) -> str:
        """Program and model, as far as the log names them."""
        return " ".join(part for part in self.agent if part)

    def words(self) -> Iterator[Act]:
        """What agents said, those of a team and sub-agents too."""
        return (a for a in self.acts if a.call is None and a.who == "agent" and a.text)

    def last_words(self) -> Act | None:
        """The last words of the agent, where nothing but an answer to nobody follows them."""
        for act in reversed(self.acts):
            if act.who == "agent" and act.call is None and act.text.strip():
                return act
            if act.is_a("submit"):
                return act
            if act.call is not None:
                return None
        return None

    def at(self, act: Act, quote: str | None = None) -> Evidence:
        """A pointer to an act, to its result where there is one and the quote stands there."""
        anchor = act.anchor
        if act.result is not None and quote and quote in act.output and quote not in act.typed:
            anchor = act.result.anchor
        native = (act.call.native_id or act.call.call_id) if act.call else ""
        return self.pointers.to(anchor, native, quote)

    def place_of(self, path: str, quote: str | None = None) -> Evidence:
        """A pointer to what was handed in: into the folder, else to the act that wrote it."""
        writers = self.files.writers(path)
        if self.files.root is not None or not writers:
            return self.in_file(path, quote)
        act = self.acts[writers[-1]]
        return self.at(act, quote if quote and quote in act.typed else None)

    def in_file(self, path: str, quote: str | None = None) -> Evidence:
        """A pointer to a file among the artifacts, at the line of the quote."""
        return self.files.evidence(path, quote)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
