"""Progress on a terminal: it comes and goes in the line of its step, and leaves that whole."""

from __future__ import annotations

import re

from tests.cli.commands import left_on, on_a_terminal

STEP = """
import sys, time
from benchwright.cli.output import Progress, timed
from benchwright.cli.progress import RunProgress
"""
RUN = """
with timed("run", sys.stderr):
    progress = RunProgress("x/inspect")
    time.sleep(1.3)
    progress.end()
"""
COUNT = """
with timed("check", sys.stderr):
    progress = Progress("episodes", 3)
    progress.step()
    progress.end()
"""


def test_the_progress_of_a_run_leaves_its_step_and_where_the_log_is() -> None:
    _, shown = on_a_terminal(STEP + RUN)
    assert "run ... 0 of 0 episodes finished" in shown
    first, step, end = left_on(shown)
    assert (first, end) == ("log in x/inspect", "")
    assert re.fullmatch(r"  run \.\.\. \d\.\d s", step)


def test_a_counter_leaves_its_step() -> None:
    _, shown = on_a_terminal(STEP + COUNT)
    assert "check ... episodes 0/3" in shown and "check ... episodes 1/3" in shown
    step, end = left_on(shown)
    assert re.fullmatch(r"  check \.\.\. \d\.\d s", step) and end == ""


def test_without_a_step_nothing_is_left_of_a_counter() -> None:
    _, shown = on_a_terminal(STEP + "p = Progress('x', 2); p.step(); p.end()")
    assert "x 1/2" in shown and left_on(shown) == [""]
