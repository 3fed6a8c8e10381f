"""Python that the agent wrote and ran: calls, statements, libraries, failures, output.

A call is an invocation of the interpreter in a command, or of a tool that runs Python; each counts,
also one that was refused. Statements are those of each distinct source text, once, for the agent
that showed it first: programs of `-c`, here-documents, code of tools, files as written and after
each edit; never files that were only read. facts: tracebench 9.3, 9.4; behaviours 26 to 28, 32.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from benchwright.trajectory.events import Call, Result
from benchwright.trajectory.files.effects import Effect
from benchwright.trajectory.metrics.invocations import Invocation, Mode, invocations
from benchwright.trajectory.metrics.script_texts import ScriptTexts
from benchwright.trajectory.metrics.scripts import script_of
from benchwright.trajectory.metrics.sources import Source, read_source
from benchwright.trajectory.tools import argument

_FAILURE = re.compile(
    r"^[^\S\n]*Traceback \(most recent call last\)"
    r"|^[ ]{0,4}File \"[^\"\n]*\", line \d+\n(?:.*\n){0,3}\s*(?:Syntax|Indentation|Tab)Error\b"
    r"|python[\d.]*: can't open file|python[\d.]*: No module named",
    re.MULTILINE,
)
_GOES_ON = re.compile(
    r"(?:During handling of the above exception|The above exception was the direct cause)[^\n]*\n\n"
    r"Traceback \(most recent"
)


@dataclass(slots=True)
class Script:
    """Calls with one program; output is known of a call that ran alone in its command."""

    executions: int = 0
    lines_of_code: int | None = None
    """None where the program is not in the log."""
    libraries: tuple[str, ...] = ()
    stdout_lines: int = 0
    output_bytes: int = 0


@dataclass(slots=True)
class Python:
    """The block of Python figures."""

    calls: int = 0
    modes: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    """By the tracebacks in the outputs, at most as many as calls."""
    stdout_lines: int = 0
    stderr_lines: int | None = None
    """None where no output is given apart for standard error."""
    output_bytes: int = 0
    statements: int = 0
    sources: int = 0
    """Distinct texts."""
    unparsed: int = 0
    """Of these, those that do not parse, or are too long."""
    libraries: Counter[str] = field(default_factory=Counter)
    """Top-level module: calls whose program imports it."""
    scripts: dict[str, Script] = field(default_factory=dict)
    """By path; programs of the other modes by mode and number."""

    @property
    def lines_of_code(self) -> int | None:
        """Of all programs that are in the log; None where there is none."""
        known = [s.lines_of_code for s in self.scripts.values() if s.lines_of_code is not None]
        return sum(known) if known else None


class PythonCode:
    """Fold: a digest for each source, small figures for each program."""

    def __init__(self) -> None:
        self.whole = Python()
        self.calls: Counter[str] = Counter()
        self.statements: Counter[str] = Counter()
        self._sources: dict[bytes, Source] = {}
        self._names: dict[bytes, str] = {}
        self._numbers: Counter[str] = Counter()
        self._texts = ScriptTexts()

    def changed(self, call: Call, effect: Effect) -> None:
        """A file was written, edited or read, with success."""
        text = self._texts.apply(effect)
        if text is not None:
            self._source(text, call.thread)

    def ran(self, call: Call, result: Result | None) -> Sequence[tuple[Invocation, Source | None]]:
        """A call is over, or was never answered; the invocations in it that count."""
        found = [i for i in _asked(call) if self._counts(i)]
        shown = [(invocation, self._program(invocation, call)) for invocation in found]
        if not found:
            return ()
        whole = self.whole
        whole.calls += len(found)
        self.calls[call.thread] += len(found)
        alone = len(found) == 1
        failed, lines, size = self._output(result, len(found))
        whole.failed += failed
        for invocation, source in shown:
            whole.libraries.update(source.libraries if source else ())
            entry = whole.scripts.setdefault(self._name(invocation), Script())
            entry.executions += 1
            if source is not None:
                entry.lines_of_code, entry.libraries = source.lines, source.libraries
            entry.stdout_lines += lines if alone else 0
            entry.output_bytes += size if alone else 0
        return shown

    def _counts(self, invocation: Invocation) -> bool:
        self.whole.modes[invocation.mode] += 1
        return invocation.mode != "other"

    def _program(self, invocation: Invocation, call: Call) -> Source | None:
        if invocation.text is not None:
            return self._source(invocation.text, call.thread)
        text = self._texts.of(invocation.path) if invocation.path else None
        return self._known(text)[0] if text is not None else None

    def _source(self, text: str, thread: str) -> Source:
        source, new = self._known(text)
        if new:
            self.whole.sources += 1
            self.whole.unparsed += source.statements is None
            self.whole.statements += source.statements or 0
            self.statements[thread] += source.statements or 0
        return source

    def _known(self, text: str) -> tuple[Source, bool]:
        digest = _digest(text)
        source = self._sources.get(digest)
        if source is not None:
            return source, False
        source = self._sources[digest] = read_source(text)
        return source, True

    def _name(self, invocation: Invocation) -> str:
        if invocation.path is not None:
            return invocation.path.removeprefix("./")
        if invocation.text is None:
            return invocation.mode
        digest = _digest(f"{invocation.mode}\0{invocation.text}")
        if digest not in self._names:
            self._numbers[invocation.mode] += 1
            self._names[digest] = f"{invocation.mode}_{self._numbers[invocation.mode]}"
        return self._names[digest]

    def _output(self, result: Result | None, calls: int) -> tuple[int, int, int]:
        """Failures, lines and bytes of the output of a call that ran Python."""
        if result is None or result.text is None or result.status == "refused":
            return 0, 0, 0
        twin: Mapping[str, Any] = (
            result.structured if isinstance(result.structured, Mapping) else {}
        )
        out, err = twin.get("stdout"), twin.get("stderr")
        stdout = out if isinstance(out, str) else result.text
        lines, size = _lines(stdout), len(result.text.encode("utf-8", "replace"))
        self.whole.stdout_lines += lines
        self.whole.output_bytes += size
        if isinstance(err, str):
            self.whole.stderr_lines = (self.whole.stderr_lines or 0) + _lines(err)
        failures = len(_FAILURE.findall(result.text)) - len(_GOES_ON.findall(result.text))
        return min(calls, max(0, failures)), lines, size


def _asked(call: Call) -> list[Invocation]:
    if call.kind == "python":
        code = argument(call.arguments, "command")
        mode: Mode = "tool"
        return [Invocation(mode, code if isinstance(code, str) else None)]
    script = script_of(call)
    return list(invocations(script)) if script is not None else []


def _lines(text: str) -> int:
    return text.count("\n") + (bool(text) and not text.endswith("\n"))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
