"""A small house that every family can ask about: six streams, thirteen weeks, in whole tenths.

As a program: `python -m tests.telemetry.house FOLDER [mixed] [cut] [threads]` builds its set there.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow

from benchwright.suites.telemetry.corpus.load import Corpus
from tests.telemetry.corpora import channel, wide, written
from tests.telemetry.questions import CLASSES, HOUR, at
from tests.telemetry.sets import build_into

START, WEEKS = "2024-01-01", 13
UNITS = ("A", "B", "C", "D")
CONTRACT: dict[str, Any] = {
    "held_out": {
        "unit": {"field": "equipment", "values": ["unit D"]},
        "march": {"windows": [["2024-03-04", "2024-04-08"]]},
    },
    "family": [
        {"name": "point_disambiguation", "held_out": "march"},
        *(
            {"name": name, "held_out": "unit", "site": "equipment"}
            for name in (
                *("exact_value", "nearest_value", "quality_gate", "window_mean"),
                *("daily_aggregate", "period_aggregate"),
            )
        ),
        {"name": "pairwise_comparison", "held_out": "march"},
        {"name": "ranking", "held_out": "march"},
    ],
}
_CLASS = {"f1": {"class": "Flow"}, "f2": {"class": "Flow"}}
Cells = dict[tuple[str, int], str]


def cells() -> Cells:
    """Every reading as text: temperatures of four units, two alike flows of A."""
    found: Cells = {}
    for number, unit in enumerate(UNITS):
        luck = random.Random(number)
        for week in range(WEEKS):
            level = luck.randrange(-30, 30)
            for hour in range(168):
                if (week, hour) == (3 + number, 50) or (hour in (80, 81, 82) and week == 5):
                    continue  # gaps; one is too wide for a nearest reading
                t = at(START) + (week * 168 + hour) * HOUR
                bad = week == 7 + number % 2 and 30 <= hour < 33
                value = "-9.0" if bad else f"{(200 + level + luck.randrange(-9, 10)) / 10}"
                found[f"{unit}.t", t] = value
                if unit == "A":
                    found["A.f1", t] = f"{luck.randrange(1, 50) / 10}"
                    found["A.f2", t] = f"{luck.randrange(1, 50) / 10}"
    return found


def house(
    folder: Path,
    edited: Mapping[tuple[str, int], str] | None = None,
    *,
    mixed: bool = False,
    cut: bool = False,
    most: int | None = None,
) -> Corpus:
    """The corpus; rows in another order, or in two files; some cells changed; few test rows."""
    readings = cells() | dict(edited or {})
    files = {}
    for unit in UNITS:
        columns = ["t", "f1", "f2"] if unit == "A" else ["t"]
        times = sorted(t for stream, t in readings if stream == f"{unit}.t")
        rows = [
            ",".join([str(np.datetime64(t, "ms")), *(readings[f"{unit}.{c}", t] for c in columns)])
            for t in times
        ]
        if mixed:
            random.Random(5).shuffle(rows)
        parts = [rows[:700], rows[700:]] if cut else [rows]
        for index, part in enumerate(parts):
            files[f"{unit}{index}.csv"] = "\n".join([",".join(["time", *columns]), *part, ""])
    sources = [
        _source("A", ["t", "f1", "f2"], files),
        _source("BC", ["t"], files),
        _source("D", ["t"], files, site="annex"),
    ]
    rules = CONTRACT if most is None else _few(most)
    return written(
        folder, files, *sources, **{"class": CLASSES, "contract": rules}, zone="Europe/Berlin"
    )


def _few(most: int) -> dict[str, Any]:
    """The contract with so many rows of each kind, all of them in the test split."""
    quota = {"train": 0, "dev": 0, "test": most}
    return {**CONTRACT, "family": [
        {**family, "quota": quota, "negative": quota} for family in CONTRACT["family"]
    ]}  # fmt: skip


def _source(
    units: str, columns: list[str], files: Mapping[str, str], **more: str
) -> dict[str, Any]:
    rules = [
        channel(c, "{unit}." + c, equipment="unit {unit}", **more, **_CLASS.get(c, {}))
        for c in columns
    ]
    return {
        **wide(name=units, pattern=rf"(?P<unit>[{units}])\d\.csv$", channel=rules),
        "regimes": [{"step_s": 3600}],
        "files": [name for name in files if name[0] in units],
    }


def main(folder: str, *words: str) -> None:
    """Build the set of the house below a folder."""
    if words and words[-1].isdecimal():
        pyarrow.set_cpu_count(int(words[-1]))
    corpus = house(Path(folder) / "data", mixed="mixed" in words, cut="cut" in words)
    build_into(corpus, Path(folder) / "set")


if __name__ == "__main__":
    main(*sys.argv[1:])
