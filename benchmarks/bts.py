"""Archives of pickled streams: reading without unpickling beside `pickle.load`, memory, hostility.

Speeds are bytes of pickles, unpacked, per second of one process and its child, in one run with the
files in the page cache. `pickle.load` reads the same archive through `zipfile`.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.bar import Bar
from benchmarks.ordinary import ROOT, counted
from benchwright.suites.telemetry.bts import members, read_archive
from benchwright.suites.telemetry.bts.series import Kind, SeriesPlan, series
from benchwright.suites.telemetry.bts.writer import PROTOCOLS, in_form, pickled

AREA = "telemetry"
STREAMS, FEW = 24, 4
KINDS: dict[str, Kind] = {f"stream{number}": "analog" for number in range(FEW)}
PLAN = SeriesPlan(seed=1, days=30.0, step_s=10.0, outages=0, empty=0.0, kinds=KINDS)
ROUNDS = 3
ROOM = 16_000_000
HOSTILE = ("test_hostile_pickles.py", "test_hostile_zips.py", "test_fuzz.py")
CONVERT = (
    "import json, resource, sys; from pathlib import Path\n"
    "from benchwright.suites.telemetry.bts import read_archive\n"
    "read_archive(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    "who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)\n"
    "print(json.dumps([resource.getrusage(one).ru_maxrss * 1024 for one in who]))\n"
)


def measure() -> Iterator[Bar]:
    """Speeds per protocol, conversion, memory, and what hostile files do."""
    with tempfile.TemporaryDirectory(prefix="benchwright-bts-") as name:
        folder = Path(name)
        for protocol in PROTOCOLS:
            yield _reading(folder / f"p{protocol}.zip", protocol)
        yield _converting(folder / "p4.zip", folder / "out")
        yield _memory(folder)
    yield _hostile()


def _archive(path: Path, protocol: int, count: int) -> int:
    """An archive of `count` streams of some 260,000 rows; gives the bytes of its pickles."""
    total = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for number in range(count):
            made = series(PLAN, f"stream{number % FEW}")
            times = in_form(made.time_ms, "seconds" if number % 2 else "datetime64")
            data = pickled(f"Site_B_{number}", times, made.value, protocol)
            out.writestr(f"s/{number:04d}.pickle", data)
            total += len(data)
    return total


def _reading(path: Path, protocol: int) -> Bar:
    total = _archive(path, protocol, STREAMS)
    ours = _best(lambda: [len(member.values) for member in members(path)])
    theirs = _best(lambda: _unpickled(path))
    figure = f"{total / 1e6 / ours:.0f} MB/s; pickle.load {total / 1e6 / theirs:.0f}"
    share = f"{theirs / ours:.2f} of its speed"
    return Bar(AREA, f"archive of protocol {protocol} to arrays", f"{figure}: {share}", "", None)


def _unpickled(path: Path) -> list[int]:
    """What anyone would do with a file of one's own, as this one is."""
    with zipfile.ZipFile(path) as archive:
        return [len(pickle.loads(archive.read(name))[2]) for name in archive.namelist()]


def _converting(path: Path, out: Path) -> Bar:
    with zipfile.ZipFile(path) as archive:
        total = sum(info.file_size for info in archive.infolist())
    begun = time.perf_counter()
    made = read_archive(path, out)
    seconds = time.perf_counter() - begun
    rate = (
        f"{total / 1e6 / seconds:.0f} MB/s, {made.lineage.kept / 1e6 / seconds:.1f} million rows/s"
    )
    size = made.observations.stat().st_size / total
    figure = f"{rate}; Parquet is {size:.2f} of the pickles"
    return Bar(AREA, "archive to Parquet with lineage", figure, "", None)


def _memory(folder: Path) -> Bar:
    peaks = []
    for count in (FEW, STREAMS):
        path = folder / f"m{count}.zip"
        _archive(path, 4, count)
        command = [sys.executable, "-c", CONVERT, str(path), str(folder / f"m{count}")]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
        peaks.append(json.loads(done.stdout))
    (parent, child), (parent_many, child_many) = peaks
    grown = max(parent_many - parent, child_many - child)
    figure = f"{grown / 1e6:.0f} MB more (reader {child_many / 1e6:.0f} MB at its peak)"
    name = f"memory with {STREAMS} streams instead of {FEW} of the same length"
    return Bar(AREA, name, figure, f"{ROOM / 1e6:.0f} MB", grown <= ROOM)


def _hostile() -> Bar:
    files = [f"tests/telemetry/bts/{name}" for name in HOSTILE]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    passed, failed = (counted(done.stdout, word) for word in ("passed", "failed"))
    figure = f"{passed} of {passed + failed} tests of hostile and damaged files"
    met = done.returncode == 0 and passed > 0
    return Bar("safety", "hostile pickles and zips refused, nothing run", figure, "all", met)


def _best(act: Callable[[], object]) -> float:
    seconds = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        act()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)
