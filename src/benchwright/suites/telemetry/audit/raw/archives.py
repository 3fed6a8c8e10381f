"""Archives of pickled streams to readings, by the rules of docs/bts.md."""

from __future__ import annotations

import math
import re
import struct
import sys
import zipfile
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.audit.findings import UnusableInput
from benchwright.suites.telemetry.audit.raw.gather import Readings
from benchwright.suites.telemetry.audit.raw.pickles import Flat, Kind, RefusedPickle, read

MEMBER = re.compile(r"(?:[^/]+/)*\d{4}\.pickle")
IDENTIFIER = re.compile(r".{6}[^0-9A-Za-z]([^.]+)(?:\..*)?")
EARLIEST, LATEST = 631_152_000_000, 4_102_444_800_000  # 1990-01-01 and 2100-01-01
LARGEST = 256 * 2**20
CODES = {"f8": "d", "f4": "f", "i8": "q", "i4": "i", "i2": "h", "i1": "b", "b1": "B"}
CODES |= {"u8": "Q", "u4": "I", "u2": "H", "u1": "B", "M8": "q", "f2": "e"}
PER_MS = {"ns": 1_000_000, "us": 1000, "ms": 1}


def read_file(path: Path) -> Iterator[tuple[str, Readings]]:
    """Every stream of one archive: its id and its readings in the order of the member."""
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if entry.is_dir() or not MEMBER.fullmatch(entry.filename):
                continue
            where = f"{path.name}/{entry.filename}"
            if entry.file_size > LARGEST:
                raise UnusableInput(f"a member is larger than {LARGEST} bytes ({where})")
            try:
                name, times, values = read(archive.read(entry))
                yield _stream_id(name), readings(times, values)
            except RefusedPickle as error:
                raise UnusableInput(f"a member cannot be read: {error} ({where})") from error


def _stream_id(identifier: str) -> str:
    found = IDENTIFIER.fullmatch(identifier)
    if found is None:
        raise RefusedPickle(f"an identifier without a stream id: {identifier[:80]!r}")
    return found[1]


def readings(times: Flat, values: Flat) -> Readings:
    """Times cut to ms; rows without a finite value or a time between 1990 and 2099 are dropped."""
    at, what = milliseconds(times), _numbers(values)
    if len(at) != len(what):
        raise RefusedPickle("times and values differ in number")
    finite = array("d", what if isinstance(what, array) else map(float, what))
    if all(map(math.isfinite, finite)) and (not at or (min(at) >= EARLIEST and max(at) < LATEST)):
        return Readings(at, finite, bytearray(len(at)))
    usable = map(math.isfinite, finite)
    keep = [EARLIEST <= t < LATEST and ok for t, ok in zip(at, usable, strict=True)]
    if not all(keep):
        at = array("q", [t for t, ok in zip(at, keep, strict=True) if ok])
        finite = array("d", [v for v, ok in zip(finite, keep, strict=True) if ok])
    return Readings(at, finite, bytearray(len(at)))


def milliseconds(times: Flat) -> array[int]:
    """Instants of an array of datetimes, or of seconds since 1970; -1 where there is none."""
    numbers = _numbers(times)
    kind = times.kind or Kind("f8")
    if kind.code == "M8":
        if kind.unit not in ("s", *PER_MS):
            raise RefusedPickle(f"times in the unit {kind.unit!r}")
        if kind.unit == "s":
            return array("q", [n * 1000 if n >= 0 else -1 for n in numbers])
        return array("q", [n // PER_MS[kind.unit] for n in numbers])
    if kind.code[0] == "f":
        if all(map(math.isfinite, numbers)) and numbers and 0 <= min(numbers) <= max(numbers) < 5e9:
            return array("q", map(math.floor, map((1000.0).__mul__, numbers)))
        return array("q", [_cut(n) for n in numbers])
    return array("q", [n * 1000 for n in numbers])


def _cut(seconds: float) -> int:
    """Milliseconds of seconds since 1970 as a double."""
    return math.floor(seconds * 1000) if 0 <= seconds < 5e9 else -1


def _numbers(flat: Flat) -> Sequence[Any]:
    if flat.kind is None or flat.kind.code not in CODES:
        raise RefusedPickle(f"items of the type {flat.kind.code if flat.kind else None}")
    code, size = CODES[flat.kind.code], int(flat.kind.code[1:])
    if len(flat.raw) != size * flat.length:
        raise RefusedPickle("bytes that do not fit the length")
    if code == "e":
        sign = ">" if flat.kind.order == ">" else "<"
        return [*struct.unpack(f"{sign}{flat.length}e", flat.raw)]
    made: array[Any] = array(code)
    made.frombytes(flat.raw)
    if (flat.kind.order == ">") != (sys.byteorder == "big") and size > 1:
        made.byteswap()
    return made
