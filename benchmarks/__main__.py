"""`python -m benchmarks [NAME ...]`: measure, print, and keep BARS.md up to date.

Takes names of modules in this folder, or none for all that have `measure`. Exits with 1 when a bar
that was measured is not met, with 2 for a name that is not there.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from benchmarks.bar import Bar
from benchmarks.table import MET, Row, merge, parse, render, row
from benchwright.errors import BenchwrightError, SpecError
from benchwright.storage import write_text

PAGE = Path(__file__).resolve().parent.parent / "BARS.md"
Measure = Callable[[], Iterator[Bar]]


def main(names: list[str]) -> int:
    """Measure what is named; every module's rows are written as soon as it is done."""
    known = available()
    for name in names:
        if name not in known:
            raise SpecError(
                "no such bar",
                value=name,
                where="run.py bars",
                hint=f"Choose from {', '.join(known)}.",
            )
    met = [bar.met for name in names or known for bar in measured(name)]
    print(f"{PAGE.name}: {len(met)} measured, {met.count(False)} not met")
    return 1 if False in met else 0


def available() -> list[str]:
    """Names of the modules of this folder that define `measure`; none of them is imported."""
    files = sorted(Path(__file__).parent.glob("[!_]*.py"))
    return [file.stem for file in files if "\ndef measure(" in file.read_text(encoding="utf-8")]


def measured(name: str) -> list[Bar]:
    """Run one module, print each bar as it comes, and write its rows."""
    start = time.monotonic()
    print(f"{name} ...", flush=True)
    measure: Measure = importlib.import_module(f"benchmarks.{name}").measure
    bars = []
    for bar in measure():
        bars.append(bar)
        must = f" (must: {bar.must})" if bar.must else ""
        print(f"  {bar.name}: {bar.figure}{must}: {MET[bar.met]}", flush=True)
    rows = [row(bar, f"python3 run.py bars {name}", machine()) for bar in bars]
    write_text(PAGE, render(merge(kept(), rows)))
    print(f"  {time.monotonic() - start:.1f} s", flush=True)
    return bars


def kept() -> list[Row]:
    """Rows that stand in BARS.md now."""
    return parse(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else []


def machine() -> str:
    """When and on what: no name of the machine."""
    cores = len(os.sched_getaffinity(0))
    return f"{date.today()}, {cores} cores, Python {platform.python_version()}"


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BenchwrightError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
