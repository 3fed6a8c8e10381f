"""A real, scored run whose agents give themselves away in every way they can, and its rounds."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

from benchwright.diagnosis.cards.key import read_key
from benchwright.diagnosis.cards.sheet import COLUMNS
from benchwright.episodes.folder import RunFolder, close_episode
from benchwright.episodes.model import AgentRecord, End, Episode, Planned, Usage
from benchwright.running.plan import plan_episodes
from benchwright.scoring.rows import rows_of, write_rows
from benchwright.scoring.score import score_episode
from benchwright.scoring.sheets import write_sheet
from benchwright.storage import write_bytes, write_json
from benchwright.suites.tracebench.score import SCORING
from benchwright.tasks.taskset import HeldSet, TaskSet
from benchwright.trajectory.atif import Actor, Call, Step, write_atif

UNKNOWN = Usage(None, None, None, None, None, None, None, None)
AGENTS = (
    AgentRecord("zorbax-runner", "quillon/vexatron-7b", False, "bwrap", "1",
                {"agent": "blorfpack/zibsolve"}),
    AgentRecord("careful", "anthropic/claude-sonnet-5", False, "bwrap", "1"),
)  # fmt: skip
GIVEAWAYS = (
    "I am VEXATRON 7B, made by Quillon. As Claude, I cannot say more.",
    "cd /home/user/.claude/projects && cat ~/.codex/config.toml $GEMINI_HOME/settings.json",
    "User-Agent: claude-cli/2.0.1 (external, cli)\nx-anthropic-version: 2026-01-01",
    ">_ OpenAI Codex (v0.63)\n* Welcome to zorbax runner! * Gemini CLI * gpt-5-mini * opus",
    "model=Vexatron_7b provider=QUILLON zorbaxrunner zibsolve@blorfpack sonnet 5",
)
NAMES = (
    *("zorbax", "vexatron", "quillon", "blorfpack", "zibsolve", "careful"),
    *("claude", "anthropic", "sonnet", "codex", "openai", "gemini", "gpt-5", "opus"),
)
CANARY = "held-canary-5151"


def make_run(tasks: TaskSet, out: Path, trials: int = 3) -> RunFolder:
    """Plan, write what the agents would have left, score, close."""
    planned = {"path": str(tasks.path), "suite": tasks.suite, "digest": tasks.digest}
    plan = plan_episodes(tasks.tasks, AGENTS, trials)
    stated = {"taskset": planned, "agents": AGENTS, "scorer": SCORING.name}
    run = RunFolder.create(out, stated, plan)
    for one in plan:
        _close(tasks, run, one)
    write_rows(out, list(rows_of(run, tasks.task, SCORING)))
    return run


def _close(tasks: TaskSet, run: RunFolder, planned: Planned) -> None:
    task, folder = tasks.task(planned.task_id), run.folder(planned.id)
    answer = {name: [task.submission.labels[-1]] for name in task.submission.samples}
    write_bytes(folder / "artifacts" / task.submission.file, json.dumps(answer).encode())
    write_bytes(folder / "artifacts" / ".claude" / "zorbax-runner.md", GIVEAWAYS[0].encode())
    write_bytes(folder / "artifacts" / "model.bin", b"\0\1claude")
    calls = [
        Call(f"c{n}", "Bash", {"command": said}, f"{planned.id}: {said}")
        for n, said in enumerate(GIVEAWAYS)
    ]
    steps = [
        Step("system", "You are Claude Code, a program of Anthropic. Always be brief."),
        Step("user", task.instruction),
        Step("agent", GIVEAWAYS[0], reasoning=GIVEAWAYS[4], calls=tuple(calls), model_calls=1),
        Step("agent", f"Done, trial {planned.trial}.", model_calls=1),
    ]
    actor = Actor(planned.agent.name, "1", planned.agent.model)
    write_json(folder / "trajectory.json", write_atif(planned.id, actor, steps))
    closed = Episode(
        planned.id, task.id, task.digest, planned.agent, planned.trial, End("returned"), None,
        UNKNOWN, folder,
    )  # fmt: skip
    gold = HeldSet.open(tasks.path).gold(task.id)
    write_sheet(folder, score_episode(SCORING, task, gold, closed))
    close_episode(closed)


def fill(round_: Path, rater: str, cells: Mapping[int, list[Mapping[str, str]]]) -> Path:
    """Write a rater's sheet: for each card its rows, as a spreadsheet would save it."""
    file = round_ / "handout" / rater / "sheet.csv"
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, delimiter=";", restval="")
    writer.writeheader()
    for card in read_key(round_).order[rater]:
        writer.writerows({"card": str(card), **row} for row in cells.get(card, [{}]))
    file.write_bytes(text.getvalue().encode("utf-8-sig"))
    return file


def key_of(round_: Path) -> Mapping[str, str]:
    """Card to episode."""
    return {number: card.subject.id for number, card in read_key(round_).cards.items()}
