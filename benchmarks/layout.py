"""Sizes of the source tree: what section "sizes" of CONTRIBUTING promises, in figures."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks.bar import Bar
from tools.source import ROOT, Size, file_sizes, function_sizes

TREES = ("src", "tests")


def measure() -> Iterator[Bar]:
    """Medians and the largest, over src/ and tests/ each."""
    for tree in TREES:
        files, functions = file_sizes(ROOT / tree), function_sizes(ROOT / tree)
        yield _median(f"{tree}: median lines of {len(files)} files", files, 150)
        yield _largest(f"{tree}: largest file", files, 400)
        yield _median(f"{tree}: median lines of {len(functions)} functions", functions, 10)
        yield _largest(f"{tree}: largest function", functions, 60)
        most = max(functions, key=lambda size: size.parameters)
        figure = f"{most.parameters} ({most.where})"
        yield Bar("layout", f"{tree}: most parameters", figure, "at most 8", most.parameters <= 8)


def _median(name: str, sizes: list[Size], limit: int) -> Bar:
    middle = median(size.lines for size in sizes)
    return Bar("layout", name, f"{middle:g}", f"at most {limit}", middle <= limit)


def _largest(name: str, sizes: list[Size], limit: int) -> Bar:
    top = sorted(sizes, key=lambda size: -size.lines)[:3]
    figure = ", ".join(f"{size.lines} ({size.where})" for size in top)
    return Bar("layout", name, figure, f"at most {limit}", top[0].lines <= limit)
