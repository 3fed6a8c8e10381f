"""The screen on real agent logs: it reads them all, and has next to nothing against them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchwright.diagnosis.screen.run import Screened, screen
from benchwright.errors import FormatError

NOT_LOGS = 3
"""Files of the folder that are of no known dialect."""


@pytest.fixture(scope="module")
def screened(shared: Path) -> dict[str, list[Screened]]:
    folder = shared / "logs"
    if not folder.is_dir():
        pytest.skip("the real logs are not here")
    found: dict[str, list[Screened]] = {}
    for path in sorted(folder.rglob("*.json*")) + sorted(folder.rglob("*.eval")):
        try:
            found[str(path.relative_to(folder))] = screen(path)
        except FormatError:
            continue
    return found


def test_every_log_is_read(screened: dict[str, list[Screened]], shared: Path) -> None:
    files = [p for p in (shared / "logs").rglob("*") if p.suffix in (".json", ".jsonl", ".eval")]
    assert len(files) - len(screened) <= NOT_LOGS and len(screened) > 100


def test_every_pointer_of_every_finding_resolves(screened: dict[str, list[Screened]]) -> None:
    assert [name for name, runs in screened.items() if any(run.dropped for run in runs)] == []


def test_of_twenty_logs_at_most_one_has_a_verdict(screened: dict[str, list[Screened]]) -> None:
    with_one = [name for name, runs in screened.items() if any(run.verdicts for run in runs)]
    assert 20 * len(with_one) <= len(screened), with_one


def test_a_team_that_went_on_after_its_code_had_failed_is_found(
    screened: dict[str, list[Screened]],
) -> None:
    (run,) = screened["annotated_whowhen/Algorithm-Generated_110.json"]
    assert [f.detector for f in run.verdicts] == ["last-run-failed"]
