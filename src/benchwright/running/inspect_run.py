"""Handing exactly the owed episodes to Inspect's `eval()`."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from itertools import groupby

from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model

from benchwright.episodes.model import Planned
from benchwright.errors import SpecError
from benchwright.running import inspect_sandbox as _provider  # registers the sandbox
from benchwright.running import inspect_scripted as _scripted  # registers the model
from benchwright.running.inspect_close import closing
from benchwright.running.inspect_task import episode_task
from benchwright.running.ledger import Ledger

__all__ = ["check_model", "run_owed"]
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
            together = tuple(group)
            _evaluate(ledger, together, model, parallel)
            # An evaluation that broke took others with it: each alone shows which one breaks it.
            alone = [p for p in together if not ledger.run.is_closed(p.id)]
            for planned in alone if len(together) > 1 else ():
                _evaluate(ledger, (planned,), model, 1)


def check_model(name: str) -> None:
    """Refuse a model that Inspect cannot open here, before anything is planned for it."""
    try:
        get_model(name)
    except (Exception, SystemExit) as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise SpecError(
            "model cannot be opened",
            value=name,
            where="--model",
            hint=f"Inspect says: {said[:300]}",
        ) from error


def _evaluate(ledger: Ledger, group: tuple[Planned, ...], model: str | None, parallel: int) -> None:
    task = episode_task(ledger, group, f"{ledger.tasks.suite}-episodes")
    logs = ledger.run.path / "inspect"
    try:
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
    except Exception as error:
        ledger.problems.append(f"evaluation broke: {type(error).__name__}: {error}"[:500])
        return
    if any(result.status == "cancelled" for result in results):
        raise KeyboardInterrupt
    ledger.problems += [r.error.message[:500] for r in results if r.error is not None]
