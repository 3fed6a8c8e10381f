"""Archives and graphs for a corpus whose real archives are not at hand.

Takes a real graph; gives further graphs of the same shape with other ids, and for every graph an
archive that holds a made-up history for most of its stream ids. Ids are changed in the text of the
graph, letter by letter the same way everywhere, so whatever referred to a thing still does.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from benchwright.storage import write_text
from benchwright.suites.telemetry.bts.series import SeriesPlan, kind_of_class
from benchwright.suites.telemetry.bts.writer import write_archive
from benchwright.suites.telemetry.corpus.points import Point

_ID = re.compile(r"[0-9a-f]{8}([_-])[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}")


def write_graph(source: Path, target: Path, seed: int) -> None:
    """The graph of `source` with every id replaced; equal seed and name of file, equal ids."""
    text = source.read_text(encoding="utf-8")
    salt = f"{seed}:{target.name}:"
    write_text(target, _ID.sub(lambda match: _other(salt, match), text))


def write_history(path: Path, points: Iterable[Point], seed: int, days: float) -> None:
    """An archive for these points; every fortieth stream has no member."""
    found = list(points)
    kinds = {point.stream: kind_of_class(point.point_class) for point in found}
    plan = SeriesPlan(seed=seed, days=days, kinds=kinds)
    site = path.stem[:6].ljust(6, "_")
    write_archive(path, site, sorted(kinds), plan, missing=len(kinds) // 40)


def _other(salt: str, match: re.Match[str]) -> str:
    digits = hashlib.sha256((salt + match.group().replace("-", "_")).encode()).hexdigest()
    sizes, at, parts = (8, 4, 4, 4, 12), 0, []
    for size in sizes:
        parts.append(digits[at : at + size])
        at += size
    return match.group(1).join(parts)
