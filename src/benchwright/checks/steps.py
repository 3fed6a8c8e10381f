"""Numbers that differ by one step of float32 only, as another processor may round them.

Takes two files; gives how many numbers of the one differ so from those of the other. Knows Parquet
and no suite.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def steps_apart(old: Path, new: Path) -> int | None:
    """How many float32 numbers of two Parquet files differ, each by one step.

    0 where the files hold the same in other bytes; None where anything differs by more, or a file
    is not Parquet.
    """
    try:
        before, after = pq.read_table(old), pq.read_table(new)
    except (pa.ArrowException, OSError):
        return None
    if before.num_rows != after.num_rows or not before.schema.equals(after.schema, True):
        return None
    count = 0
    for name in before.column_names:
        found = _apart(before[name].combine_chunks(), after[name].combine_chunks())
        if found is None:
            return None
        count += found
    return count


def _apart(before: Any, after: Any) -> int | None:
    if before.equals(after):
        return 0
    if pa.types.is_list(before.type) and before.offsets.equals(after.offsets):
        return _apart(before.flatten(), after.flatten())
    if not pa.types.is_float32(before.type) or before.null_count or after.null_count:
        return None
    old, new = before.to_numpy(), after.to_numpy()
    differing = old != new
    near = np.nextafter(old[differing], new[differing]) == new[differing]
    return int(differing.sum()) if near.all() else None
