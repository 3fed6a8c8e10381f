"""Small corpora for tests: files as text, their checksums, and the adapter that reads them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from benchwright.suites.telemetry.corpus.adapter import Adapter
from benchwright.suites.telemetry.corpus.load import Corpus, load_corpus, parse_corpus
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
    return parse_corpus(said(folder, files, *sources, **more), "small.toml", folder)


def written(folder: Path, files: Mapping[str, str | bytes], *sources: Any, **more: Any) -> Corpus:
    """The same from a file of its own, `corpus.toml` beside its data: sets can be built of it."""
    path = folder / "corpus.toml"
    path.write_bytes(tomli_w.dumps(said(folder, files, *sources, **more)).encode())
    return load_corpus(path)


def said(
    folder: Path, files: Mapping[str, str | bytes], *sources: Any, **more: Any
) -> dict[str, Any]:
    """Write the files; give what a corpus file says of them."""
    folder.mkdir(parents=True, exist_ok=True)
    sums = {}
    for name, text in files.items():
        data = text.encode() if isinstance(text, str) else text
        (folder / name).write_bytes(data)
        sums[name] = hashlib.sha256(data).hexdigest()
    given = [{**s, "files": {n: sums[n] for n in s.get("files", sums)}} for s in sources]
    return {**HEAD, "class": [TEMPERATURE, ENERGY], "source": given, **more}


def read(corpus: Corpus, folder: Path) -> dict[str, Stream]:
    """Every stream of a corpus."""
    return {s.id: s for _, s, _ in Adapter(corpus, folder).streams()}


def times(stream: Stream) -> list[str]:
    """Instants of a stream, to the second."""
    return [str(np.datetime64(int(t), "ms").astype("datetime64[s]")) for t in stream.readings.ts]
