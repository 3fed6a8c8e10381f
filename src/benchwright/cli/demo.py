"""`demo`: the whole way from a spec to a page, with its times, on this machine."""

from __future__ import annotations

import shlex
from contextlib import AbstractContextManager
from pathlib import Path

from benchwright.cli.output import program, refuse_foreign, say, timed

AGENTS = ("oracle", "jumps", "constant", "random", "noop", "forger")
SPEC = "tracebench/demo"
_LAST = "soundness"
"""Judged by the episodes of the run itself, which has every agent that this check asks for."""
_ASKED = {
    "structure": "that nothing is missing or changed",
    "rebuild": "that the set can be made again, to the byte",
    "leaks": "that no answer is found from inside the sandbox",
    "soundness": "what knowing, guessing, idling and forging earn",
}


def demo(out: Path) -> int:
    """Build, check, run, score, report; 1 when the set is unsound or an episode stays owed.

    Raises:
        SpecError: `out` holds something that is no demo.
    """
    refuse_foreign(out, "tasks/taskset.toml")
    say(f"benchwright demo: three simulated systems, {len(AGENTS)} agents, no model, in {out}/")
    box = _sandbox()
    sound = _make(out, box)
    owed = _run(out, box)
    sound = _check(out, box, [_LAST], out / "run") and sound
    from benchwright.cli.show import show

    say("")
    show(out / "run", None, False)
    with timed("page"):
        from benchwright.cli.report import write_report

        index = write_report([out / "run"], out / "report")
    _next_steps(out, index)
    return 0 if sound and (owed == 0 or box == "none") else 1


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
    from benchwright.cli.check import CHECKS
    from benchwright.suites.specs import build_set

    with timed("build the tasks (the first time, simulators are compiled)"):
        build_set(SPEC, out / "tasks", "serial")
    return _check(out, box, [name for name in CHECKS if name != _LAST], None)


def _check(out: Path, box: str, names: list[str], run: Path | None) -> bool:
    from benchwright.cli.check import check_set, lines

    checked = check_set(out / "tasks", ",".join(names), box, _checking, run)
    for line in lines(checked.found):
        say(f"  {line}")
    return not checked.problems


def _checking(name: str) -> AbstractContextManager[None]:
    return timed(f"check {_ASKED.get(name, name)}")


def _run(out: Path, box: str) -> int:
    from benchwright.cli.options import RunArguments
    from benchwright.cli.run import run_set, summary

    agents = [a for a in AGENTS if box == "bwrap" or a != "forger"]
    with timed(f"run and score {len(agents)} agents"):
        result = run_set(RunArguments(out / "tasks", out / "run", agents, sandbox=box))
    say(f"    {summary(result)}")
    return result.owed


def _next_steps(out: Path, index: Path) -> None:
    from benchwright.episodes.folder import RunFolder

    run = RunFolder.open(out / "run")
    told = next((e.id for e in run.episodes() if e.agent.name == "jumps"), "EPISODE")
    say(f"\nThe page: {index.resolve().as_uri()}")
    say("Next:")
    name = shlex.quote(program())
    tasks, mine, runs = (shlex.quote(str(out / part)) for part in ("tasks", "mine", "run"))
    say(f"  {name} show {runs} {told}")
    say(f"  {name} run {tasks} --agent react --model openai/gpt-5.5 --out {mine}")
    own = shlex.quote(str(out / "my-tasks"))
    say(f"  {name} build tracebench/small --out {own}   # or a spec of yours: docs/specs.md")
