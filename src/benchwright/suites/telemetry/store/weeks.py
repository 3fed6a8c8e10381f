"""Measured weeks between the two passes of a build: on disk, until thresholds are known.

Takes weeks of one stream after the other; gives thresholds of quality, and then every week with its
outcome, a block at a time. Memory is 16 bytes for every week of the training part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from benchwright.suites.telemetry.contract.judge import judge
from benchwright.suites.telemetry.contract.measure import Measures
from benchwright.suites.telemetry.contract.model import Quality
from benchwright.suites.telemetry.contract.periods import Window
from benchwright.suites.telemetry.store.tables import BY_NAME
from benchwright.suites.telemetry.store.thresholds import (
    Threshold,
    Training,
    by_season,
    season_of,
)

_MEASURES: Final = tuple(field.name for field in fields(Measures))
_SCHEMA: Final = pa.schema(
    [f for f in BY_NAME["quality_weeks"].schema if f.name not in ("outcome", "reason")]
)


class Weeks:
    """Weeks of all streams; the file `path` must not exist and is not removed here."""

    def __init__(self, path: Path, quality: Quality) -> None:
        self._path, self._quality = path, quality
        self._training = Training(quality)
        self._writer = pa.ipc.new_stream(str(path), _SCHEMA)

    def add(
        self,
        stream: str,
        windows: Sequence[Window],
        measures: Sequence[Measures],
        training: Sequence[bool],
    ) -> None:
        """Weeks of one stream, and which of them thresholds may be taken of."""
        for window, found, trains in zip(windows, measures, training, strict=True):
            if trains and found.count:
                self._training.add(season_of(window, self._quality), found)
        columns = {
            "stream": [stream] * len(windows),
            "first_day": [w.label for w in windows],
            "start": [w.start for w in windows],
            "end": [w.end for w in windows],
            "training": list(training),
            **{name: [getattr(m, name) for m in measures] for name in _MEASURES},
        }
        self._writer.write_batch(pa.record_batch(columns, schema=_SCHEMA))

    def thresholds(self) -> list[Threshold]:
        """Four numbers per season; nothing can be added afterwards."""
        self._writer.close()
        return self._training.thresholds()

    def judged(self, thresholds: Sequence[Threshold]) -> Iterator[Mapping[str, list[Any]]]:
        """Rows of the table `quality_weeks`, in the order in which weeks were added."""
        seasons = by_season(thresholds)
        with pa.OSFile(str(self._path)) as file, pa.ipc.open_stream(file) as batches:
            for batch in batches:
                rows = batch.to_pylist()
                verdicts = [
                    judge(
                        Measures(**{name: row[name] for name in _MEASURES}),
                        seasons[season_of(_window(row), self._quality)],
                        self._quality,
                    )
                    for row in rows
                ]
                yield {
                    **batch.to_pydict(),
                    "outcome": [v.outcome for v in verdicts],
                    "reason": [v.reason for v in verdicts],
                }


def _window(row: Mapping[str, Any]) -> Window:
    return Window(row["start"], row["end"], row["first_day"])
