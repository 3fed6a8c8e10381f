"""`run`: plan, resume, run what is owed, close, derive rows; the one way to run a set."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.episodes.broken import set_aside
from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import AgentRecord, Planned, agent_data
from benchwright.errors import RunError, SpecError, TaskSetError
from benchwright.isolation.agent_python import ensure_agent_python
from benchwright.isolation.config import BoxConfig
from benchwright.isolation.rule import RuleLimits
from benchwright.running.agents import ModelAgent, model_agents
from benchwright.running.close import Closer, refuse_mute
from benchwright.running.differences import differences
from benchwright.running.interrupt import Interruption
from benchwright.running.ledger import Ledger
from benchwright.running.listener import Listener
from benchwright.running.model import SuiteParts
from benchwright.running.plan import needs_box, plan_episodes, refuse_too_many
from benchwright.scoring.rows import rows_of, write_rows
from benchwright.tasks.taskset import HeldSet, TaskSet, refuse_inside_a_set


@dataclass(frozen=True)
class RunRequest:
    """What one `run` call asks for."""

    tasks: TaskSet
    suite: SuiteParts
    agents: Sequence[AgentRecord]
    brought: Sequence[ModelAgent] = field(default_factory=lambda: list(model_agents().values()))
    """Agents that bring a model, of which records in `agents` may name some."""
    trials: int = 1
    parallel: int = 8
    rule_limits: RuleLimits = RuleLimits()  # noqa: RUF009 - frozen
    listener: Listener = field(default_factory=Listener)
    only: Callable[[Planned], bool] = lambda planned: True
    """Which owed episodes may start here; the others stay owed (used where bwrap is missing)."""
    retry: bool = False
    """Whether episodes that broke off through provider or sandbox are owed again."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """What happened: episodes run now, closed before, still owed, and why."""

    run: RunFolder
    ran: int
    resumed: int
    owed: int
    problems: tuple[str, ...]
    closed: tuple[str, ...]
    """Ids of the episodes that ran now and have their closing record."""
    retried: int
    """Episodes that had broken off before and were set aside to be run again."""


def run_episodes(request: RunRequest, out: Path) -> RunResult:
    """Run everything that `out` owes for `request`; the same call again resumes.

    With `retry`, what broke off before is moved to `broken/` first and so owed again.

    Raises `TaskSetError` when the held half is not whole, before anything is written, or the set's
    digest is not the one that the run was planned for, and `KeyboardInterrupt` with the signal's
    number when SIGINT, SIGTERM or SIGHUP asked for the end: what was running then is owed.
    """
    _refuse_foreign(out)
    for task in request.tasks.tasks:
        refuse_mute(request.suite, task)
    refuse_too_many(len(request.tasks.task_digests), len(request.agents), request.trials)
    brought = {agent.name: agent for agent in request.brought}
    _refuse_twice(request.agents)
    for record in request.agents:
        if record.name in brought:
            from benchwright.running.inspect_run import check_agent

            check_agent(brought[record.name], record.model)
    _refuse_homeless()
    held = HeldSet.open(request.tasks.path)
    held.verify(request.tasks.task_digests, request.suite.scoring.readable)
    box = box_config() if any(map(needs_box, request.tasks.tasks)) else BoxConfig()
    with _locked(out), Interruption(request.listener.stopping) as interruption:
        run = _open_or_create(request, out)
        run.discard_unfinished()
        retried = set_aside(run, request.only) if request.retry else ()
        before = len(run.plan) - len(run.owed())
        owed = [planned for planned in run.owed() if request.only(planned)]
        closer = Closer(request.suite, held, request.rule_limits)
        ledger = Ledger(request.tasks, closer, run, box, request.listener, brought, interruption)
        request.listener.owed(owed)
        if owed:
            from benchwright.running.inspect_run import run_owed

            run_owed(ledger, owed, request.parallel)
        write_rows(run.path, list(rows_of(run, request.tasks.task, request.suite.scoring)))
    closed = tuple(planned.id for planned in owed if run.is_closed(planned.id))
    left, problems = len(run.owed()), tuple(ledger.problems)
    return RunResult(run, len(closed), before, left, problems, closed, len(retried))


def box_config() -> BoxConfig:
    """The box of every episode: default limits, and the agent's own Python."""
    return BoxConfig(agent_python=str(ensure_agent_python().root))


def _open_or_create(request: RunRequest, out: Path) -> RunFolder:
    for task in request.tasks.tasks:
        request.suite.scoring.metrics(task)  # refuses a task that the suite cannot score
    plan = plan_episodes(request.tasks.tasks, request.agents, request.trials)
    if (out / "run.toml").exists():
        run = RunFolder.open(out)
        _same_set(run, request.tasks)
        run.refuse_other_scorer(request.suite.scoring.name)
        if {p.id for p in run.plan} != {p.id for p in plan}:
            raise RunError(
                "run folder was planned for other agents, settings or trials",
                value="; ".join(differences(run.plan, plan)),
                where=out / "plan.jsonl",
                hint="Repeat the first command, with code as it was, to resume; "
                "or choose another --out.",
            )
        return run
    return RunFolder.create(out, _record(request), plan)


def _refuse_foreign(out: Path) -> None:
    """A folder with something else in it is left as it is. A plan without run.toml was cut off."""
    refuse_inside_a_set(out)
    names = {p.name for p in out.iterdir()} if out.is_dir() else set()
    if "run.toml" not in names and names - {".lock", "plan.jsonl"}:
        raise RunError(
            "output folder exists and is not a run",
            value=str(out),
            where="--out",
            hint="Choose another folder, or remove this one first.",
        )


def _refuse_twice(agents: Sequence[AgentRecord]) -> None:
    names = [agent.name for agent in agents]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(
                "agent is named twice",
                value=name,
                where="--agent",
                hint="Name each once; --trials says how often each of them tries.",
            )


def _refuse_homeless() -> None:
    """Inspect keeps its own state in the user's home and breaks every evaluation without one."""
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        raise RunError(
            "no home folder is known, and Inspect needs one",
            value=home,
            where="HOME",
            hint="Set HOME to a folder that you can write.",
        )


def _same_set(run: RunFolder, tasks: TaskSet) -> None:
    if run.record.taskset.digest != tasks.digest:
        raise TaskSetError(
            "task set differs from the one that this run was planned for",
            value=tasks.digest,
            where=run.path / "run.toml",
            hint="Run the original set, or start a new run with another --out.",
        )


def _record(request: RunRequest) -> dict[str, object]:
    tasks = request.tasks
    named = {agent.name for agent in request.agents}
    return {
        "taskset": {
            "path": str(tasks.path.resolve()),
            "suite": tasks.suite,
            "digest": tasks.digest,
            "marks": tasks.marks,
        },
        "agents": [agent_data(agent) for agent in request.agents],
        "trials": request.trials,
        "scorer": request.suite.scoring.name,
        "about": {a.name: a.doc for a in request.brought if a.doc and a.name in named},
    }


@contextmanager
def _locked(out: Path) -> Iterator[None]:
    """One process per run folder; the lock is the kernel's and dies with its holder."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / ".lock").open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RunError(
                "another process works in this run folder",
                value=str(out),
                where=out / ".lock",
                hint="Wait until it has ended.",
            ) from error
        yield
