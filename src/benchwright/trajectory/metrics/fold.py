"""One pass over a log to all its figures."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from benchwright.trajectory.digests import Digests
from benchwright.trajectory.events import Begin, Call, Event, Message, Result, Usage
from benchwright.trajectory.files.effects import Effect
from benchwright.trajectory.files.history import Effects
from benchwright.trajectory.log import Log
from benchwright.trajectory.metrics.calls import Calls
from benchwright.trajectory.metrics.commands import Commands
from benchwright.trajectory.metrics.console import Console
from benchwright.trajectory.metrics.made import Made, with_suffix
from benchwright.trajectory.metrics.plots import Plots
from benchwright.trajectory.metrics.printed import Printed
from benchwright.trajectory.metrics.python_code import PythonCode
from benchwright.trajectory.metrics.summary import Figures, Files, Metrics
from benchwright.trajectory.metrics.time import Times, utc
from benchwright.trajectory.metrics.usage import Spending


def measure(log: Log, artifacts: Path | None = None) -> Metrics:
    """The figures of a log in one pass.

    artifacts: the folder that the run left, which then says what images there are.

    Raises:
        FormatError: the log states more cached than prompt tokens.
        MissingExtraError: a shell command is to be read without the extra `logs`.
    """
    fold = MetricsFold(log.dialect.lacks, artifacts)
    for event in log:
        fold.see(event)
    fold.end()
    return fold.metrics()


class MetricsFold:
    """All folds of this folder; pairs calls with results for those that need both."""

    def __init__(self, lacks: Collection[str] = (), artifacts: Path | None = None) -> None:
        self._lacks = lacks
        self._open: dict[str, Call] = {}
        self._effects = Effects()
        self._threads: dict[str, None] = {"": None}
        self._agents: dict[str, None] = {}
        self._models: dict[str, None] = {}
        self._runs, self._sessions = 0, Digests()
        self.calls, self.console, self.spending = Calls(), Console(), Spending()
        self.times, self.commands, self.printed = Times(), Commands(), Printed()
        self.python, self.plots, self.made = PythonCode(), Plots(artifacts), Made()

    def see(self, event: Event) -> None:
        """Take one event."""
        for fold in (self.console, self.spending, self.times, self.made):
            fold.see(event)
        if isinstance(event, Call):
            self._threads.setdefault(event.thread)
            self._open[event.call_id] = event
            self.commands.asked(event)
        elif isinstance(event, Begin):
            self._begin(event)
        elif isinstance(event, Message):
            self._threads.setdefault(event.thread)
            if event.model and event.source == "agent":
                self._models.setdefault(event.model)
        elif isinstance(event, Usage) and event.model:
            self._models.setdefault(event.model)
        for call, result, effect in self._effects.see(event):
            self._effect(call, result, effect)
        if isinstance(event, Result):
            self._result(event)

    def end(self) -> None:
        """The log is over: calls that were never answered are counted as such."""
        for call in self._open.values():
            self._over(call, None)
        self._open.clear()
        self.spending.end()

    def _begin(self, event: Begin) -> None:
        again = event.session is not None and event.session in self._sessions
        self._runs += not (event.thread or again)
        if event.session is not None and not event.thread:
            self._sessions.add(event.session)
        self._threads.setdefault(event.thread)
        self._agents.setdefault(event.agent)
        if event.model:
            self._models.setdefault(event.model)

    def _result(self, result: Result) -> None:
        call = self._open.pop(result.call_id, None)
        self.printed.result(call, result)
        if call is not None:
            self._over(call, result)

    def _over(self, call: Call, result: Result | None) -> None:
        self.calls.over(call, result)
        self.made.over(call, result)
        ran = self.python.ran(call, result)
        status = "missing" if result is None else result.status
        for invocation, _ in ran:
            if invocation.path is not None and status != "refused":
                self.made.ran(invocation.path)
        went = status in ("ok", "unknown")
        saved = [i for _, source in ran if source for i in source.images] if went else []
        self.plots.ran(call, result, saved)

    def _effect(self, call: Call, result: Result | None, effect: Effect) -> None:
        """Pass on what a call did to a file, where it went well."""
        if result is None or result.status not in ("ok", "unknown", "failed"):
            return
        unsaid = result.status == "unknown" and call.kind != "shell"
        if not (effect.certain or unsaid) or effect.kind == "nothing":
            return
        if call.kind != "shell" and result.status == "failed":
            return
        certain = effect if effect.certain else _certain(effect)
        self.python.changed(call, certain)
        self.made.wrote(certain, call)
        self.plots.wrote(certain, call.thread)

    def metrics(self) -> Metrics:
        """The record; complete once the fold has ended."""
        created = tuple(self.made.created)
        return Metrics(
            agents=tuple(self._agents),
            models=tuple(self._models),
            runs=max(1, self._runs),
            first=utc(self.times.first),
            last=utc(self.times.last),
            together=self._figures(None),
            main=self._figures([""]),
            sub_agents={thread: self._figures([thread]) for thread in self._threads if thread},
            tools=self.calls.tools,
            commands=self.commands.uses,
            scripts_not_parsed=self.commands.broken,
            python=self.python.whole,
            cat=self.commands.cat,
            files=Files(
                created, with_suffix(created, ".py"), with_suffix(created, ".json"),
                self.made.executed,
            ),
            numbers_excluded=dict(self.printed.excluded),
            outputs=self.printed.outputs,
        )  # fmt: skip

    def _figures(self, threads: list[str] | None) -> Figures:
        calls = self.calls.of(threads)
        known = "calls" not in self._lacks or bool(self.calls.agents)
        told = known and self.calls.tells_failures(self._lacks)
        inspected = self.plots.inspected(self._agents)
        alone = None if threads is None or list(self._threads) == threads else threads
        main = "" if threads is None else threads[0]

        def count(numbers: dict[str, int]) -> int:
            return sum(n for thread, n in numbers.items() if threads is None or thread in threads)

        return Figures(
            iterations=self.spending.iterations(threads, bounded="answers" not in self._lacks),
            tool_calls=calls.count if known else None,
            failed_calls=calls.failed if told else None,
            refused_calls=calls.refused if told else None,
            unanswered_calls=calls.unanswered if known else None,
            unknown_calls=calls.unknown if known else None,
            python_calls=count(self.python.calls) if known else None,
            python_statements=count(self.python.statements) if known else None,
            plots_generated=count(self.plots.generated()) if known else None,
            plots_inspected=None if inspected is None or not known else count(inspected),
            numeric_values=count(self.printed.values) if known else None,
            console=self.console.share(threads),
            tokens=self.spending.tokens(alone),
            cost=self.spending.cost(alone),
            time=self.times.active(main, self.spending.stated_ms(alone)),
        )


def _certain(effect: Effect) -> Effect:
    from dataclasses import replace

    return replace(effect, certain=True)


def figures_of(events: Iterable[Event], lacks: Collection[str] = ()) -> Metrics:
    """The figures of events that are at hand."""
    fold = MetricsFold(lacks)
    for event in events:
        fold.see(event)
    fold.end()
    return fold.metrics()
