"""One generic Inspect task for every suite: a sample per episode, agent by name, cleanup last."""

from __future__ import annotations

from collections.abc import Iterable

from inspect_ai import Task as InspectTask
from inspect_ai.agent import AgentState
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import SandboxEnvironmentSpec, sandbox

from benchwright.episodes.model import Planned
from benchwright.isolation.config import BoxConfig
from benchwright.isolation.folder import FolderBox
from benchwright.isolation.workspace import NoWorkspace, Workspace
from benchwright.running.desk import Desk
from benchwright.running.inspect_agents import act_builtin, act_own, act_react
from benchwright.running.inspect_atif import steps_of
from benchwright.running.inspect_border import loggable_messages
from benchwright.running.inspect_collect import collect_episode
from benchwright.running.inspect_operations import meet
from benchwright.running.inspect_sandbox import FILES, BwrapConfig
from benchwright.running.inspect_workspace import SandboxWorkspace
from benchwright.running.ledger import Entry, Ledger
from benchwright.running.plan import needs_box
from benchwright.tasks.model import Task


def episode_task(ledger: Ledger, owed: Iterable[Planned], name: str) -> InspectTask:
    """Inspect's task for exactly the owed episodes; scoring happens when they close."""
    planned = {p.id: p for p in owed}
    tasks = {p.task_id: ledger.tasks.task(p.task_id) for p in planned.values()}
    samples = [
        episode_sample(p.id, tasks[p.task_id], ledger.box if _boxed(p, tasks[p.task_id]) else None)
        for p in planned.values()
    ]

    async def cleanup(state: TaskState) -> None:
        entry = ledger.entries.get(str(state.sample_id))
        if entry is None:
            return
        if ledger.interruption.happened and entry.box is not None:
            await entry.box.close()
        if ledger.interruption.happened or entry.planned.id in ledger.unclosed:
            return
        try:
            await collect_episode(entry, ledger.closer)
        except Exception as error:
            ledger.leave_owed(entry.planned.id, error)

    return InspectTask(
        name=name,
        dataset=MemoryDataset(samples),
        solver=episode_solver(ledger, planned),
        cleanup=cleanup,
    )


def episode_sample(sample_id: str, task: Task, box: BoxConfig | None) -> Sample:
    """A sample of one task; nothing about the gold is in it.

    A box is filled with the task's files when it starts; without one there is no sandbox, and the
    agent's folder is filled when it begins.
    """
    return Sample(
        id=sample_id,
        input=task.instruction,
        sandbox=SandboxEnvironmentSpec("bwrap", BwrapConfig(limits=box)) if box else None,
        metadata={"task": task.id, FILES: str(task.files.resolve()), **task.axes},
    )


@solver
def episode_solver(ledger: Ledger, planned: dict[str, Planned]) -> Solver:
    """Begin the episode in the ledger, then let its agent act."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        entry = ledger.enter(planned[str(state.sample_id)])
        ledger.listener.began(entry.planned)
        if not _opened(ledger, entry, state):
            return state
        brought = ledger.brought.get(entry.planned.agent.name)
        if brought is not None and not brought.is_loop:
            try:
                state = await act_own(state, generate, brought, entry)
            finally:
                _note(entry, state)
            return state
        acting = AgentState(messages=state.messages)
        try:
            if brought is not None:
                await act_react(acting, entry.task, brought, entry.fail)
            else:
                await _act_builtin(ledger, entry, acting)
        finally:
            # A limit or an error ends the episode in the middle: what was said until then counts.
            state.messages = acting.messages
            state.output = acting.output
            _note(entry, state)
        return state

    return solve


def _opened(ledger: Ledger, entry: Entry, state: TaskState) -> bool:
    """Open the conversation of a dialogue; where its store is unusable, the episode stays owed."""
    if entry.task.submission.mode != "dialogue":
        return True
    try:
        entry.desk = Desk(ledger.closer.session(ledger.tasks, entry.task))
    except Exception as error:
        ledger.leave_owed(entry.planned.id, error)
        return False
    state.tools = meet(entry.desk, state.messages)
    return True


def _boxed(planned: Planned, task: Task) -> bool:
    """Whether an episode runs in a box: a dialogue has no files and runs no command."""
    return planned.agent.sandbox == "bwrap" and needs_box(task)


def _note(entry: Entry, state: TaskState) -> None:
    state.messages = loggable_messages(state.messages)
    entry.steps = tuple(steps_of(state.messages, seen=False))


async def _act_builtin(ledger: Ledger, entry: Entry, state: AgentState) -> None:
    name = entry.planned.agent.name
    maker = ledger.closer.suite.agents[name]
    privileged = name in ledger.closer.suite.privileged
    gold = ledger.closer.gold(entry.task) if privileged else None
    agent = maker(entry.task, gold, entry.planned.trial)
    box = await _workspace(entry, ledger.box)
    await act_builtin(state, agent, entry.task, box, entry.desk, entry.fail)


async def _workspace(entry: Entry, config: BoxConfig) -> Workspace:
    if entry.desk is not None:
        return NoWorkspace()
    if entry.planned.agent.sandbox == "bwrap":
        return SandboxWorkspace(sandbox())
    entry.box = FolderBox.start(config)
    for path in sorted(entry.task.files.rglob("*")):
        if path.is_file():
            name = path.relative_to(entry.task.files).as_posix()
            await entry.box.write(name, path.read_bytes())
    return entry.box
