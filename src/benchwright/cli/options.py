"""Options that several verbs share, and the record of the verb that has many."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Annotated, TypeVar, get_type_hints

import typer

from benchwright.errors import SpecError

R = TypeVar("R")

Json = Annotated[bool, typer.Option("--json", metavar="", help="One JSON document on stdout.")]


def _utf8(path: Path) -> Path:
    """Records name their folder as text, so a name that is none is refused before any work."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise SpecError(
            "name of the output is not UTF-8",
            value=os.fsencode(path),
            where="--out",
            hint="Choose a name of whole characters.",
        ) from error
    return path


Out = Annotated[Path, typer.Option("--out", help="Folder to write.", callback=_utf8)]
Tasks = Annotated[Path, typer.Argument(help="Task set folder.")]
Run = Annotated[Path, typer.Argument(help="Run folder.")]
Sandbox = Annotated[str, typer.Option(help="bwrap, or none (built-in agents only, marked).")]
Moved = Annotated[Path | None, typer.Option("--tasks", help="Task set, if it was moved.")]
Agents = Annotated[
    list[str],
    typer.Option(help="Agent name, package/solver or file.py@solver; repeat for several."),
]
AgentsFile = Annotated[
    Path | None, typer.Option("--agents", help="Your agents.toml, whose entries --agent can name.")
]
Model = Annotated[
    str | None, typer.Option(help="Model of agents that bring none, as Inspect names it.")
]
Trials = Annotated[int, typer.Option(help="Attempts per task and agent.")]
Parallel = Annotated[int, typer.Option(help="Episodes at a time, at most 256.")]
Retry = Annotated[
    bool,
    typer.Option("--retry", metavar="", help="Run again what broke off by provider or sandbox."),
]


@dataclass(frozen=True, slots=True)
class RunArguments:
    """The command line of `run`."""

    tasks: Tasks
    out: Out
    agent: Agents
    agents: AgentsFile = None
    model: Model = None
    trials: Trials = 1
    sandbox: Sandbox = "bwrap"
    parallel: Parallel = 8
    retry: Retry = False
    json: Json = False


def taking(record: Callable[..., R]) -> Callable[[Callable[[R], int]], Callable[..., int]]:
    """A verb of one record as a verb with an option for each of the record's fields."""
    hints = get_type_hints(record, include_extras=True)
    own = {f.name: f.default for f in fields(record)}  # type: ignore[arg-type]

    def parameter(name: str) -> inspect.Parameter:
        default = inspect.Parameter.empty if own[name] is MISSING else own[name]
        kind = inspect.Parameter.KEYWORD_ONLY
        return inspect.Parameter(name, kind, default=default, annotation=hints[name])

    def attach(verb: Callable[[R], int]) -> Callable[..., int]:
        def call(**given: object) -> int:
            return verb(record(**given))

        call.__name__, call.__doc__ = verb.__name__, verb.__doc__
        call.__annotations__ = hints
        call.__signature__ = inspect.Signature([parameter(name) for name in own])  # type: ignore[attr-defined]
        return call

    return attach
