"""`log metrics`: the figures of a log, as text for people or as one document."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchwright.cli.log import emit, opened, print_notes
from benchwright.errors import SpecError
from benchwright.report.terminal import console, tame
from benchwright.trajectory.log import Log
from benchwright.trajectory.metrics.fold import MetricsFold
from benchwright.trajectory.metrics.profile import Profile
from benchwright.trajectory.metrics.summary import Figures, Metrics
from benchwright.trajectory.prices import price_of, priced_models

_UNKNOWN = "unknown"
_LEAST = "at least "
_MOST = 15


def metrics(
    path: Path, dialect: str | None, artifacts: Path | None, strict: bool, as_json: bool
) -> int:
    """Print the figures; exit 1 where `strict` and a hard rule of the evaluator is broken.

    artifacts: the folder that the run left, which then says what images there are.
    """
    if artifacts is not None and not artifacts.is_dir():
        raise SpecError(
            "no folder of artifacts",
            value=str(artifacts),
            where="--artifacts",
            hint="Give the folder that the run left, or leave the option out.",
        )
    log = opened(path, dialect)
    fold, profile = MetricsFold(log.dialect.lacks, artifacts), Profile()
    for event in log:
        fold.see(event)
        profile.see(event)
    fold.end()
    broken = profile.violations()
    found = fold.metrics()
    if as_json:
        emit("metrics", log, {"metrics": found, "violations": broken})
    else:
        show(console(), log, found)
        print_notes(log)
        if found.together.cost.nano_usd is None:
            print(f"note: cost unknown: {tame(_no_cost(found))}", file=sys.stderr)
    if strict and not as_json:
        for line in broken:
            print(f"broken: {tame(line)}", file=sys.stderr)
    return 1 if strict and broken else 0


def show(out: Console, log: Log, found: Metrics) -> None:
    """The figures of all agents, of each where there are several, then the details."""
    out.print(Text(tame(", ".join(_heading(log, found))), "bold"))
    columns: dict[str, Figures] = {"": found.together}
    if found.sub_agents:
        columns = {"all": found.together, "main": found.main, **_named(found.sub_agents)}
    table = _table(("", *columns))
    table.show_header = len(columns) > 1
    cells = [list(_rows(figures)) for figures in columns.values()]
    for row in zip(*cells, strict=True):
        table.add_row(row[0][0], *(Text(value, _style(value)) for _, value in row))
    out.print(table)
    for title, details in _details(found).items():
        if details:
            _print_details(out, title, details)


def _no_cost(found: Metrics) -> str:
    """Why there is no cost, and what to do."""
    tokens = found.together.tokens
    if not found.models:
        return "the log states none and names no model whose price would tell"
    unpriced = [model for model in found.models if price_of(model) is None]
    if unpriced:
        return (
            f"the log states none, and the price table ({', '.join(priced_models())}) lacks "
            f"{', '.join(unpriced)}; --json has the tokens, to be multiplied by its price"
        )
    if None in (tokens.prompt, tokens.cached, tokens.completion):
        return "the log states none, and not all token counts that a price needs"
    return "the log states none, and the counts of some answers are missing or not complete"


def _heading(log: Log, found: Metrics) -> Iterator[str]:
    yield log.dialect.title
    yield from found.agents
    yield from found.models
    if found.runs > 1:
        yield f"{found.runs} runs"
    if found.first and found.last:
        yield f"{found.first} to {found.last}"


def _named(figures: Mapping[str, Figures]) -> dict[str, Figures]:
    """The first sub-agents by short names, as many as fit a screen."""
    return {f"{tame(name)[:12]}\u200b{n}": part for n, (name, part) in enumerate(figures.items())}


def _rows(figures: Figures) -> Iterator[tuple[str, str]]:
    yield "model iterations", _count(figures.iterations)
    yield "tool calls", _count(figures.tool_calls)
    yield "  failed", _failed(figures)
    yield "  of these refused", _count(figures.refused_calls)
    yield "  unanswered", _count(figures.unanswered_calls)
    yield "  end not stated", _count(figures.unknown_calls)
    yield "Python calls", _count(figures.python_calls)
    yield "Python statements", _count(figures.python_statements)
    yield "plots generated", _count(figures.plots_generated)
    inspected = figures.plots_inspected
    yield "plots inspected", "-" if inspected is None else _count(inspected)
    yield "numeric values printed", _count(figures.numeric_values)
    yield from _shares(figures)
    yield from _spent(figures)
    yield "active time", _seconds(figures.time.active_ms)
    yield "  model", _seconds(figures.time.model_ms)
    yield "  tools", _seconds(figures.time.tools_ms)


def _failed(figures: Figures) -> str:
    """Those that the log tells of; of others it may not say how they ended."""
    if not figures.unknown_calls:
        return _count(figures.failed_calls)
    return _count(figures.failed_calls or None, _LEAST)


def _shares(figures: Figures) -> Iterator[tuple[str, str]]:
    share = figures.console
    if share is None:
        yield from (("console share of input", _UNKNOWN), ("  of commands alone", _UNKNOWN))
        return
    least = _LEAST if share.lower_bound else ""
    part = f" in {share.answers} of {share.answers + share.unknown}" if share.unknown else ""
    yield "console share of input", f"{least}{share.share:.1%}{part}"
    yield "  of commands alone", f"{least}{share.shell_share:.1%}{part}"


def _spent(figures: Figures) -> Iterator[tuple[str, str]]:
    tokens, cost = figures.tokens, figures.cost
    prompt = _LEAST if tokens.prompt_at_least else ""
    completion = _LEAST if tokens.completion_at_least else ""
    yield "prompt tokens", _count(tokens.prompt, prompt)
    yield "  from cache", _count(tokens.cached, _LEAST if tokens.cached_at_least else prompt)
    yield "completion tokens", _count(tokens.completion, completion)
    reasoning = _LEAST if tokens.reasoning_at_least else completion
    yield "  reasoning", _count(tokens.reasoning, reasoning)
    where = {"log": "as stated", "prices": "by price table", None: ""}[cost.source]
    dollars = None if cost.nano_usd is None else f"${cost.nano_usd / 1e9:,.4f} {where}"
    yield "cost", dollars or _UNKNOWN


def _count(number: int | None, least: str = "") -> str:
    return _UNKNOWN if number is None else f"{least}{number:,}"


def _seconds(ms: int | None) -> str:
    return _UNKNOWN if ms is None else f"{ms / 1000:,.1f} s"


def _style(value: str) -> str:
    return "dim" if value in (_UNKNOWN, "-") else ""


def _details(found: Metrics) -> dict[str, list[tuple[str, str]]]:
    tools = sorted(found.tools.items(), key=lambda item: -item[1].count)
    commands = sorted(found.commands.items(), key=lambda item: -item[1].count)
    python = found.python
    return {
        "tools": [(n, f"{u.count:,}" + (f", {u.failed:,} failed" if u.failed else ""))
                  for n, u in tools],
        "commands": [(name, f"{u.count:,} in {u.call_unique:,} calls") for name, u in commands],
        "Python": [(mode.replace("_", " "), f"{n:,}") for mode, n in python.modes.most_common()]
        + ([("failed", f"{python.failed:,}"), ("output lines", f"{python.stdout_lines:,}"),
            ("lines of code", _count(python.lines_of_code))] if python.calls else []),
        "libraries": [(name, f"{n:,}") for name, n in python.libraries.most_common()],
        "files created": [(path, "") for path in found.files.created],
        "Python files run": [(path, f"{n:,}") for path, n in found.files.python_executed.items()],
        "numbers left out": [
            (rule, f"{n:,}") for rule, n in sorted(found.numbers_excluded.items(), key=_by_size)
        ],
    }  # fmt: skip


def _by_size(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _print_details(out: Console, title: str, details: Sequence[tuple[str, str]]) -> None:
    table = _table((title, ""), "left")
    for name, value in details[:_MOST]:
        table.add_row(tame(name)[:100], value)
    if len(details) > _MOST:
        table.add_row(Text(f"and {len(details) - _MOST:,} more", "dim"), "")
    out.print()
    out.print(table)


def _table(columns: Sequence[str], values: Literal["left", "right"] = "right") -> Table:
    options: dict[str, Any] = {"box": None, "pad_edge": False, "padding": (0, 2, 0, 0)}
    table = Table(**options, header_style="bold")
    for number, name in enumerate(columns):
        table.add_column(name.partition("\u200b")[0], justify=values if number else "left")
    return table
