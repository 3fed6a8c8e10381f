"""A real task set with episodes whose files were written by hand, and scored by the real scorer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchwright.episodes.folder import RunFolder, close_episode
from benchwright.episodes.model import AgentRecord, End, Episode, Planned, Usage
from benchwright.executors import SerialExecutor
from benchwright.running.plan import plan_episodes
from benchwright.scoring.rows import rows_of, write_rows
from benchwright.scoring.score import score_episode
from benchwright.scoring.sheets import write_sheet
from benchwright.scoring.submission import write_answers
from benchwright.storage import write_bytes, write_json
from benchwright.suites.tracebench.build import build
from benchwright.suites.tracebench.golds import read_gold
from benchwright.suites.tracebench.score import SCORING
from benchwright.suites.tracebench.spec import parse_spec
from benchwright.tasks.taskset import HeldSet, TaskSet
from benchwright.trajectory.atif import Actor, Call, Step, write_atif

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)> {{ 7*7 }}"
UNKNOWN = Usage(None, None, None, None, None, None, None, None)
SPEC = {
    "format": "benchwright.spec/1",
    "suite": "tracebench",
    "systems": ["MassSlide"],
    "noise": ["low"],
    "modes": ["direct", "programmatic"],
    "seeds": [0],
    "recipes": "shipped",
    "secret": False,
}

AGENTS = (
    AgentRecord("oracle", None, True, "bwrap", "1"),
    AgentRecord("blind", None, False, "none", "1"),
    AgentRecord("talker", "scripted/model", False, "bwrap", "1"),
    AgentRecord("unlucky", None, False, "bwrap", "1"),
)


@pytest.fixture(scope="session")
def tasks(tmp_path_factory) -> TaskSet:
    """One system, one noise level, both modes."""
    out = tmp_path_factory.mktemp("sets") / "set"
    return build(parse_spec(SPEC, "tests"), out, SerialExecutor())


@pytest.fixture(scope="session")
def run(tasks, tmp_path_factory) -> RunFolder:
    """The oracle is right, `blind` says no change, `talker` is invalid and hostile, `unlucky` loses
    its sandbox on the direct task and never runs the other."""
    return make_run(tasks, tmp_path_factory.mktemp("runs") / "run")


def make_run(tasks: TaskSet, out: Path) -> RunFolder:
    """Plan, write what the agents would have left, score, close."""
    planned = {"path": str(tasks.path), "suite": tasks.suite, "digest": tasks.digest}
    plan = plan_episodes(tasks.tasks, AGENTS, 1)
    run = RunFolder.create(
        out, {"taskset": planned, "agents": AGENTS, "scorer": SCORING.name}, plan
    )
    for episode in plan:
        task = tasks.task(episode.task_id)
        if episode.agent.name != "unlucky" or task.submission.mode == "direct":
            _close(tasks, run, episode)
    write_rows(out, list(rows_of(run, tasks.task, SCORING)))
    return run


def _close(tasks: TaskSet, run: RunFolder, planned: Planned) -> None:
    task, gold = tasks.task(planned.task_id), HeldSet.open(tasks.path).gold(planned.task_id)
    folder = run.folder(planned.id)
    _submit(folder, planned.agent.name, task, read_gold(gold))
    lost = planned.agent.name == "unlucky"
    end = End("killed", "init died at call 1") if lost else End("returned")
    owner = "sandbox" if lost else None
    call = Call("c1", "exec", {"command": f"cat {HOSTILE}"}, f"no such file: {HOSTILE}")
    steps = [Step("user", task.instruction), Step("agent", HOSTILE, calls=(call,), model_calls=0)]
    actor = Actor(planned.agent.name, "1", planned.agent.model)
    write_json(folder / "trajectory.json", write_atif(planned.id, actor, steps))
    closed = Episode(
        planned.id, task.id, task.digest, planned.agent, 0, end, owner, UNKNOWN, folder
    )
    write_sheet(folder, score_episode(SCORING, task, gold, closed))
    close_episode(closed)


def _submit(folder: Path, agent: str, task, answers) -> None:
    truth = dict(answers.truth) | (dict(answers.heldout.truth) if answers.heldout else {})
    given = {
        "oracle": {name: [label] for name, label in truth.items()},
        "talker": {HOSTILE: "mass"},
    }.get(agent, {name: [task.submission.labels[-1]] for name in truth})
    if task.submission.mode == "direct":
        kept = {n: v for n, v in given.items() if n in answers.truth or agent == "talker"}
        write_bytes(folder / "artifacts" / "results.json", json.dumps(kept).encode())
        return
    write_bytes(folder / "artifacts" / "rule.py", f"# {HOSTILE}\n".encode())
    record = {name: {"labels": list(given.get(name, ()))} for name in truth}
    if agent == "talker":
        record = {name: {"error": f"ValueError: {HOSTILE}"} for name in truth}
    head = {"format": "benchwright.answers/1", "rule": "0" * 64}
    write_answers(folder, {**head, "answers": record})
