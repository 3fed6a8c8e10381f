"""The error family of benchwright.

Every error says four things: the problem, the offending value, the place, and the next step.
The command line prints them as one line and exits with code 2; nothing else is caught there.

    BenchwrightError
     ├── SpecError           a file or argument written by a person is unusable
     ├── FormatError         a file written by a machine is damaged, or newer than this version
     ├── TaskSetError        a task set is inconsistent, or differs from what a run was planned for
     ├── RunError            a run folder cannot be used or continued
     ├── IsolationError      something untrusted cannot be started in isolation
     ├── SubmissionError     an agent's result file breaks the contract (becomes a scored failure)
     └── MissingExtraError   an optional part is not installed
"""

from __future__ import annotations

import sys
from pathlib import Path

_LONGEST_VALUE = 160


class BenchwrightError(Exception):
    """Base of the family. All four parts are required, so no message lacks its next step."""

    def __init__(self, problem: str, *, value: object, where: object, hint: str) -> None:
        self.problem = problem
        self.value = value
        self.where = str(where)
        self.hint = hint
        super().__init__(problem, value, str(where), hint)

    def __str__(self) -> str:
        said = f"{self.problem}: {_shown(self.value)} ({self.where}). {self.hint}"
        return "".join(map(_sign, " ".join(said.split())))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.problem, self.value, self.where, self.hint)


class SpecError(BenchwrightError):
    """A spec, an experiment or a command-line argument cannot be used as written."""


class FormatError(BenchwrightError):
    """A machine-written file is damaged, of another format, or of a newer number."""


class TaskSetError(BenchwrightError):
    """A task set is inconsistent with itself or with the plan of a run."""


class RunError(BenchwrightError):
    """A run folder cannot be used or continued."""


class IsolationError(BenchwrightError):
    """Isolation cannot be provided here; nothing untrusted was started."""


class SubmissionError(BenchwrightError):
    """A result file of an agent breaks the announced contract; scored as 0 and flagged invalid."""


class MissingExtraError(BenchwrightError):
    """An optional dependency is absent; the hint is the install command."""


def installing(extra: str) -> str:
    """The next step where an extra is missing: a command for a checkout or for a package."""
    root = Path(__file__).resolve().parents[2]
    if not (root / "constraints.txt").is_file():
        return f"Install it: pip install 'benchwright[{extra}]'."
    pins = f"-c {root / 'constraints.txt'} -e '{root}[{extra}]'"
    return f"Install it: {sys.executable} -m pip install {pins}"


def _shown(value: object) -> str:
    """`value` as text that fits a line; nesting or digits without end have no text at all."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        text = type(value).__name__
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."


def _sign(letter: str) -> str:
    """A letter, or its escape where it would act on a terminal or cannot be encoded."""
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()


def _rebuild(
    kind: type[BenchwrightError], problem: str, value: object, where: str, hint: str
) -> BenchwrightError:
    return kind(problem, value=value, where=where, hint=hint)
