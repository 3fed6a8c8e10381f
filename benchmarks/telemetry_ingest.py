"""Reading logs into sorted Parquet: this package beside pandas, on real files and on 70 MB.

Both read a wide CSV, turn wall clock into instants, make long rows with file row numbers, drop
empty cells, sort by stream and instant, and write Parquet. This package also verifies checksums,
finds drop-outs, decimals and conflicts. Least of three runs each, taken in turn.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.bar import Bar
from benchwright.canonical import digest_file
from benchwright.suites.telemetry.corpus.adapter import Adapter
from benchwright.suites.telemetry.corpus.load import Corpus, load_corpus, parse_corpus
from benchwright.suites.telemetry.store.writing import ObservationWriter

SHARED = Path(os.environ.get("BENCHWRIGHT_SHARED", "../shared")) / "data"
ROUNDS = 3
ROWS = 1_150_000
ZONE = "Europe/Belgrade"
CHANNELS = ("t_amb", "t_ref", "t_sup_prim", "t_ret_prim", "t_sup_sec", "t_ret_sec", "e", "pe")


def measure() -> Iterator[Bar]:
    """Ratios of times; above 1 this package is faster."""
    with TemporaryDirectory(prefix="bars-") as name:
        folder = Path(name)
        big = folder / "big.csv"
        _write(big)
        size = big.stat().st_size / 1e6
        ratio, told = _ratio(_corpus(big), [big], folder)
        yield Bar("telemetry", f"ingest of {size:.0f} MB against pandas", told, "2 x", ratio >= 2.0)
        if not SHARED.is_dir():
            return
        corpus = _scada()
        paths = [SHARED / path for path in corpus.paths]
        ratio, told = _ratio(corpus, paths, folder)
        size = sum(path.stat().st_size for path in paths) / 1e6
        text = f"ingest of {len(paths)} real files, {size:.1f} MB, against pandas"
        yield Bar("telemetry", text, told, "1 x", ratio >= 1.0)


def _ratio(corpus: Corpus, paths: list[Path], folder: Path) -> tuple[float, str]:
    ours, theirs = [], []
    for turn in range(ROUNDS):
        ours.append(_timed(lambda at: _ingest(corpus, at), folder / f"ours-{len(paths)}-{turn}"))
        theirs.append(_timed(lambda at: _pandas(paths, at), folder / f"pandas-{len(paths)}-{turn}"))
    ratio = min(theirs) / min(ours)
    return ratio, f"{ratio:.1f} x ({min(ours):.2f} s and {min(theirs):.2f} s)"


def _timed(work: Callable[[Path], None], out: Path) -> float:
    out.mkdir()
    start = time.perf_counter()
    work(out)
    return time.perf_counter() - start


def _ingest(corpus: Corpus, out: Path) -> None:
    writer = ObservationWriter(out / "observations")
    for number, (_, stream, _) in enumerate(Adapter(corpus, out).streams()):
        writer.add(number, stream.pieces, len(stream.pieces))
    writer.close()


def _pandas(paths: list[Path], out: Path) -> None:
    import pandas as pd

    frames = []
    for number, path in enumerate(paths):
        wide = pd.read_csv(path, parse_dates=["datetime"])
        wide["row"] = range(1, len(wide) + 1)
        clock = wide.pop("datetime").dt.tz_localize(
            ZONE, ambiguous=np.ones(len(wide), dtype=bool), nonexistent="shift_forward"
        )
        wide["ts"] = clock.dt.tz_convert("UTC")
        long = wide.melt(id_vars=["ts", "row"], var_name="channel").dropna()
        frames.append(long.assign(file=number))
    every: Any = pd.concat(frames).sort_values(["file", "channel", "ts"])
    every.to_parquet(out / "observations.parquet", compression="zstd")


def _scada() -> Corpus:
    """The corpus of the real files with its first source only."""
    whole = load_corpus("xai4heat", SHARED)
    file = whole.file.model_copy(update={"source": whole.file.source[:1]})
    return Corpus(file, whole.contract, whole.data, whole.where)


def _corpus(path: Path) -> Corpus:
    channels = [
        {"column": name, "stream": name, "class": "T", "site": "S", "equipment": "E"}
        for name in CHANNELS
    ]
    source = {
        "name": "big",
        "form": "wide_csv",
        "files": {path.name: digest_file(path)},
        "time": {"column": "datetime", "zone": ZONE, "repeated": "earlier", "skipped": "forward"},
        "channel": channels,
    }
    head = {"format": "benchwright.corpus/1", "name": "big", "title": "big"}
    words = {"licence": "made here", "privacy": "nobody's"}
    kinds = [{"name": "T", "kind": "instant"}]
    return parse_corpus(
        {**head, **words, "class": kinds, "source": [source], "conflicts": "drop"},
        "big",
        path.parent,
    )


def _write(path: Path) -> None:
    """A reading a minute, newest first, as the real files are."""
    start = np.datetime64("2021-01-01T00:00:00")
    times = np.datetime_as_string(start + np.arange(ROWS)[::-1].astype("timedelta64[m]"), unit="s")
    draw = np.random.default_rng(5)
    values = draw.integers(-200, 900, size=(ROWS, len(CHANNELS)))
    with path.open("w", encoding="utf-8") as file:
        file.write("datetime," + ",".join(CHANNELS) + "\n")
        for at, row in zip(times, values.tolist(), strict=True):
            cells = ",".join(f"{v / 10:.1f}" for v in row)
            file.write(f"{at.replace('T', ' ')},{cells}\n")
