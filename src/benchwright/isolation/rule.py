"""One submitted rule file on many frames; no sample sees another, and each costs only itself.

Takes a file and frames; gives per frame its labels or the reason why there are none. Labels are not
compared with anything here. The rule is imported once, in a box without network or data, and a
child is forked for every sample (design 5.3); answers come back as JSON of bounded size.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchwright.canonical import digest_bytes
from benchwright.isolation.agent_python import ensure_agent_python
from benchwright.isolation.rule_model import Answer, Frame, RuleLimits
from benchwright.isolation.rule_session import RuleBox, RuleBroken, RuleLost

__all__ = ["Answer", "Frame", "RuleLimits", "run_rule"]

_LARGEST_RULE = 4 * 1024 * 1024


def run_rule(file: Path, frames: Iterable[Frame], limits: RuleLimits) -> Iterator[Answer]:
    """Answers in the order of `frames`; asked in an order drawn from the file's digest.

    Each answer is taken before the next frame is handed in. A rule whose import leaves a thread, a
    process, shared memory or an open file behind is imported anew for every sample, in a new box.
    IsolationError where no box can start.
    """
    source = file.read_bytes()
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
        self._broken: str | None = None
        if len(source) > _LARGEST_RULE:
            self._broken = f"ValueError: rule.py is larger than {_LARGEST_RULE} bytes"

    def close(self) -> None:
        """End the current box, if there is one."""
        if self._box is not None:
            self._box.close()
            self._box = None

    def answer(self, frame: Frame) -> Answer:
        """Ask once; an import that fails is not repeated."""
        if self._broken is None:
            try:
                labels, error = self._ask(frame)
                return Answer(frame.name, labels, error)
            except RuleBroken as broken:
                self._broken = str(broken)
            except RuleLost as lost:
                self.close()
                return Answer(frame.name, None, str(lost))
        self.close()
        return Answer(frame.name, None, self._broken)

    def _ask(self, frame: Frame) -> tuple[tuple[str, ...] | None, str | None]:
        if self._left() <= 0:
            return None, f"TimeoutError: all samples took more than {self._limits.total_s} s"
        if self._box is None:
            self._box = RuleBox.start(self._source, self._limits, self._python, self._left())
        reply = self._box.ask(frame, self._left())
        if not self._box.clean:
            self.close()
        return reply

    def _left(self) -> float:
        return self._deadline - time.monotonic()
