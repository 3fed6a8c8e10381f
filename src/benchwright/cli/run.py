"""`run`: agents on a task set."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchwright.cli.output import Progress, emit_json, say
from benchwright.errors import SpecError
from benchwright.running.agents import agent_record, model_agents
from benchwright.running.run import RunRequest, RunResult, run_episodes
from benchwright.suites import open_suite
from benchwright.tasks.taskset import TaskSet


@dataclass(frozen=True, slots=True)
class RunArguments:
    """The command line of `run` without its output."""

    tasks: Path
    agents: tuple[str, ...]
    model: str | None = None
    trials: int = 1
    sandbox: str = "bwrap"
    parallel: int = 8


def run(arguments: RunArguments, out: Path, as_json: bool) -> int:
    """Run, then print the table; 1 when episodes are still owed or broke off."""
    result = run_set(arguments, out)
    if as_json:
        emit_json(
            "run",
            {
                "out": out,
                "ran": result.ran,
                "resumed": result.resumed,
                "owed": result.owed,
                "problems": result.problems,
            },
        )
    else:
        from benchwright.cli.show import show

        show(out, None, False)
        say(summary(result))
        say(f"next: benchwright report {out} --out {out}-report")
    return 1 if result.owed or broken(result) else 0


def run_set(arguments: RunArguments, out: Path) -> RunResult:
    """Run what `out` owes for these arguments, with progress on a terminal."""
    tasks = TaskSet.open(arguments.tasks)
    suite = open_suite(tasks.suite)
    box = sandbox_kind(arguments.sandbox)
    if arguments.model is not None and not set(arguments.agents) & set(model_agents()):
        raise SpecError(
            "none of these agents takes a model",
            value=arguments.model,
            where="--model",
            hint="Leave --model out, or add --agent react.",
        )
    agents = [agent_record(suite, name, arguments.model, box) for name in arguments.agents]
    total = len(tasks.task_digests) * len(agents) * arguments.trials
    progress = Progress(f"log in {out}/inspect; episodes", total)
    request = RunRequest(
        tasks=tasks,
        suite=suite,
        agents=agents,
        trials=arguments.trials,
        parallel=arguments.parallel,
        on_closed=lambda planned, sheet: progress.step(planned.id),
        only=(lambda p: True) if box == "bwrap" else lambda p: _needs_no_box(tasks, p.task_id),
    )
    try:
        return run_episodes(request, out)
    finally:
        progress.end()


def summary(result: RunResult) -> str:
    """One line on what happened."""
    line = f"{result.ran} episodes ran, {result.resumed} were closed before, {result.owed} owed"
    line += "".join(f", {n} broke off: {owner}" for owner, n in broken(result).items())
    return line + "".join(f"\n  problem: {problem}" for problem in result.problems[:5])


def broken(result: RunResult) -> dict[str, int]:
    """Closed episodes that have no score through the fault of another than the agent."""
    owners = Counter(e.owner for e in result.run.episodes() if e.owner not in (None, "agent"))
    return {str(owner): count for owner, count in sorted(owners.items(), key=str)}


def sandbox_kind(name: str) -> Literal["bwrap", "none"]:
    """`bwrap` or `none`; bwrap must start here, else one line says why not."""
    if name == "none":
        return "none"
    if name != "bwrap":
        raise SpecError("unknown sandbox", value=name, where="--sandbox", hint="Use bwrap or none.")
    from benchwright.isolation.bwrap import bwrap_works

    reason = bwrap_works()
    if reason is not None:
        raise SpecError(
            "bubblewrap does not start here",
            value=reason,
            where="--sandbox bwrap",
            hint="See README on bubblewrap; built-in agents also run with --sandbox none.",
        )
    return "bwrap"


def _needs_no_box(tasks: TaskSet, task_id: str) -> bool:
    return tasks.task(task_id).submission.mode != "programmatic"
