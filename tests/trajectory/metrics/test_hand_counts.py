"""The code agrees with what was counted by hand, before it, from the real logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchwright.trajectory.folds import run_folds
from benchwright.trajectory.log import open_log
from benchwright.trajectory.metrics.console import Console, table
from benchwright.trajectory.metrics.fold import measure
from benchwright.trajectory.metrics.numbers import count_by_line, count_values
from benchwright.trajectory.metrics.numbers.display import PLAIN
from benchwright.trajectory.metrics.numbers.shown import display_of
from tests.trajectory.metrics.truth import digest, hand, output

OUTPUTS, SHARES, WHOLE = hand("numbers.json"), hand("shares.json"), hand("whole.json")
SUM = sum(entry["values"] for entry in OUTPUTS)


@pytest.fixture(scope="module")
def logs(shared: Path) -> Path:
    return shared / "logs"


def by_line(entry: dict[str, Any]) -> dict[int, int]:
    spans = entry["lines"]
    return {line: n for first, last, n in spans for line in range(first, last + 1)}


@pytest.mark.parametrize("entry", OUTPUTS, ids=lambda e: f"{e['n']}-{e['dialect']}")
def test_an_output_prints_as_many_values_as_were_counted_in_all_and_by_line(
    logs: Path, entry: dict[str, Any]
) -> None:
    text, call, result = output(logs, entry)
    assert digest(text) == entry["sha256"]
    shown = PLAIN if result is None else display_of(call, result)
    assert count_values(text, shown).count == entry["values"]
    assert count_by_line(text, shown) == by_line(entry)


@pytest.mark.parametrize(
    "entry", [e for e in OUTPUTS if "exec_command" in e["tool"]], ids=lambda e: str(e["n"])
)
def test_what_a_reader_takes_off_an_output_holds_no_value(
    logs: Path, entry: dict[str, Any]
) -> None:
    _, call, result = output(logs, entry)
    assert result is not None
    assert result.wrapper > 0
    assert count_values(result.text or "", display_of(call, result)).count == entry["values"]


@pytest.mark.parametrize("entry", SHARES, ids=lambda e: e["kind"])
def test_the_share_of_console_output_follows_from_the_table_made_by_hand(
    logs: Path, entry: dict[str, Any]
) -> None:
    fold = Console()
    run_folds(open_log(logs / entry["path"]), fold)
    names = entry.get("contexts", ["main"])
    rows = [[names.index(a.thread or "main"), a.console, a.shell, a.prompt] for a in fold.answers()]
    assert rows == entry["table"]
    assert digest(table(fold.answers())) == entry["table_sha256"]
    share = fold.share()
    assert share is not None
    assert share.share == pytest.approx(entry["share"], abs=1e-12)
    assert share.shell_share == pytest.approx(entry["shell_share"], abs=1e-12)
    assert (share.answers, share.lower_bound) == (entry["iterations"], entry["lower_bound"])
    if "main_context" in entry:
        main = fold.share([""])
        assert main is not None
        assert main.share == pytest.approx(entry["main_context"]["share"], abs=1e-12)


COUNTS = ("iterations", "tool_calls", "failed_calls", "unanswered_calls", "python_calls",
          "python_statements", "plots_generated", "plots_inspected")  # fmt: skip


@pytest.mark.parametrize("entry", WHOLE, ids=lambda e: e["path"].replace("/", "-"))
def test_the_figures_of_a_whole_log_are_those_found_by_reading_it(
    logs: Path, entry: dict[str, Any]
) -> None:
    found = measure(open_log(logs / entry["path"]))
    figures, tokens = found.together, found.together.tokens
    # A figure that does not apply is an absent key there, and None here.
    assert {name: getattr(figures, name) for name in COUNTS} == {n: entry.get(n) for n in COUNTS}
    assert entry["tokens"] == {
        "input": tokens.prompt,
        "cached": tokens.cached,
        "cache_creation": tokens.cache_written,
        "output": tokens.completion,
        "reasoning": tokens.reasoning,
    }
    stated = figures.cost.nano_usd if figures.cost.source == "log" else None
    assert stated == (None if entry["cost_usd"] is None else round(entry["cost_usd"] * 1e9))
    assert (found.first, found.last) == (entry["first"], entry["last"])
    active = figures.time.active_ms if figures.time.source == "log" else None
    assert active == entry["stated_active_ms"]
    assert list(found.files.created) == entry["files_created"]


def test_the_hand_counts_are_forty_outputs_five_shares_and_thirteen_logs() -> None:
    assert (len(OUTPUTS), SUM, len(SHARES), len(WHOLE)) == (40, 1079, 5, 13)
