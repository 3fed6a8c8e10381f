"""Both channels of conversations: all conduct of every row, in fields and in sentences.

Canonical records, mutations and controls of the generated building and, where their data are here,
the heating substations; in a fixed wording and in one that varies. The sentences are those that
benchwright writes: this shows that reading is the way back from them, not that it reads prose.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.bar import Bar
from benchwright.errors import SpecError
from benchwright.executors import open_executor
from benchwright.suites.telemetry.build import build, load_spec
from benchwright.suites.telemetry.proof.channels import compared_set

CORPORA: Final = ("demo", "xai4heat")
OPEN_PER_CENT: Final = 1.0


def measure() -> Iterator[Bar]:
    """Corpus by corpus; one whose data are not here is told and counts for nothing."""
    for name in CORPORA:
        with TemporaryDirectory() as folder, open_executor("processes") as executor:
            try:
                tasks = build(load_spec(f"telemetry/{name}"), Path(folder) / "set", executor)
            except SpecError as error:
                yield Bar("telemetry", f"{name}: both channels", error.problem, "", None)
                continue
            start = time.perf_counter()
            found = compared_set(tasks, executor)
            took = time.perf_counter() - start
        judged = found.outcomes.total()
        told = (
            f"{found.records:,} records of {len(tasks.task_digests)} rows, {judged:,} judgements: "
            f"{len(found.apart)} apart, {found.open_share:.2f} % open in sentences; {took:.0f} s"
        )
        fine = judged > 0 and not found.apart and found.open_share < OPEN_PER_CENT
        must = f"none apart, less than {OPEN_PER_CENT:.0f} % open"
        yield Bar("telemetry", f"{name}: both channels", told, must, fine)
