"""Handing exactly the owed episodes to Inspect's `eval()`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from itertools import groupby

from inspect_ai import eval as inspect_eval

from benchwright.episodes.model import Planned
from benchwright.isolation import living
from benchwright.running import inspect_sandbox as _provider  # registers the sandbox
from benchwright.running import inspect_scripted as _scripted  # registers the model
from benchwright.running.agents import ModelAgent
from benchwright.running.inspect_close import close_torn, close_unlogged, closing
from benchwright.running.inspect_models import open_model, open_solver
from benchwright.running.inspect_task import episode_task
from benchwright.running.ledger import Ledger

_NO_UTF8 = "surrogates not allowed"
"""How Python's encoder puts it, which is all that is left of the reason in Inspect's error."""

__all__ = ["check_agent", "run_owed"]
_REGISTERED = (_provider, _scripted)


def run_owed(ledger: Ledger, owed: Sequence[Planned], parallel: int) -> None:
    """Run every owed episode, grouped by model; returns when each has ended or the run broke.

    Inspect prints to stdout whatever its display is; here that goes to `inspect/console.log`.
    """
    by_model = sorted(owed, key=_opened_together)
    logs = ledger.run.path / "inspect"
    logs.mkdir(exist_ok=True)
    with (
        (logs / "console.log").open("a", encoding="utf-8") as console,
        closing(ledger),
        contextlib.redirect_stdout(console),
    ):
        for _, group in groupby(by_model, key=_opened_together):
            together, known = tuple(group), len(ledger.problems)
            broke = _evaluate(ledger, together, parallel)
            # An evaluation that broke took others with it: each alone shows which one breaks it.
            alone = [p for p in together if not _ended(ledger, p)]
            if alone and len(together) > 1:
                del ledger.problems[known:]
            for planned in alone:
                if len(together) > 1:
                    broke = _evaluate(ledger, (planned,), 1)
                _close_alone(ledger, planned, broke)
    ledger.problems += [f"{name}: {reason}" for name, reason in ledger.unclosed.items()]


def check_agent(agent: ModelAgent, model: str | None) -> None:
    """Refuse a model or own code that cannot be opened here, before anything is planned for it.

    What the code prints goes to stderr: stdout is the answer's.
    """
    with contextlib.redirect_stdout(sys.stderr):
        if model is not None:
            open_model(agent, model)
        if not agent.is_loop:
            open_solver(agent)


def _ended(ledger: Ledger, planned: Planned) -> bool:
    return ledger.run.is_closed(planned.id) or planned.id in ledger.unclosed


def _close_alone(ledger: Ledger, planned: Planned, broke: BaseException | None) -> None:
    """Close an episode that Inspect ran alone and whose agent broke the evaluation itself.

    Either its text cannot be logged, or code of somebody's own ended the event loop.
    """
    if _ended(ledger, planned) or not ledger.problems:
        return
    agent = ledger.brought.get(planned.agent.name)
    if _NO_UTF8 in ledger.problems[-1]:
        closed = close_unlogged(ledger, planned)
    elif agent is not None and not agent.is_loop and _ends_loops(broke):
        closed = close_torn(ledger, planned, f"{type(broke).__name__}: {broke}")
    else:
        return
    if closed:
        ledger.problems.pop()


def _ends_loops(error: BaseException | None) -> bool:
    return error is not None and not isinstance(error, Exception)


def _opened_together(planned: Planned) -> tuple[str, str]:
    """Episodes of one model share an evaluation; an agent with settings of its own has its own."""
    agent = planned.agent
    return agent.model or "", agent.name if agent.settings else ""


def _evaluate(ledger: Ledger, group: tuple[Planned, ...], parallel: int) -> BaseException | None:
    """Run a group; what broke the evaluation as a whole is noted and returned."""
    name, model = group[0].agent.name, group[0].agent.model
    task = episode_task(ledger, group, f"{ledger.tasks.suite}-episodes")
    logs = ledger.run.path / "inspect"
    try:
        with ledger.interruption.evaluation():
            results = inspect_eval(
                task,
                model=open_model(ledger.brought[name], model) if model else "none/none",
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
    except BaseException as error:
        if ledger.interruption.happened:
            raise
        living.end_everything()  # its loop is gone, and nobody else would close its boxes
        living.allow()
        ledger.problems.append(f"evaluation broke: {type(error).__name__}: {error}"[:500])
        return error
    if any(result.status == "cancelled" for result in results):
        raise KeyboardInterrupt
    ledger.problems += [r.error.message[:500] for r in results if r.error is not None]
    return None
