"""One submitted rule file on many frames; no sample sees another, and each costs only itself.

Takes a file and frames; gives per frame its labels or the reason why there are none. Labels are not
compared with anything here. In a box without network or data one process loads, once, the libraries
that the rule names; a child is forked for every sample and imports the rule's own text, so that
nothing of the rule outlives a sample. Answers come back as JSON of bounded size (design 5.3).
"""

from __future__ import annotations

import random
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from benchwright.canonical import digest_bytes
from benchwright.errors import SubmissionError
from benchwright.isolation.agent_python import ensure_agent_python
from benchwright.isolation.rule_model import Answer, Frame, RuleLimits
from benchwright.isolation.rule_session import Reply, RuleBox, RuleBroken, RuleLost

__all__ = ["Answer", "Frame", "RuleLimits", "run_rule"]

_LARGEST_RULE = 4 * 1024 * 1024


def run_rule(file: Path, frames: Iterable[Frame], limits: RuleLimits) -> Iterator[Answer]:
    """Answers in the order of `frames`; asked in an order drawn from the file's digest.

    Each answer is taken before the next frame is handed in. SubmissionError if `file` is not a
    regular file of at most 4 MiB; IsolationError where no box can start.
    """
    source = _source(file)
    asked = list(frames)
    order = list(range(len(asked)))
    random.Random(digest_bytes(source)).shuffle(order)
    answers: dict[int, Answer] = {}
    runs = _Runs(source, limits, str(ensure_agent_python().root))
    try:
        for index in order:
            answers[index] = runs.answer(asked[index])
    finally:
        runs.close()
    yield from (answers[index] for index in range(len(asked)))


class _Runs:
    """The boxes that one rule goes through, and what is known about it so far."""

    def __init__(self, source: bytes, limits: RuleLimits, python: str) -> None:
        self._source, self._limits, self._python = source, limits, python
        self._deadline = time.monotonic() + limits.total_s
        self._box: RuleBox | None = None
        self._imports = False
        self._broken: str | None = None

    def close(self) -> None:
        """End the current box, if there is one."""
        if self._box is not None:
            self._box.close()
            self._box = None

    def answer(self, frame: Frame) -> Answer:
        """Ask once; a rule that failed to import at its first sample is not asked again."""
        if self._broken is None:
            try:
                return Answer(frame.name, *self._ask(frame))
            except RuleBroken as broken:
                self._broken = str(broken)
            except RuleLost as lost:
                self.close()
                return Answer(frame.name, None, self._late() or str(lost))
        self.close()
        return Answer(frame.name, None, self._broken)

    def _ask(self, frame: Frame) -> Reply:
        late = self._late()
        if late is not None:
            return None, late
        if self._box is None:
            self._box = RuleBox.start(self._source, self._limits, self._python, self._left())
        imported, reply = self._box.ask(frame, self._left())
        if not (imported or self._imports):
            raise RuleBroken(reply[1] or "ImportError: rule.py was not imported")
        self._imports = True
        return reply

    def _late(self) -> str | None:
        if self._left() > 0:
            return None
        return f"TimeoutError: all samples took more than {self._limits.total_s} s"

    def _left(self) -> float:
        return self._deadline - time.monotonic()


def _source(file: Path) -> bytes:
    problem = "is not a regular file"
    with suppress(OSError):
        status = file.lstat()
        if stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST_RULE:
            return file.read_bytes()
        if stat.S_ISREG(status.st_mode):
            problem = f"is larger than {_LARGEST_RULE} bytes"
    raise SubmissionError(
        f"rule {problem}", value=file.name, where=file.parent, hint="Submit one rule.py."
    )
