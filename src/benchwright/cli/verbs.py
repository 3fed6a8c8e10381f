"""Every verb with its arguments; the work is in the verb's module, imported when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchwright.cli.diagnose_verbs import register_diagnose
from benchwright.cli.log_verbs import register_log
from benchwright.cli.options import (
    AgentsFile,
    Json,
    Moved,
    Out,
    Run,
    RunArguments,
    Sandbox,
    Tasks,
    taking,
)
from benchwright.cli.store_verbs import register_store


def register(app: typer.Typer) -> None:
    """Attach every verb, in the order in which data flows."""
    for verb in (demo, build, check, run, score, show, report):
        app.command()(verb)
    agents = typer.Typer(invoke_without_command=True)
    agents.callback()(agents_alone)
    agents.command("list")(agents_list)
    app.add_typer(agents, name="agents")
    register_diagnose(app)
    register_log(app)
    register_store(app)
    app.callback()(root)


def print_version(asked: bool) -> None:
    """Print the version and end."""
    if asked:
        from benchwright import __version__

        print(f"benchwright {__version__}")
        raise typer.Exit(0)


Version = Annotated[
    bool,
    typer.Option("--version", callback=print_version, is_eager=True, help="Print the version."),
]


def root(version: Version = False) -> None:
    """Make, run, score and diagnose benchmarks for LLM agents on analytical work."""


def demo(out: Out = Path("demo")) -> int:
    """Build, check, run, score and report a small task set; no key, no network, no Docker."""
    from benchwright.cli.demo import demo as verb

    return verb(out)


def build(
    spec: Annotated[str, typer.Argument(help="A shipped spec (tracebench/demo) or a TOML file.")],
    out: Out,
    executor: Annotated[
        str, typer.Option(help="serial, processes, processes:N or dask:ADDRESS.")
    ] = "processes",
    json: Json = False,
) -> int:
    """Make a task set from a spec."""
    from benchwright.cli.build import build as verb

    return verb(spec, out, executor, json)


def check(
    tasks: Tasks,
    only: Annotated[
        str | None,
        typer.Option(
            help="Some of structure, rebuild, leaks, soundness, and the suite's own: shortcuts; "
            "store, audit."
        ),
    ] = None,
    sandbox: Sandbox = "bwrap",
    json: Json = False,
) -> int:
    """Prove a task set sound on the path that agents take; exit 1 when it is not."""
    from benchwright.cli.check import check as verb

    return verb(tasks, only, sandbox, json)


@taking(RunArguments)
def run(arguments: RunArguments) -> int:
    """Run agents on a task set and score them; the same line again resumes."""
    from benchwright.cli.run import run as verb

    return verb(arguments)


def score(
    run: Run,
    verify: Annotated[
        bool,
        typer.Option("--verify", metavar="", help="Score again, list what differs; exit 1 if any."),
    ] = False,
    rerun: Annotated[
        bool,
        typer.Option("--rerun", metavar="", help="Execute rules again; exit 1 if one differs."),
    ] = False,
    tasks: Moved = None,
    json: Json = False,
) -> int:
    """Derive scores and rows of a run from its records alone."""
    from benchwright.cli.score import score as verb

    return verb(run, tasks, verify, rerun, json)


def show(
    run: Run,
    episode: Annotated[str | None, typer.Argument(help="Episode id, or its beginning.")] = None,
    tasks: Moved = None,
    json: Json = False,
) -> int:
    """A run as a table; an episode as a story."""
    from benchwright.cli.show import show_and_tell as verb

    return verb(run, episode, json, tasks)


def report(
    runs: Annotated[list[Path], typer.Argument(help="Run folders.")],
    out: Out,
    tasks: Moved = None,
    json: Json = False,
) -> int:
    """Write runs as static pages that open from a folder."""
    from benchwright.cli.report import report as verb

    return verb(runs, out, json, tasks)


def agents_alone(context: typer.Context, agents: AgentsFile = None, json: Json = False) -> int:
    """Agents that `run --agent` can name: what each is, whether privileged, what it needs."""
    context.obj = (agents, json)
    return 0 if context.invoked_subcommand is not None else agents_list(context)


def agents_list(context: typer.Context, agents: AgentsFile = None, json: Json = False) -> int:
    """Every agent with what it is, whether it is given the answers, and what it needs."""
    from benchwright.cli.agents import agents_list as verb

    before, as_json = context.obj
    return verb(json or as_json, agents or before)
