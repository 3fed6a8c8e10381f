"""The changes of files over a log, and the answer to what a file held.

`FileChanges` lists every change in one pass and keeps no text of a file. `reconstruct` reads the
log again for the paths that were asked for, and for those they were moved or copied from.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchwright.trajectory.events import Anchor, Begin, Call, Event, Result
from benchwright.trajectory.files.effects import Effect, Program, tool_effects
from benchwright.trajectory.files.shell_effects import LOST, Ran, shell_effects
from benchwright.trajectory.spool import Spooled
from benchwright.trajectory.tools import argument

WRITERS = ("write", "edit", "patch", "notebook")
"""Kinds of tools that write files."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one path; `status` is the call's, `certain` False where it may not have been.

    A failed, refused or unanswered call of a writing tool is listed with its status and changes
    nothing.
    """

    path: str | None
    kind: str
    status: str
    certain: bool
    call_id: str
    tool: str
    anchor: Anchor
    time: str | None
    thread: str
    to: str | None = None
    why: str = ""
    runs: str | None = None
    """The file of a program that ran."""


_OTHERS = ("mcp", "other", "input")
"""Kinds of tools of which nobody knows what they do."""
_TYPED = ("chars", "input", "text", "keys")
"""Arguments with words for a program that runs."""
_NEW_SHELL = ("codex", "gemini-cli", "opencode")
"""Agents that run each command in a new shell, which starts in the folder of the run."""
_RESET = re.compile(r"^Shell cwd was reset to (.+)$", re.MULTILINE)

_IN_BACKGROUND = ("run_in_background", "is_background", "background")
_STILL_RUNS = re.compile(r"running in (?:the )?background|running with session ID", re.IGNORECASE)

Step = tuple[Call, Result | None, Effect]


class Effects:
    """Events in, effects out: pairs calls with results and follows the folder of each shell."""

    def __init__(self) -> None:
        self._open: dict[str, Call] = {}
        self._cwd: dict[str, str | None] = {}
        self._home: dict[str, str | None] = {}
        self._agent = ""

    def see(self, event: Event) -> Iterator[Step]:
        """The effects that become known with this event; a call alone stays open."""
        if isinstance(event, Begin):
            self._cwd[event.thread] = self._home[event.thread] = event.cwd
            self._agent = event.agent
        elif isinstance(event, Call):
            if event.kind in ("shell", "python", "read", *WRITERS, *_OTHERS):
                self._open[event.call_id] = event
        elif isinstance(event, Result):
            call = self._open.pop(event.call_id, None)
            if call is not None:
                yield from self._of(call, event)

    def end(self) -> Iterator[Step]:
        """Calls that were never answered."""
        for call in self._open.values():
            yield from self._of(call, None)
        self._open.clear()

    def _of(self, call: Call, result: Result | None) -> Iterator[Step]:
        effects = self._shell(call, result) if call.kind == "shell" else None
        if call.kind == "python":
            effects = _python(call, result)
        elif call.kind in _OTHERS:
            effects = _other(call, result)
        for effect in effects if effects is not None else tool_effects(call, result):
            yield call, result, self._placed(effect, call)

    def _shell(self, call: Call, result: Result | None) -> tuple[Effect, ...]:
        command = argument(call.arguments, "command")
        words = isinstance(command, list) and all(isinstance(word, str) for word in command)
        if not words and not isinstance(command, str):
            return ()
        if result is not None and result.status == "refused":
            return ()
        folder = argument(call.arguments, "cwd")
        cwd = self._cwd.get(call.thread, self._cwd.get(""))
        if isinstance(folder, str):
            home = self._home.get(call.thread, self._home.get(""))
            cwd = folder if folder.startswith("/") or home is None else posixpath.join(home, folder)
        ran: Ran = shell_effects(
            command,
            cwd,
            failed=result is not None and result.status == "failed",
            answered=result is not None,
            output=result.text if result else None,
            running=_goes_on(call, result),
        )
        if not isinstance(folder, str) and not words and self._agent not in _NEW_SHELL:
            said = (result.text if result else None) or ""
            reset = _RESET.search(said) if "Shell cwd was reset" in said else None
            stays = ran.cwd if result is not None else LOST
            self._cwd[call.thread] = reset.group(1) if reset else stays
        return ran.effects

    def _placed(self, effect: Effect, call: Call) -> Effect:
        """A relative path of a tool is below the folder that the run began in."""
        cwd = self._home.get(call.thread, self._home.get(""))
        if effect.path is None or effect.path.startswith("/") or not cwd or call.kind == "shell":
            return replace(effect, path=posixpath.normpath(effect.path)) if effect.path else effect
        return replace(effect, path=posixpath.normpath(posixpath.join(cwd, effect.path)))


def _other(call: Call, result: Result | None) -> tuple[Effect, ...]:
    """A tool that nobody listed can write what it names; what is typed runs in another program."""
    if result is not None and result.status in ("failed", "refused"):
        return ()
    typed = call.kind == "input"
    if typed and not any(
        isinstance(call.arguments.get(n), str) and call.arguments[n] for n in _TYPED
    ):
        return ()
    names = json.dumps(dict(call.arguments), ensure_ascii=False, default=str)
    why = "words were typed into a program" if typed else f"the tool {call.name} names it"
    return (Effect("opaque", None, names=names, everything=typed, why=why),)


def _goes_on(call: Call, result: Result | None) -> bool:
    """Whether the command ran beside what follows in the log."""
    asked = any(call.arguments.get(name) is True for name in _IN_BACKGROUND)
    if asked or result is None or not result.text or "unning " not in result.text:
        return asked
    return _STILL_RUNS.search(result.text[-2000:]) is not None


def _python(call: Call, result: Result | None) -> tuple[Effect, ...]:
    code = argument(call.arguments, "command")
    if not isinstance(code, str) or (result is not None and result.status == "refused"):
        return ()
    ran = Program("python", code=code)
    return (Effect("opaque", None, names=code, program=ran, why="a Python program ran"),)


class Changes(Spooled[Change]):
    """Changes in order of the results."""

    def add(self, change: Change) -> None:
        """One more."""
        fields = (getattr(change, name) for name in Change.__slots__)
        self._places.append(
            self._put(tuple(tuple(f) if isinstance(f, Anchor) else f for f in fields))
        )

    def _made(self, number: int) -> Change:
        path, kind, status, certain, call_id, tool, anchor, *rest = self._get(self._places[number])
        return Change(path, kind, status, certain, call_id, tool, Anchor(*anchor), *rest)


_Paths = tuple[dict[str, None], dict[str, None]]
"""Named by an effect; what something was moved or copied to."""


class FileChanges:
    """Fold: every change. They wait in a temporary file; memory grows with the number of paths."""

    def __init__(self) -> None:
        self._effects = Effects()
        self.changes = Changes()
        self._meant: _Paths = ({}, {})
        self._changed: _Paths = ({}, {})

    def see(self, event: Event) -> None:
        """Take one event."""
        for call, result, effect in self._effects.see(event):
            self._add(call, result, effect)

    def end(self) -> None:
        """The log is over: what was never answered is listed too."""
        for call, result, effect in self._effects.end():
            self._add(call, result, effect)

    def _add(self, call: Call, result: Result | None, effect: Effect) -> None:
        if effect.kind == "seen" or (call.kind in _OTHERS and effect.path is None):
            return
        status = result.status if result else "missing"
        for known in (self._meant, self._changed) if effect.kind != "nothing" else (self._meant,):
            for paths, path in zip(known, (effect.path, effect.to), strict=True):
                if path is not None:
                    paths.setdefault(path)
        self.changes.add(
            Change(
                effect.path, effect.kind, status, effect.certain, call.call_id, call.name,
                call.anchor, call.time, call.thread, effect.to, effect.why,
                effect.program.path if effect.program is not None else None,
            )
        )  # fmt: skip

    def paths(self) -> list[str]:
        """Every path that a call was to change, in order of its first one."""
        return list(self._meant[0] | self._meant[1])

    def changed(self) -> list[str]:
        """Those that were changed, or may have been: not all their calls failed or were refused."""
        return list(self._changed[0] | self._changed[1])
