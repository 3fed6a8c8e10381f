"""The table of a run fits its terminal, shows as much as that holds, and ends its lines cleanly."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from benchwright.report.run_table import RunTable, print_run
from benchwright.stats.accuracy import accuracy_table
from benchwright.suites.tracebench.conditions import LAYOUT


@pytest.fixture(scope="module")
def printed(run, tasks):
    """The lines of the table of the run at a width."""
    from benchwright.report.run import RunView
    from benchwright.suites.tracebench.score import SCORING

    view = RunView(run, tasks, SCORING)
    full = (*LAYOUT.conditions, LAYOUT.column)
    table = RunTable(
        accuracy_table(view.attempts, full),
        accuracy_table(view.attempts, LAYOUT.conditions),
        accuracy_table(view.hidden_attempts, LAYOUT.conditions),
    )

    def lines(width: int) -> list[str]:
        out = Console(file=io.StringIO(), width=width, color_system=None, highlight=False)
        print_run(out, table, LAYOUT)
        return out.file.getvalue().splitlines()

    return lines


@pytest.mark.parametrize("width", [80, 100, 120, 160])
def test_no_line_is_wider_than_the_terminal_or_cut_or_ends_in_blanks(printed, width):
    lines = printed(width)
    assert max(map(len, lines)) <= width
    assert [line for line in lines if line != line.rstrip() or "…" in line] == []
    assert sum(line.startswith("oracle*") for line in lines) == 2


def test_eighty_columns_hold_the_interval_of_all_samples(printed):
    (first, *_) = (line for line in printed(80) if line.startswith("oracle*"))
    assert "1.00  0.69–1.00" in first and first.count("–") == 1
    assert "A wider terminal shows every interval." in printed(80)


def test_a_wide_terminal_holds_every_interval(printed):
    *_, last = (line for line in printed(160) if line.startswith("oracle*"))
    assert last.count("–") == 3
    assert not any("wider terminal" in line for line in printed(160))


def test_a_narrow_terminal_still_has_every_share(printed):
    (first, *_) = (line for line in printed(60) if line.startswith("oracle*"))
    assert first.split()[:3] == ["oracle*", "1.00", "1.00"] and "–" not in first
