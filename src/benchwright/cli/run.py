"""`run`: agents on a task set."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from typing import Literal

from benchwright.cli.options import RunArguments
from benchwright.cli.output import emit_json, say
from benchwright.cli.progress import RunProgress
from benchwright.episodes.broken import RETRIED
from benchwright.episodes.model import Box, Episode
from benchwright.errors import SpecError
from benchwright.report.words import counted
from benchwright.running.agents import ModelAgent, agent_record, known_agents
from benchwright.running.plan import box_of
from benchwright.running.run import RunRequest, RunResult, run_episodes
from benchwright.suites import open_suite
from benchwright.tasks.taskset import TaskSet


def run(arguments: RunArguments) -> int:
    """Run, then print the table; 1 when episodes are still owed or broke off."""
    out = arguments.out
    result = run_set(arguments)
    if arguments.json:
        emit_json(
            "run",
            {
                "out": out,
                "ran": result.ran,
                "resumed": result.resumed,
                "owed": result.owed,
                "retried": result.retried,
                "broken": broken(result),
                "problems": result.problems,
            },
        )
    else:
        from benchwright.cli.show import show

        show(out, None, False)
        say(summary(result))
        if result.owed and arguments.sandbox == "none":
            say("owed answers by rule need a sandbox: run the set without --sandbox none elsewhere")
        if can_retry(result):
            say("what broke off runs once more with the same line and --retry")
        say(f"next: benchwright report {out} --out {out}-report")
    complaint = what_broke(result)
    if complaint:
        print(f"benchwright: {complaint}", file=sys.stderr)
    return 1 if result.owed or broken(result) else 0


def run_set(arguments: RunArguments) -> RunResult:
    """Run what its folder owes for these arguments, with progress on a terminal."""
    _refuse_number("--trials", arguments.trials, None)
    _refuse_number("--parallel", arguments.parallel, 256)
    tasks = TaskSet.open(arguments.tasks)
    suite = open_suite(tasks.suite)
    box = sandbox_of(tasks, arguments.sandbox)
    known = known_agents(arguments.agent, arguments.agents)
    _refuse_unused_model(arguments, known)
    agents = [agent_record(suite, name, arguments.model, box, known) for name in arguments.agent]
    progress = RunProgress(f"{arguments.out}/inspect")
    request = RunRequest(
        tasks=tasks,
        suite=suite,
        agents=agents,
        brought=list(known.values()),
        trials=arguments.trials,
        parallel=arguments.parallel,
        listener=progress,
        retry=arguments.retry,
        only=(lambda p: _runs_no_rule(tasks, p.task_id)) if box == "none" else (lambda p: True),
    )
    if box == "none" and not all(_runs_no_rule(tasks, name) for name in tasks.task_digests):
        progress.tell(
            "without a sandbox: tasks that ask for a rule stay owed, for no rule runs here"
        )
    try:
        return run_episodes(request, arguments.out)
    finally:
        progress.end()


def _refuse_number(flag: str, value: int, most: int | None) -> None:
    if value < 1 or (most is not None and value > most):
        hint = f"Use 1 to {most}." if most else "Use 1 or more."
        raise SpecError("number cannot be used", value=value, where=flag, hint=hint)


def _refuse_unused_model(arguments: RunArguments, known: Mapping[str, ModelAgent]) -> None:
    takers = [known[name] for name in arguments.agent if name in known]
    if arguments.model is not None and all(agent.model is not None for agent in takers):
        raise SpecError(
            "none of these agents takes a model",
            value=arguments.model,
            where="--model",
            hint="Leave --model out, or add --agent react.",
        )


def summary(result: RunResult) -> str:
    """One line on what happened."""
    line = (
        f"{counted(result.ran, 'episode')} ran, {result.resumed} closed before, {result.owed} owed"
    )
    line += f", {result.retried} had been set aside to run again" if result.retried else ""
    line += "".join(f", {n} broke off: {owner}" for owner, n in broken(result).items())
    return line + "".join(f"\n  problem: {problem}" for problem in result.problems[:5])


def broken(result: RunResult) -> dict[str, int]:
    """Closed episodes that broke off, whoever was to blame; those that met a limit did not."""
    owners = Counter(e.owner for e in result.run.episodes() if _broke(e))
    return {str(owner): count for owner, count in sorted(owners.items(), key=str)}


def can_retry(result: RunResult) -> bool:
    """Whether anything broke off that another attempt may bring to its end."""
    return any(owner in RETRIED for owner in broken(result))


def what_broke(result: RunResult) -> str | None:
    """The most common reason why episodes broke off, with what it befell; one line."""
    found = [episode for episode in result.run.episodes() if _broke(episode)]
    if not found:
        return None
    ended = [result.run.episode(name) for name in result.closed]
    every = bool(ended) and all(map(_broke, ended))
    number = "every episode" if every else counted(len(found), "episode")
    reasons = Counter(_reason(episode) for episode in (ended if every else found))
    (first, _), more = reasons.most_common(1)[0], len(reasons) - 1
    others = f" (and {counted(more, 'other reason')})" if more else ""
    return f"{number} broke off, {' '.join(first.split())}{others}"


def _broke(episode: Episode) -> bool:
    return episode.owner not in (None, "agent") or episode.end.kind in ("error", "killed")


def _reason(episode: Episode) -> str:
    """What went wrong; of an agent's own doing its name is told, and not only that it was one."""
    whose = episode.agent.name if episode.owner == "agent" else episode.owner
    return f"{whose}: {episode.end.reason or episode.end.kind}"


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


def sandbox_of(tasks: TaskSet, name: str) -> Box:
    """What will confine agents on this set; bubblewrap need not start where nothing needs it."""
    if name in ("bwrap", "none") and box_of(tasks.tasks, "none") == "unneeded":
        return "unneeded"
    return sandbox_kind(name)


def _runs_no_rule(tasks: TaskSet, task_id: str) -> bool:
    return tasks.task(task_id).submission.mode != "programmatic"
