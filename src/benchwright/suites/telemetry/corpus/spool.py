"""Readings on their way from files to streams, on disk once they are many.

Takes parts in the order of files; gives all parts of one stream. Memory is bounded by a number of
readings; beyond it they lie in Arrow files, one batch per part, that are mapped and not loaded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchwright.suites.telemetry.corpus.readings import Readings

_SCHEMA = pa.schema(
    {
        "ts": pa.int64(),
        "value": pa.float64(),
        "marks": pa.uint8(),
        "file": pa.int32(),
        "row": pa.int64(),
        "column": pa.int32(),
    }
)


class Spool:
    """Parts by stream; `folder` must exist and is not cleaned up here."""

    def __init__(self, folder: Path, budget: int = 8_000_000) -> None:
        self._folder, self._budget, self._held = folder, budget, 0
        self._near: dict[str, list[Readings]] = defaultdict(list)
        self._far: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._files: list[Any] = []

    def add(self, stream: str, part: Readings) -> None:
        """One more part of a stream."""
        self._near[stream].append(part)
        self._held += len(part)
        if self._held > self._budget:
            self._spill()

    def streams(self) -> list[str]:
        """Every stream that has a part, sorted."""
        return sorted(self._near.keys() | self._far.keys())

    def parts(self, stream: str) -> list[Readings]:
        """Every part of a stream; those of disk are views of the file."""
        far = [_readings(self._files[f].get_batch(b)) for f, b in self._far.get(stream, ())]
        return [*far, *self._near.get(stream, ())]

    def _spill(self) -> None:
        path = self._folder / f"spool-{len(self._files):05d}.arrow"
        batches = ((s, part) for s, parts in sorted(self._near.items()) for part in parts)
        _write(path, batches, self._far, len(self._files))
        self._files.append(pa.ipc.open_file(pa.memory_map(str(path))))
        self._near.clear()
        self._held = 0


def _write(
    path: Path,
    parts: Iterable[tuple[str, Readings]],
    places: dict[str, list[tuple[int, int]]],
    number: int,
) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, _SCHEMA) as writer:
        for index, (stream, part) in enumerate(parts):
            writer.write_batch(_batch(part))
            places[stream].append((number, index))


def _batch(part: Readings) -> Any:
    arrays = [getattr(part, name) for name in _SCHEMA.names]
    return pa.record_batch([pa.array(a) for a in arrays], schema=_SCHEMA)


def _readings(batch: Any) -> Readings:
    return Readings(*(np.asarray(batch.column(name)) for name in _SCHEMA.names))
