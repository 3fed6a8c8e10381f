"""Which points an agent can confuse, and what it would have to ask.

Takes points; gives a record per site and class with more than one stream. `apart` names the fields
of which the streams do not all share one value; `unique` counts streams whose whole descriptor no
other has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from benchwright.suites.telemetry.corpus.points import Point

FIELDS = ("equipment", "location", "location_type", "qualifiers")


def ambiguities(points: Iterable[Point]) -> Mapping[str, list[Any]]:
    """Rows of the table `ambiguity`, sorted by its key."""
    groups: dict[tuple[str, str], list[Point]] = defaultdict(list)
    for point in points:
        groups[point.site, point.point_class].append(point)
    rows: dict[str, list[Any]] = {
        name: [] for name in ("site", "point_class", "streams", "unique", "apart")
    }
    for (site, name), found in sorted(groups.items()):
        if len(found) > 1:
            tuples = Counter(point.descriptor for point in found)
            apart = [f for f in FIELDS if len({getattr(p, f) for p in found}) > 1]
            row = (site, name, len(found), sum(n == 1 for n in tuples.values()), ",".join(apart))
            for column, value in zip(rows, row, strict=True):
                rows[column].append(value)
    return rows
