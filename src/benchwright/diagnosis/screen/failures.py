"""Whether a call failed, by its status, its exit code and the end of its output; and what ran."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchwright.diagnosis.screen.phrases import entries, pattern, template
from benchwright.diagnosis.screen.story import Act
from benchwright.trajectory.metrics.invocations import invocations
from benchwright.trajectory.shell.commands import Command

_LAST = 1500
"""Characters at the end of an output in which its failure is looked for."""
_FAILURE = template("failures", "{failure}", re.MULTILINE)
_BREAKS = template("failures", "{breaks}", re.MULTILINE)
"""The last line of an output that breaks off."""
_ANSWERING = entries("failures", "answering")
_TESTERS = pattern("failures", "testers", re.NOFLAG)
_CHECKER = template(
    "failures",
    r"(?:^|[/\s])({checker_begins}\w*\.(?:py|sh|R|jl|js)|\w+_{checker_ends}\.(?:py|sh|R|jl|js))\b",
    re.NOFLAG,
)
_PROVES = re.compile(
    r"^\s*assert\s|\bunittest\b|\bpytest\b|assert_\w+\(|check_\w+\(|"
    r"sys\.exit\((?!main|run|0)|raise SystemExit|then 'OK'|'FAILED",
    re.MULTILINE,
)
_KEEPS = re.compile(r"\.to_(?:csv|json|parquet)\(|\bdump\(|\.savefig\(|open\([^)]*[\"'][wa]")
SUMMARY = template("failures", "{summary}", re.MULTILINE)
"""What test runners print at their end, whoever started them."""
_LINTERS = pattern("failures", "linters", re.NOFLAG)
_QUERIES = entries("failures", "queries")
_INTERPRETERS = entries("failures", "interpreters")
_BUILDERS = entries("failures", "builders")
_NOTEBOOKS = entries("failures", "notebooks")
_LAUNCHERS = (*_QUERIES, *entries("failures", "launchers"))
_LOOKS = template("failures", r"\s*{looks}\b", re.NOFLAG)
_INLINE = re.compile(
    r"python[\d.]* -c .*(?:\bassert\b|[\"'](?:OK|PASS\w*)[\"'] if .* else)|"
    r"\|\| echo [\"']?\w*:? ?(?:FAIL|invalid|MISMATCH|NOT)",
    re.DOTALL,
)
"""A check that is in the command line itself."""


@dataclass(frozen=True, slots=True)
class Ran:
    """One program that a call ran."""

    key: str
    """Name of its file, of its module, or `inline`."""
    text: str | None
    """Of a program that is in the command itself."""


def failed(act: Act) -> bool | None:
    """Whether the command of a call failed; None where the log does not tell."""
    result = act.result
    if result is None or result.status == "missing":
        return None
    if result.status == "refused":
        return None
    if result.exit_code:
        return not _mild(act, result.exit_code)
    if result.exit_code == 0:
        return _masked(act) and not _cut_by_reader(act) and _BREAKS.search(_tail(act)) is not None
    if result.status == "failed":
        return True
    if not act.output.strip():
        return False if result.status == "ok" else None
    return _FAILURE.search(_tail(act)) is not None


def _tail(act: Act) -> str:
    return "\n".join(act.output[-_LAST:].rstrip().split("\n")[-12:])


def _cut_by_reader(act: Act) -> bool:
    """Whether a program only lost the reader of its output, as `head` leaves it."""
    return "BrokenPipeError" in act.output[-_LAST:] and "|" in act.command


def _masked(act: Act) -> bool:
    """Whether the exit code is that of another command than the one that ran the program."""
    return "|" in act.command or ";" in act.command


def _mild(act: Act, code: int) -> bool:
    """Exit code 1 of a command that answers a question with it."""
    last = [command.name for command in act.commands if command.name]
    return code == 1 and bool(last) and last[-1] in _ANSWERING


def programs(act: Act) -> Iterator[Ran]:
    """Programs in Python, R, Julia or shell that a call ran, in order."""
    if act.is_a("python"):
        yield Ran("inline", act.command)
        return
    script = act.script
    if script is None:
        return
    for invocation in invocations(script):
        if invocation.mode == "script" and invocation.path:
            yield Ran(posixpath.basename(invocation.path), None)
        elif invocation.text is not None:
            yield Ran("inline", invocation.text)
        elif invocation.mode == "module":
            yield Ran(_module(act.command), None)
    for command in script.commands:
        yield from _others(command)


def builds(act: Act) -> bool:
    """Whether the call runs what a build file lists: other programs than those it names."""
    return any(command.name in (*_BUILDERS, "invoke", "bash", "sh") for command in act.commands)


def _module(command: str) -> str:
    found = re.search(r"-m\s+([\w.]+)", command)
    if found is None or found.group(1) in ("pip", "venv", "ensurepip"):
        return "-m"
    return found.group(1).rpartition(".")[2] + ".py"


def _others(command: Command) -> Iterator[Ran]:
    name, words = command.name or "", [w for w in command.words[1:] if w]
    first = (command.words[0] if command.words else None) or ""
    if name in _INTERPRETERS:
        files = [w for w in words if re.search(r"\.(?:R|r|jl|sh|js|m)$", w)]
        if files:
            yield Ran(posixpath.basename(files[0]), None)
    elif name in _LAUNCHERS:
        files = [w for w in words if re.search(r"\.(?:py|sh|sql|cpp|cc|c|rs|f90|go|jar)$", w)]
        sources = [r.target for r in command.redirects if r.operator == "<" and r.target]
        if files or sources or name in _QUERIES:
            yield Ran(posixpath.basename((files + sources or [name])[0]), None)
    elif (first.startswith("./") and not name.endswith((".sh", ".py", ".R"))) or name in _BUILDERS:
        yield Ran(name, None)
    elif name in _NOTEBOOKS:
        books = [w for w in words if w.endswith((".ipynb", ".qmd"))]
        if books:
            yield Ran(posixpath.basename(books[0]), None)
    elif name.endswith((".sh", ".py", ".R")) and first:
        yield Ran(posixpath.basename(name), None)


def check_of(act: Act, texts: Callable[[str], str | None] = lambda _: None) -> str:
    """The check or test that a call runs, as a word to find it by; empty where it runs none.

    texts: text of a script by its name, where it is known; one that only proves is a check.
    """
    if act.output and SUMMARY.search(act.output[-4000:]):
        return "tests"
    command = act.command
    if act.is_a("python"):
        proves = re.search(r"^\s*assert\s|\bvalidate\(", command, re.MULTILINE)
        return "one-liner" if proves and not _KEEPS.search(command) else ""
    if not command:
        return ""
    head = "\n".join([line for line in command.split("\n") if line.strip()][:40])
    if _TESTERS.search(head):
        return "tests"
    if _LOOKS.match(head):
        return ""
    checker = _CHECKER.search(head)
    if checker:
        return checker.group(1)
    for ran in programs(act):
        text = texts(ran.key) if ran.text is None else None
        if text and _PROVES.search(text) and not _KEEPS.search(text):
            return ran.key
    linter = _LINTERS.search(head)
    if linter:
        return linter.group()
    return "one-liner" if _INLINE.search(head) else ""
