"""Who talks in the small dialogues: built-in agents, scripts of a model, and agents of a file."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.agent import Agent as InspectAgent
from inspect_ai.agent import agent, react
from inspect_ai.solver import Generate, Solver, TaskState, solver

from benchwright.isolation.workspace import Workspace
from benchwright.registry import operator_tools
from benchwright.running.desk import Desk
from benchwright.running.model import Agent, AgentMaker
from benchwright.tasks.model import Gold, Task
from benchwright.testing import Reply, Said

OTHER = {"north": "south", "south": "north"}


def knows(desk: Desk) -> None:
    """Asks, reads, replies, twice: all of it right."""
    tank = desk.ask("tank").text.split()[1]
    for name in (tank, OTHER[tank]):
        read = desk.call("level", {"tank": name}).model_dump()
        desk.reply({"metres": read["metres"], "sources": {"handles": [read["handle"]]}})


def stops_early(desk: Desk) -> None:
    """Asks one thing and goes."""
    desk.ask("tank")


def asks_without_end(desk: Desk) -> None:
    """Goes on asking, even after it is over."""
    for _ in range(30):
        desk.ask("tank")


def reads_without_end(desk: Desk) -> None:
    """Goes on reading, even after it is over."""
    for _ in range(45):
        desk.call("level", {"tank": "north"})


def breaks_the_gauge(desk: Desk) -> None:
    """Reads what makes the operation fail, and goes on as if nothing were."""
    desk.call("level", {"tank": "broken"})
    knows(desk)


def falls_over(desk: Desk) -> None:
    """Has a fault of its own in the middle."""
    desk.ask("tank")
    raise ValueError("my own fault")


@dataclass(frozen=True)
class Talker:
    talk: Callable[[Desk], None]

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        assert desk is not None
        self.talk(desk)


class WantsAFolder:
    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        await box.write("results.json", b"{}")


def _maker(made: Agent) -> AgentMaker:
    def make(task: Task, gold: Gold | None, trial: int) -> Agent:
        return made

    return make


TALKS = (knows, stops_early, asks_without_end, reads_without_end, breaks_the_gauge, falls_over)
AGENTS: Mapping[str, AgentMaker] = {
    **{talk.__name__: _maker(Talker(talk)) for talk in TALKS},
    "wants_a_folder": _maker(WantsAFolder()),
}


def answers(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """A model that does as `knows`, from what stands in its conversation."""
    heard = [s.text for s in said if s.role == "tool"]
    if not heard:
        return Reply("Which one?", (("ask_operator", {"slot": "tank"}),))
    if heard[-1].endswith("over.]"):
        return Reply("Done.")
    tank = heard[0].split()[1]
    if len(heard) % 2:
        name = tank if len(heard) == 1 else OTHER[tank]
        return Reply("I look.", (("level", {"tank": name}),))
    read = json.loads(heard[-1])
    sources = {"handles": [read["handle"]]}
    return Reply("So.", (("reply", {"metres": read["metres"], "sources": sources}),))


def tells_its_tools(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """Never calls any, and says their names."""
    return Reply(" ".join(tools))


def calls_askew(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """Arguments that no schema allows and a tool that is not there, then as `answers`."""
    if sum(1 for s in said if s.role == "assistant") == 0:
        odd = ("reply", {"metres": "much"}), ("shout", {"text": "hello"}), ("level", {})
        return Reply("Hm.", odd)
    return answers(tuple(s for s in said if s.text), tools)


def waits_between(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """As `answers`, but stops for long after its first question while the file HOLD exists."""
    hold = Path(os.environ.get("HOLD", "/nonexistent"))
    if any(s.role == "tool" for s in said) and hold.exists():
        hold.with_suffix(".reached").touch()
        time.sleep(600)
    return answers(said, tools)


@agent
def own_loop() -> InspectAgent:
    """A loop of somebody's own with the tools of the episode, named where it is made."""
    return react(tools=[operator_tools()], submit=False)


@solver
def own_solver() -> Solver:
    """Inspect's tool loop with the tools that stand in the state."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await generate(state)

    return solve
