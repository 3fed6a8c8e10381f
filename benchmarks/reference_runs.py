"""Runs of reference agents for bars: one task set, one command line, what a run folder holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchwright.episodes.folder import RunFolder
from benchwright.scoring.rows import read_rows
from benchwright.suites.specs import build_set
from benchwright.tasks.taskset import TaskSet

AGENTS = ("oracle", "constant", "random", "noop", "forger")
EPISODES = 200
PARALLEL = 8
_SUMMED = ("input_tokens", "output_tokens", "cost_nano_usd", "tool_calls")

_SPEC = """\
suite = "tracebench"
systems = ["BallDrop", "BounceBall", "MassSlide"]
noise = ["low", "high"]
modes = ["direct"]
seeds = [0]
secret = false
"""


@contextmanager
def direct_tasks() -> Iterator[TaskSet]:
    """Six direct tasks in a temporary folder, removed at the end."""
    with TemporaryDirectory(prefix="bars-") as folder:
        spec = Path(folder) / "spec.toml"
        spec.write_text(_SPEC, encoding="utf-8")
        yield build_set(str(spec), Path(folder) / "tasks", "serial")


def command(tasks: TaskSet, out: Path) -> list[str]:
    """The command line that owes at least 200 episodes of the reference agents."""
    trials = -(-EPISODES // (len(tasks.task_digests) * len(AGENTS)))
    agents = [part for name in AGENTS for part in ("--agent", name)]
    options = ["--trials", str(trials), "--parallel", str(PARALLEL), "--out", str(out)]
    script = "from benchwright.cli import main; main()"
    return [sys.executable, "-c", script, "run", str(tasks.path), *agents, *options]


def finished(line: list[str]) -> int:
    """Run a command to its end, quietly; its exit code."""
    return subprocess.run(line, stdout=subprocess.DEVNULL, check=False).returncode


def sums(run: Path) -> dict[str, object]:
    """What must not depend on kills: counts, tokens, money, tool calls and every score.

    A sum of which a part is unknown is None.
    """
    folder = RunFolder.open(run)
    episodes = list(folder.episodes())
    usage = {name: _sum([getattr(e.usage, name) for e in episodes]) for name in _SUMMED}
    scores = sorted((r.episode_id, r.metric, r.value, r.status) for r in read_rows(run))
    return {"episodes": len(episodes), "usage": usage, "scores": json.dumps(scores)}


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def boxes_left() -> list[str]:
    """Command lines of sandboxes whose host process is dead: the kernel gave them to process 1."""
    return [line for parent, line in _processes() if parent == 1 and _is_box(line)]


def _is_box(line: str) -> bool:
    return line.partition(" ")[0].endswith("bwrap")


def _processes() -> Iterator[tuple[int, str]]:
    """Parent and command line of every process."""
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            raw = Path("/proc", name, "cmdline").read_bytes()
            parent = int(
                Path("/proc", name, "stat")
                .read_text(encoding="utf-8")
                .rpartition(")")[2]
                .split()[1]
            )
        except OSError:
            continue
        yield parent, raw.replace(b"\0", b" ").decode(errors="replace").strip()
