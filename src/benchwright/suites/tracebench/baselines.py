"""Reference agents: what a perfect, an absent, a constant, a guessing and a cheating agent get.

They act through a `Workspace` only, as a model's agent does, and leave the file that the task asks
for. `oracle` alone is given the gold. Soundness checks rest on them: oracle 1, noop 0, constant and
random not above chance, forger gains nothing; `jumps` is the cheap method to be beaten.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from benchwright.errors import TaskSetError
from benchwright.isolation.workspace import Workspace
from benchwright.running.desk import Desk
from benchwright.running.model import AgentMaker
from benchwright.suites.tracebench.forger import Forger
from benchwright.suites.tracebench.golds import (
    HeldOut,
    batch_frames,
    heldout_frames,
    true_answers,
)
from benchwright.suites.tracebench.jumps import rule_source
from benchwright.suites.tracebench.rules import (
    APPLY,
    constant_rule,
    frame_key,
    random_rule,
    table_rule,
)
from benchwright.tasks.model import Gold, Task
from benchwright.tasks.taskset import HeldSet

PRIVILEGED = frozenset({"oracle"})
_MINUTES = 10 * 60.0


@dataclass(frozen=True, slots=True)
class Writer:
    """Leaves one file and returns. `content` may hold answers, so `repr` leaves it out."""

    content: bytes = field(repr=False)

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        """Write the submission."""
        await box.write(task.submission.file, self.content)


@dataclass(frozen=True, slots=True)
class Nobody:
    """Does nothing."""

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        """Return at once."""


@dataclass(frozen=True, slots=True)
class RuleUser:
    """Writes a rule; for a direct task it also runs the rule over the test samples in the box."""

    rule: str

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        """Leave rule.py, and results.json where the task asks for it."""
        await box.write("rule.py", self.rule.encode())
        if task.submission.mode == "direct":
            await box.write("apply_rule.py", APPLY.encode())
            command = ("python3", "apply_rule.py", task.submission.file)
            await box.exec(command, timeout_s=_MINUTES)


def oracle(task: Task, gold: Gold | None, trial: int) -> Writer:
    """Knows the truth: writes it, or a rule that recognises every frame it will be asked about."""
    if gold is None:
        raise TaskSetError(
            "the oracle was not given the gold of its task",
            value=task.id,
            where="agent oracle",
            hint="Run it where the held half of the task set is.",
        )
    answers = true_answers(task, gold)
    if task.submission.mode == "direct":
        return Writer(results({name: [label] for name, label in answers.truth.items()}))
    keys = {frame.name: frame_key(frame.values) for frame in batch_frames(task)}
    truth = dict(answers.truth)
    if answers.heldout is not None:
        truth |= answers.heldout.truth
        where = gold.folder.parent.parent
        keys |= _heldout_keys(where, answers.heldout.file, answers.heldout.digest)
    return Writer(table_rule({keys[name]: label for name, label in truth.items()}).encode())


@lru_cache(maxsize=2)
def _heldout_keys(where: Path, file: str, digest: str) -> Mapping[str, str]:
    """Keys of held-out frames by name; kept for the next task, since many share the file."""
    series = heldout_frames(HeldOut(file, digest, {}), HeldSet.open(where))
    return {frame.name: frame_key(frame.values) for frame in series}


def noop(task: Task, gold: Gold | None, trial: int) -> Nobody:
    """Leaves nothing behind."""
    return Nobody()


def constant(task: Task, gold: Gold | None, trial: int) -> Writer:
    """Always answers the first label."""
    first = task.submission.labels[0]
    if task.submission.mode == "programmatic":
        return Writer(constant_rule(first).encode())
    return Writer(results({name: [first] for name in task.submission.samples}))


def random(task: Task, gold: Gold | None, trial: int) -> Writer:
    """Draws a label for every sample, uniformly; seeded by task and trial."""
    labels = task.submission.labels
    seed = f"{task.digest} {trial}"
    if task.submission.mode == "programmatic":
        return Writer(random_rule(seed, labels).encode())
    return Writer(results({name: [_drawn(seed, name, labels)] for name in task.submission.samples}))


def forger(task: Task, gold: Gold | None, trial: int) -> Forger:
    """Claims success in every place that it can write to, during the episode and after it."""
    return Forger()


def jumping(task: Task, gold: Gold | None, trial: int) -> RuleUser:
    """Change points and a few physical rules; without context, not told any, the last label.

    It is told what the prompt tells and no more: which system this is and what labels mean stand in
    a prompt with context only.
    """
    if task.axes.get("context", "full") != "full":
        return RuleUser(constant_rule(task.submission.labels[-1]))
    return RuleUser(rule_source(task.axes["system"], task.submission.labels))


AGENTS: Mapping[str, AgentMaker] = {
    "noop": noop,
    "oracle": oracle,
    "constant": constant,
    "random": random,
    "forger": forger,
    "jumps": jumping,
}


def results(answers: Mapping[str, Sequence[str]]) -> bytes:
    """The content of results.json."""
    return json.dumps({name: list(labels) for name, labels in answers.items()}, indent=1).encode()


def _drawn(seed: str, name: str, labels: Sequence[str]) -> str:
    number = int.from_bytes(sha256(f"{seed} {name}".encode()).digest()[:16])
    return labels[number % len(labels)]
