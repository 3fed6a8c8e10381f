"""`store query` tells of doubtful readings beside the answer, which stays as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.cli import exit_code
from tests.telemetry.corpora import channel, wide, written

RULES = {"name": "T", "kind": "instant", "range": [0.0, 50.0], "frozen_hours": 6.0}
WINDOW = ("start=2024-01-01", "end=2024-01-02")


def asked(
    folder: Path, capsys: pytest.CaptureFixture[str], *words: str, **contract: Any
) -> tuple[list[str], dict[str, int]]:
    """Notes and doubts of a day: `a` is stuck for 8 hours and is 99 once, `b` is fine."""
    rows = [f"2024-01-01 {h:02d}:00,{7 if h < 8 else 99 if h == 12 else h},{h}" for h in range(24)]
    channels = [channel(n, n, equipment=f"unit {n}", **{"class": "T"}) for n in "ab"]
    files = {"x.csv": "\n".join(["time,a,b", *rows]) + "\n"}
    source = wide(channel=channels, regimes=[{"step_s": 3600}])
    written(folder, files, source, zone="UTC", contract=contract, **{"class": [RULES]})
    store = folder / "store"
    assert exit_code(["store", "build", str(folder / "corpus.toml"), "--out", str(store)]) == 0
    capsys.readouterr()
    assert exit_code(["store", "query", str(store), *words]) == 0
    notes = [one for one in capsys.readouterr().out.splitlines() if one.startswith("note: ")]
    assert exit_code(["store", "query", str(store), *words, "--json"]) == 0
    return notes, json.loads(capsys.readouterr().out)["doubts"]


@pytest.mark.parametrize(
    "words",
    [
        ("window_mean", "stream_id=a", *WINDOW),
        ("aggregate_period", "stream_id=a", "period=day", "date=2024-01-01"),
        ("compare_window", "stream_a=b", "stream_b=a", *WINDOW),
        ("rank_window", "site=S", "point_class=T", *WINDOW),
    ],
    ids=lambda words: words[0],
)
def test_figures_that_rest_on_doubtful_readings_have_a_note(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes, found = asked(tmp_path, capsys, *words)
    assert found == {"a": {"frozen": 8, "range": 1}}
    assert notes == [
        "note: the figures of a rest on 9 readings in doubt: 8 frozen and 1 out of range"
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("window_mean", "stream_id=b", *WINDOW),
        ("inspect_quality_window", "stream_id=a", *WINDOW),
        ("lookup_observation", "stream_id=a", "timestamp=2024-01-01T12:00:00Z"),
    ],
    ids=lambda words: words[0],
)
def test_answers_without_such_figures_have_none(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(tmp_path, capsys, *words) == ([], {})


def test_what_is_left_out_is_in_no_figure_and_no_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("window_mean", "stream_id=a", *WINDOW)
    _, found = asked(tmp_path, capsys, *words, left_out=["range"])
    assert found == {"a": {"frozen": 8}}
