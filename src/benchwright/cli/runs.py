"""Runs that are reported together: opened, told apart by name, and described in a few words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchwright.episodes.model import AgentRecord
from benchwright.errors import TaskSetError
from benchwright.report.episode_page import agent_of
from benchwright.report.run import RunView
from benchwright.report.words import broken_words, check_in, counted, owed_words
from benchwright.running.agents import model_agents
from benchwright.stats.accuracy import AgentKey
from benchwright.stats.attempts import Attempt
from benchwright.suites import Suite, open_suite


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A run, and the name that it has among those it is shown with."""

    name: str
    """Empty for a run that is shown alone."""
    view: RunView

    @property
    def attempts(self) -> Iterator[Attempt]:
        """Attempts on samples that were given; the agent's name carries that of the run."""
        return map(self._named, self.view.attempts)

    @property
    def hidden_attempts(self) -> Iterator[Attempt]:
        """The same on held-out samples."""
        return map(self._named, self.view.hidden_attempts)

    def named(self, agent: AgentKey) -> AgentKey:
        """An agent as tables of several runs call it: with the run behind it."""
        return replace(agent, name=self._called(agent.name))

    def _named(self, attempt: Attempt) -> Attempt:
        row = attempt.row
        return replace(attempt, row=replace(row, agent=self._called(row.agent)))

    def _called(self, agent: str) -> str:
        return f"{agent} ({self.name})" if self.name else agent


def open_runs(paths: Sequence[Path], tasks: Path | None = None) -> tuple[NamedRun, ...]:
    """One or more runs of one task set; `tasks` is where that is now, if it was moved.

    Raises:
        TaskSetError: they were planned for different sets, the set changed, or one is named twice.
    """
    names = distinct_names(paths)
    views = [RunView.open(p, lambda suite: open_suite(suite).scoring, tasks) for p in paths]
    digests = sorted({view.tasks.digest[:12] for view in views})
    if len(digests) > 1:
        raise _apart(digests, "Give runs of one task set.")
    named = zip(names if len(views) > 1 else [""], views, strict=True)
    return tuple(NamedRun(name, view) for name, view in named)


def distinct_names(paths: Sequence[Path]) -> list[str]:
    """For each folder the shortest end of its path that no other one has: `first`, or `b/first`."""
    parts = [path.resolve().parts for path in paths]
    if len(set(parts)) < len(parts):
        raise _apart([str(path) for path in paths], "Name each run once.")
    ends = [_ends(own) for own in parts]
    seen = Counter(end for own in ends for end in own)
    return [next(end for end in own if seen[end] == 1) for own in ends]


def in_words(attempt: Attempt, words: Mapping[str, str]) -> Attempt:
    """An attempt with every label in words, for tables that bring tasks together."""
    checks = {name: check_in(check, words) for name, check in attempt.checks.items()}
    return replace(attempt, labels=tuple(words.values()), checks=checks)


def agents_of(runs: Sequence[NamedRun], suite: Suite) -> list[tuple[AgentKey, str]]:
    """Every agent that was planned, named as in tables, and what it is, in its maker's words."""
    found = {
        run.named(agent_of(planned)): _agent_words(planned.agent, run, suite)
        for run in runs
        for planned in run.view.folder.plan
    }
    return sorted(found.items())


def _agent_words(agent: AgentRecord, run: NamedRun, suite: Suite) -> str:
    if agent.name in suite.agents:
        return (suite.agents[agent.name].__doc__ or "").strip().partition("\n")[0]
    said = run.view.folder.record.about.get(agent.name)
    shipped = model_agents().get(agent.name)
    if said or shipped is not None:
        return said or (shipped.doc if shipped else "")
    if "agent" in agent.settings:
        return f"Code of one's own: {agent.settings['agent']}."
    return "An entry of an agents file." if agent.settings else "Not known to this version."


def _ends(parts: Sequence[str]) -> list[str]:
    """Every end of a path, shortest first."""
    return ["/".join(parts[-length:]) for length in range(1, len(parts) + 1)]


def _apart(value: object, hint: str) -> TaskSetError:
    return TaskSetError(
        "these runs cannot share a report", value=value, where="benchwright report", hint=hint
    )


def facts_of(runs: Sequence[NamedRun]) -> dict[str, str]:
    """What was run, as named values for the first page."""
    tasks, several = runs[0].view.tasks, len(runs) > 1
    names = ", ".join(run.name for run in runs)
    plan = [planned for run in runs for planned in run.view.folder.plan]
    closed = sum(1 for run in runs for _ in run.view.folder.episodes())
    return {
        "suite": tasks.suite,
        **({"runs": f"{names}: they stand behind their agents' names"} if several else {}),
        "task set": tasks.digest[:12],
        "tasks": str(len(tasks.tasks)),
        "agents": str(len({(p.agent.name, p.agent.model) for p in plan})),
        "episodes": f"{closed} of {len(plan)} finished",
        "scorer": ", ".join(sorted({run.view.folder.record.scorer for run in runs})),
        **{name: _short(v) for name, v in tasks.marks.items() if not isinstance(v, bool)},
    }


def _short(mark: object) -> str:
    """A mark as text; of a digest the first 12 digits."""
    text = str(mark)
    return text[:12] if re.fullmatch("[0-9a-f]{64}", text) else text


def notices_of(runs: Sequence[NamedRun]) -> list[str]:
    """What a reader must know before the first number."""
    notices = [
        "These pages hold the answers of the task set. Keep them where no agent can read them."
    ]
    if runs[0].view.tasks.marks.get("public"):
        notices[0] = (
            "The seeds of this task set are public, so anyone can rebuild its answers. Use it to "
            "see how things work, and never to compare agents."
        )
    plan = [planned for run in runs for planned in run.view.folder.plan]
    if any(planned.agent.sandbox == "none" for planned in plan):
        notices.append("Some agents ran without a sandbox and are marked so.")
    owed = sum(len(run.view.folder.owed()) for run in runs)
    if owed:
        told = f"{counted(owed, 'episode')} {'is' if owed == 1 else 'are'}"
        notices.append(f"{told} owed. Shares with a dashed frame are bounds, not results.")
    for run in runs:
        notices += [*owed_words(run.view.owed()), *broken_words(run.view.broken())]
    return notices
