"""Handing exactly the owed episodes to Inspect's `eval()`."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from itertools import groupby

from inspect_ai import eval as inspect_eval

from benchwright.episodes.model import Planned
from benchwright.running import inspect_sandbox as _provider  # registers the sandbox
from benchwright.running import inspect_scripted as _scripted  # registers the model
from benchwright.running.inspect_close import closing
from benchwright.running.inspect_task import episode_task
from benchwright.running.ledger import Ledger

__all__ = ["run_owed"]
_REGISTERED = (_provider, _scripted)


def run_owed(ledger: Ledger, owed: Sequence[Planned], parallel: int) -> None:
    """Run every owed episode, grouped by model; returns when each has ended or the run broke.

    Inspect prints to stdout whatever its display is; here that goes to `inspect/console.log`.
    """
    by_model = sorted(owed, key=lambda p: p.agent.model or "")
    logs = ledger.run.path / "inspect"
    logs.mkdir(exist_ok=True)
    with (
        (logs / "console.log").open("a") as console,
        closing(ledger),
        contextlib.redirect_stdout(console),
    ):
        for model, group in groupby(by_model, key=lambda p: p.agent.model):
            task = episode_task(ledger, tuple(group), f"{ledger.tasks.suite}-episodes")
            results = inspect_eval(
                task,
                model=model or "none/none",
                log_dir=str(logs),
                display="none",
                log_level="error",
                max_samples=parallel,
                max_sandboxes=parallel,
                fail_on_error=False,
                score=False,
                log_realtime=False,
                ctl_server=False,
            )
            ledger.problems += [r.error.message for r in results if r.error is not None]
