"""Ten minutes of damaged logs: every reader and every fold, no crash.

Real logs of every dialect, small ones whole and of large ones a part, are damaged at random: bytes,
lines, values of other types, cuts, splices of two logs. A crash is any error but the one that says
what is wrong. The damage follows from the number of the input, so a crash can be made again.
"""

from __future__ import annotations

import io
import json
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.bar import Bar
from benchwright.errors import BenchwrightError
from benchwright.trajectory.files.history import FileChanges
from benchwright.trajectory.files.reconstruct import reconstruct
from benchwright.trajectory.folds import run_folds
from benchwright.trajectory.log import open_log
from benchwright.trajectory.metrics.fold import measure as measure_log
from benchwright.trajectory.searches import Searches
from benchwright.trajectory.timeline import Timeline
from benchwright.trajectory.to_atif.convert import write_atif

SECONDS: Final = float(os.environ.get("BENCHWRIGHT_FUZZ_SECONDS", "600"))
ROOT: Final = Path(__file__).resolve().parent.parent
_LARGEST: Final = 60_000
_VALUES: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 1e308, "", "x", "\ud800", [], [[]], {}, {"type": "text"}, [1, "a", None],
)  # fmt: skip


def measure() -> Iterator[Bar]:
    """How many damaged logs were read, and how many of them crashed a reader."""
    logs = Path(os.environ.get("BENCHWRIGHT_SHARED", ROOT.parent / "shared")) / "logs"
    seeds = _seeds(logs)
    if not seeds:
        yield Bar("logs", "damaged logs", "no real logs here: name their folder", "", None)
        return
    tried, refused, crashes = 0, 0, Counter[str]()
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="benchwright-fuzz-") as folder:
        while time.monotonic() - start < SECONDS:
            path = Path(folder) / "log"
            path.write_bytes(damaged(seeds, tried))
            try:
                refused += not read(path)
            except Exception as error:
                crashes[f"input {tried}: {type(error).__name__}"] += 1
            tried += 1
    took = time.monotonic() - start
    said = f"; first: {next(iter(crashes))}" if crashes else ""
    yield Bar(
        "logs",
        f"damaged logs of {len(seeds)} real ones, {took:.0f} s",
        f"{tried} read, {refused} refused in one line, {crashes.total()} crashes{said}",
        "no crash",
        not crashes,
    )


def read(path: Path) -> bool:
    """All folds over one log; False where it was refused."""
    try:
        log = open_log(path)
        changes = FileChanges()
        run_folds(log, Timeline(), Searches(local=True), changes)
        for name in changes.paths()[:3]:
            reconstruct(log, changes.changes, name)
        measure_log(log)
        out = io.StringIO()
        write_atif(log, out)
        for line in out.getvalue().split("\n"):
            json.loads(line or "null")
    except BenchwrightError:
        return False
    return True


def damaged(seeds: list[bytes], number: int) -> bytes:
    """Input `number`."""
    chance = random.Random(number)
    data = chance.choice(seeds)
    for _ in range(chance.randint(1, 4)):
        data = chance.choice(_WAYS)(data, chance, seeds)
    return data[: 4 * _LARGEST]


def _seeds(logs: Path) -> list[bytes]:
    found = []
    for path in sorted(logs.rglob("*")):
        if path.suffix in (".json", ".jsonl", ".eval") and path.is_file():
            data = path.read_bytes()
            if path.suffix == ".jsonl" or len(data) <= _LARGEST:
                found.append(data[:_LARGEST])
    return found


Way = Callable[[bytes, random.Random, list[bytes]], bytes]


def _bytes(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    changed = bytearray(data)
    for _time in range(chance.randint(1, 20)):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _cut(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    return data[: chance.randint(0, len(data))]


def _lines(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    lines = data.split(b"\n")
    way = chance.randrange(3)
    if way == 0:
        chance.shuffle(lines)
    elif way == 1:
        lines = [line for line in lines if chance.random() < 0.8]
    else:
        lines = [line for line in lines for _ in range(chance.choice((1, 1, 2)))]
    return b"\n".join(lines)


def _splice(data: bytes, chance: random.Random, seeds: list[bytes]) -> bytes:
    other = chance.choice(seeds)
    return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]


def _encode(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(chance.choice(("utf-16", "utf-8-sig", "latin-1")), "replace")


def _values(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    """Values of some records replaced by values of other types."""
    lines = data.split(b"\n")
    for number in range(len(lines)):
        if chance.random() < 0.3:
            lines[number] = _retyped(lines[number], chance)
    return b"\n".join(lines)


def _retyped(line: bytes, chance: random.Random) -> bytes:
    try:
        value = json.loads(line)
    except ValueError:
        return line
    place = value
    while isinstance(place, dict | list) and place:
        key: Any = (
            chance.choice(list(place)) if isinstance(place, dict) else chance.randrange(len(place))
        )
        if chance.random() < 0.4 or not isinstance(place[key], dict | list):
            place[key] = chance.choice(_VALUES)
            break
        place = place[key]
    return json.dumps(value).encode()


_WAYS: Final[tuple[Way, ...]] = (_bytes, _cut, _lines, _splice, _encode, _values, _values, _values)
