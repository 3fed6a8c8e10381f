"""The end of every hostile rule file: which attack a sample makes, and the plain answer of others.

`ORDER` is filled in by the test: the name of the attack of sample number i, or an empty text. The
number of a sample stands in every value of its first column.
"""

from __future__ import annotations

import os
import time
from typing import Any

ORDER: list[str] = []


def plain(number: int) -> list[str]:
    """What a harmless sample answers: its own number, where it ran, and when."""
    now = time.clock_gettime(time.CLOCK_BOOTTIME)
    return [f"plain {number}", os.readlink("/proc/self/ns/pid"), str(now)]


def predict(df: Any) -> object:
    number = int(df["col1"].iloc[0])
    name = ORDER[number]
    return globals()[name](df) if name else plain(number)
