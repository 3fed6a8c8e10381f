"""A small suite of dialogues of its own: somebody asks for the water levels of tanks.

A user of the protocols, with a real operator, operation, scorer and set on disk; the same code is
started as a process of its own by the tests that need one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from benchwright.episodes.model import Episode
from benchwright.episodes.session import Called, Replied, read_session
from benchwright.running.agents import agent_record, known_agents
from benchwright.running.model import AgentMaker, Frames, SessionMaker
from benchwright.running.run import RunRequest, RunResult, run_episodes
from benchwright.scoring.model import Score, ScoreSheet, Scoring
from benchwright.storage import read_json
from benchwright.tasks.model import Gold, Submission, Task, TaskLimits
from benchwright.tasks.session import AgentMessage, Operation, Session, Turn
from benchwright.tasks.taskset import HeldSet, TaskSet
from benchwright.tasks.writer import NewTask, SetWriter
from tests.running import talkers

LEVELS = {"north": 3, "south": 5}
SLOTS = ("tank", "unit")
OPENING = "\n\nHow high is the water?"


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Level(Strict):
    """Which tank."""

    tank: str


class Reading(Strict):
    """What stands in it."""

    metres: int
    handle: str


class NoTank(Strict):
    error: str


class Sources(Strict):
    handles: list[str]


class Answer(Strict):
    """Tells the operator the level."""

    metres: int | None = Field(default=None, ge=0)
    sources: Sources | None = None


def level(arguments: BaseModel) -> BaseModel:
    assert isinstance(arguments, Level)
    if arguments.tank == "broken":
        raise OSError("the gauge is on fire")
    found = LEVELS.get(arguments.tank)
    if found is None:
        return NoTank(error="unknown")
    return Reading(metres=found, handle=f"level-{arguments.tank}")


@dataclass
class Keeper:
    """Keeps back which tank is meant, then asks for the other one too, then is content."""

    tank: str
    patience: float = float("inf")
    """How many messages it hears before it breaks down."""
    heard: int = 0
    told: set[str] = field(default_factory=set)
    answers: int = 0

    def step(self, message: AgentMessage | None) -> Turn:
        if message is None:
            return Turn(OPENING.strip(), (), False)
        self.heard += 1
        if self.heard > self.patience:
            raise LookupError("lost my notes")
        if message.slot is not None:
            return self._asked(message.slot)
        if message.text:
            return Turn("I do not read letters.", (), False)
        return self._replied(message.reply or {})

    def _asked(self, slot: str) -> Turn:
        if slot not in SLOTS:
            return Turn("I know nothing of that.", (), False)
        again = "As I said: " if slot in self.told else ""
        self.told.add(slot)
        value = {"tank": f"the {self.tank} tank", "unit": "metres"}[slot]
        return Turn(f"{again}{value}.", (slot,), False)

    def _replied(self, reply: Mapping[str, Any]) -> Turn:
        if not reply:
            return Turn("You said nothing.", (), False)
        self.answers += 1
        if self.answers == 2:
            return Turn("Thank you.", (), True)
        return Turn("And the other tank?", (), False)


def session(tasks: TaskSet, held: HeldSet, task: Task) -> Session:
    gold = read_json(held.gold(task.id).folder / "gold.json")
    return new_session(gold["tank"], gold["patience"] or float("inf"))


def new_session(tank: str, patience: float = float("inf"), **more: Any) -> Session:
    operation = Operation("level", "The level of a tank, in metres.", Level, Reading, level)
    return Session((operation,), Keeper(tank, patience), SLOTS, Answer, **more)


def score(task: Task, gold: Gold, episode: Episode) -> ScoreSheet:
    """Both levels in their order, each told after it was read."""
    first = read_json(gold.folder / "gold.json")["tank"]
    due = [LEVELS[first], *(v for k, v in LEVELS.items() if k != first)]
    read: set[Any] = set()
    told = []
    for exchange in read_session(episode):
        if isinstance(exchange, Called):
            read.add(exchange.answer.get("metres"))
        if isinstance(exchange, Replied) and exchange.reply:
            told.append(exchange.reply.get("metres"))
    right = float(told == due and read >= set(told))
    return ScoreSheet(episode.id, "talk/1", (Score("right", right, "scored"),), ())


def metrics(task: Task) -> tuple[str, ...]:
    return ("right",)


@dataclass(frozen=True)
class Talk:
    """The parts that running needs."""

    scoring: Scoring = field(default_factory=lambda: Scoring("talk/1", score, metrics))
    frames: Frames | None = None
    session: SessionMaker | None = session
    agents: Mapping[str, AgentMaker] = field(default_factory=lambda: talkers.AGENTS)
    privileged: frozenset[str] = frozenset()


def new_task(tank: str, patience: int, told: bool) -> NewTask:
    return NewTask(
        slug=f"level-{tank}",
        cluster=tank,
        axes={"tank": "kept back"},
        instruction=f"Answer the operator with your tools.{OPENING if told else ''}\n",
        files={},
        submission=Submission("dialogue", "reply", ("answer",), ()),
        limits=TaskLimits(wall_s=60),
        gold={"format": "talk.gold/1", "tank": tank, "patience": patience},
    )


def build(out: Path, *, patience: int = 0, suite: str = "talk", told: bool = False) -> TaskSet:
    """Two tasks; the operator of each hears `patience` messages, 0 for as many as there are.

    With `told`, the instruction ends with the operator's first turn.
    """
    writer = SetWriter(out, suite=suite, spec={"tanks": list(LEVELS)}, marks={"public": True})
    for tank in LEVELS:
        writer.add(new_task(tank, patience, told))
    return writer.close(build={"seed": "1", "salt": "s"})


def run(out: Path, tasks: TaskSet, *names: str, model: str | None = None, **more: Any) -> RunResult:
    """Runs agents on a set of this suite, as the command line does."""
    known = known_agents(names)
    records = [agent_record(Talk(), name, model, "unneeded", known) for name in names]
    request = RunRequest(tasks, Talk(), records, brought=list(known.values()), **more)
    return run_episodes(request, out)


def talked(result: RunResult) -> Iterator[bytes]:
    """The records of a run's conversations, in planned order."""
    for episode in result.run.episodes():
        yield (episode.folder / "session.jsonl").read_bytes()


if __name__ == "__main__":
    place, agent, *models = sys.argv[1:]
    opened = TaskSet.open(Path(place) / "tasks")
    run(Path(place) / "run", opened, agent, model=models[0] if models else None)
