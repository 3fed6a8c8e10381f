"""`demo`: the whole way from a spec to a page, with its times, on this machine."""

from __future__ import annotations

from pathlib import Path

from benchwright.cli.output import program, say, timed

AGENTS = ("oracle", "jumps", "constant", "random", "noop", "forger")
SPEC = "tracebench/demo"


def demo(out: Path) -> int:
    """Build, check, run, score, report; 1 when the set is unsound or an episode stays owed."""
    say(f"benchwright demo: three simulated systems, {len(AGENTS)} agents, no model, in {out}/")
    box = _sandbox()
    sound = _make(out, box)
    result = _run(out, box)
    from benchwright.cli.show import show

    say("")
    show(out / "run", None, False)
    with timed("page"):
        from benchwright.cli.report import write_report

        index = write_report([out / "run"], out / "report")
    _next_steps(out, index)
    return 0 if sound and (result == 0 or box == "none") else 1


def _sandbox() -> str:
    from benchwright.isolation.bwrap import bwrap_works

    reason = bwrap_works()
    if reason is None:
        return "bwrap"
    say(f"  bubblewrap does not start here ({reason});")
    say("  built-in agents run without a sandbox, the forger is left out, and programmatic tasks")
    say("  stay owed. Table and page say so.")
    return "none"


def _make(out: Path, box: str) -> bool:
    from benchwright.checks.model import Problem
    from benchwright.cli.check import check_set, lines
    from benchwright.suites.specs import build_set

    with timed("build the tasks"):
        build_set(SPEC, out / "tasks", "serial")
    with timed("check them: structure, rebuild, leaks, what trivial agents earn"):
        found = check_set(out / "tasks", "", box)
    for line in lines(found):
        say(f"  {line}")
    return not any(isinstance(f, Problem) for f in found)


def _run(out: Path, box: str) -> int:
    from benchwright.cli.run import RunArguments, run_set, summary

    agents = tuple(a for a in AGENTS if box == "bwrap" or a != "forger")
    with timed(f"run and score {len(agents)} agents"):
        result = run_set(RunArguments(out / "tasks", agents, sandbox=box), out / "run")
    say(f"    {summary(result)}")
    return result.owed


def _next_steps(out: Path, index: Path) -> None:
    from benchwright.episodes.folder import RunFolder

    run = RunFolder.open(out / "run")
    told = next((e.id for e in run.episodes() if e.agent.name == "jumps"), "EPISODE")
    say(f"\nThe page: {index.resolve().as_uri()}")
    say("Next:")
    name = program()
    say(f"  {name} show {out}/run {told}")
    say(f"  {name} run {out}/tasks --agent react --model openai/gpt-5.5 --out {out}/mine")
    say(f"  {name} build my.toml --out {out}/my-tasks   # docs/specs.md: what a spec holds")
