"""For root: the tests of isolation hold for an ordinary user too."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from benchmarks.ordinary import counted, run_tests, why_not

SHORT = "attack or readable or memory"


@pytest.mark.parametrize(
    ("words", "least"),
    [
        (["tests/isolation/test_box_hostile.py"], 50),
        (["tests/isolation/test_rule_hostile.py", "-k", SHORT], 20),
        pytest.param(["tests/isolation/test_rule_hostile.py"], 40, marks=pytest.mark.slow),
        pytest.param(["tests/isolation/test_box.py"], 25, marks=pytest.mark.slow),
        pytest.param(["tests/isolation/test_rule.py"], 22, marks=pytest.mark.slow),
        pytest.param(["tests/isolation/test_bwrap.py"], 9, marks=pytest.mark.slow),
        pytest.param(["tests/isolation/test_folder.py"], 7, marks=pytest.mark.slow),
        pytest.param(["tests/running/test_sandbox_conformance.py"], 43, marks=pytest.mark.slow),
    ],
)
def test_an_ordinary_user_sees_every_test_pass(
    agent_python: Path, words: list[str], least: int
) -> None:
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    with tempfile.TemporaryDirectory() as home:  # not tmp_path: its parents are closed to others
        code, output = run_tests([*words, "-x"], agent_python, Path(home), other=True)
    assert code == 0, output[-4000:]
    assert counted(output, "passed") >= least
    assert counted(output, "skipped") == 0
