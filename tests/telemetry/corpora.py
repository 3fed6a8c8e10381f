"""Small corpora for tests: files as text, their checksums, and the adapter that reads them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchwright.suites.telemetry.corpus.adapter import Adapter
from benchwright.suites.telemetry.corpus.load import Corpus, parse_corpus
from benchwright.suites.telemetry.corpus.merge import Stream

HEAD = {
    "format": "benchwright.corpus/1",
    "suite": "telemetry",
    "name": "small",
    "title": "A small corpus",
    "licence": "made for a test",
    "privacy": "nobody's",
}
TEMPERATURE = {"name": "Temperature", "kind": "instant", "unit": "deg C", "range": [-20.0, 60.0]}
ENERGY = {"name": "Energy", "kind": "cumulative", "unit": "MWh", "zero": "dropout"}


def channel(column: str, stream: str | None = None, **more: Any) -> dict[str, Any]:
    """A channel of class Temperature of one site and one equipment."""
    base = {"column": column, "class": "Temperature", "site": "S", "equipment": "E"}
    return {**base, "stream": stream or column, **more}


def wide(**more: Any) -> dict[str, Any]:
    """A wide source whose times are in UTC."""
    base = {"name": "wide", "form": "wide_csv", "time": {"column": "time", "zone": "UTC"}}
    return {**base, "channel": [channel("t")], **more}


def make(folder: Path, files: Mapping[str, str | bytes], *sources: Any, **more: Any) -> Corpus:
    """A corpus of these files; sources without `files` take all of them."""
    sums = {}
    for name, text in files.items():
        data = text.encode() if isinstance(text, str) else text
        (folder / name).write_bytes(data)
        sums[name] = hashlib.sha256(data).hexdigest()
    given = [{**s, "files": {n: sums[n] for n in s.get("files", sums)}} for s in sources]
    head = {**HEAD, "class": [TEMPERATURE, ENERGY], "source": given, **more}
    return parse_corpus(head, "small.toml", folder)


def read(corpus: Corpus, folder: Path) -> dict[str, Stream]:
    """Every stream of a corpus."""
    return {s.id: s for _, s, _ in Adapter(corpus, folder).streams()}


def times(stream: Stream) -> list[str]:
    """Instants of a stream, to the second."""
    return [str(np.datetime64(int(t), "ms").astype("datetime64[s]")) for t in stream.readings.ts]
