"""Numbers of a text with what is written around them, and whether one number stands for another."""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

_NUMBER = re.compile(
    r"(?<![\w.])(?P<sign>[-+−])?(?P<body>\d{1,3}(?:[,\u202f ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<exp>[eE][-+]?\d{1,3}|\s*(?:[x×·]|\\times)\s*10\s*(?:\^|\*\*)?\s*\{?[-−+]?\d{1,3}\}?)?"
    r"(?P<end>\s?\\?%|\s?percent\b)?"
)
_SUPERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUPER = re.compile(r"10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_GROUPS = re.compile(r"[,\u202f ]")
_LOOSE = re.compile(r"\d+(?:\.\d+)?(?:[eE][-+]?\d{1,2}(?!\d))?")
_LARGEST, _FEW, _LARGEST_EXPONENT, _KELVIN = 1e100, 3, 50.0, 273.15
_TIMES = (24.0, 60.0, 3600.0, 86400.0, 7.0, 12.0, 30.0, 365.0, 8760.0, 2.0)
CONSTANTS = frozenset(
    (
        1.645,
        1.96,
        2.576,
        3.14,
        3.142,
        3.1416,
        3.14159,
        2.718,
        2.71828,
        9.81,
        9.807,
        9.80665,
        8.314,
        6.022,
        273.15,
    )
)
"""Numbers that everybody knows."""
SHARES = (1.0, 1e2, 1e-2)
"""As it is, and percent for fraction."""
SCALES = (*SHARES, 1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9)
"""And the prefixes of units."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it is written."""

    text: str
    value: float
    half: float
    """Half of one unit at its last digit: what rounding can have taken away."""
    digits: int
    """Significant digits, with zeros at the end of a decimal, without those of a whole number."""
    start: int
    percent: bool
    decimal: bool
    """Written with a point or a power of ten."""


def quantities(text: str) -> Iterator[Quantity]:
    """Every number of a text, in order."""
    if "10" in text and _SUPER.search(text):
        text = _SUPER.sub(lambda m: "10^" + m.group(1).translate(_SUPERS), text)
    for found in _NUMBER.finditer(text):
        body = _GROUPS.sub("", found["body"])
        exponent = _exponent(found["exp"])
        if abs(exponent) > 300:
            continue
        decimals = len(body.partition(".")[2])
        value = float(body) * 10.0**exponent
        half = 0.5 * 10.0 ** (exponent - decimals)
        plain = body.replace(".", "").lstrip("0")
        digits = len(plain) if "." in body else len(plain.rstrip("0"))
        yield Quantity(
            found.group().strip(), value, half, digits, found.start("body"),
            bool(found["end"]), "." in body or bool(found["exp"]),
        )  # fmt: skip


def _exponent(text: str | None) -> int:
    if not text:
        return 0
    digits = re.search(r"([-+−]?\d{1,3})\}?$", text)
    if digits is None:
        return 0
    return int(digits.group(1).replace("−", "-").replace("+", ""))


class Pool:
    """Known magnitudes, sorted; asks take the logarithm of their number."""

    def __init__(self, values: Iterable[float]) -> None:
        self._values = sorted({abs(v) for v in values if math.isfinite(v)})

    def near(self, value: float, half: float) -> bool:
        """Whether a known magnitude rounds, or is cut, to `value` at its digits."""
        low, high = value - 1.02 * half, value + 2.04 * half
        at = bisect.bisect_left(self._values, low)
        return at < len(self._values) and self._values[at] <= high

    def holds(self, quantity: Quantity, scales: Sequence[float] = SCALES) -> bool:
        """Whether it stands here, as it is, as percent or fraction, or under another prefix."""
        return any(self.near(quantity.value * s, quantity.half * s) for s in scales)


def loose(text: str) -> Iterator[float]:
    """Every run of digits of a text as a number, also inside a word (`0m6.217s`, `run_17`)."""
    for found in _LOOSE.finditer(text):
        yield float(found.group())


def derived(values: Iterable[float]) -> Iterator[float]:
    """Sums, differences, ratios, relative changes and means of pairs; complements of each."""
    known = list(dict.fromkeys(abs(v) for v in values))
    for one in known:
        yield from (1 - one, 100 - one)
        if one > 0:
            yield 1 / one
    for one, other in combinations(known, 2):
        yield from (one + other, abs(one - other), (one + other) / 2)
        if one + other:
            yield 2 * one * other / (one + other)
        for top, below in ((one, other), (other, one)):
            if below:
                yield top / below
                yield abs(top - below) / below


def products(values: Iterable[float]) -> Iterator[float]:
    """Products of two magnitudes, and of one with what turns one unit of time into another."""
    known = list(dict.fromkeys(abs(v) for v in values))
    for one in known:
        for factor in _TIMES:
            yield from (one * factor, one / factor)
    for one, other in combinations(known, 2):
        yield one * other


def changed(values: Iterable[float]) -> Iterator[float]:
    """What one magnitude is in another unit or on another scale: powers, logarithms, degrees."""
    for one in dict.fromkeys(abs(v) for v in values):
        yield from (one * one, math.sqrt(one), one + _KELVIN, abs(one - _KELVIN))
        yield from (math.degrees(one), math.radians(one), one * 60, one / 60, one * 24, one / 24)
        if 0 < one < _LARGEST_EXPONENT:
            yield from (math.exp(one), math.exp(-one))
        if one > 0:
            yield from (math.log(one), math.log10(one))


def totals(values: Sequence[float]) -> Iterator[float]:
    """Sum of some values that stand together, and the share of each."""
    whole = math.fsum(map(abs, values))
    if len(values) > 2 and whole:
        yield whole
        yield from (abs(v) / whole for v in values)


def intervals(values: Iterable[float]) -> Iterator[float]:
    """Errors and bounds of the usual intervals of a mean, from a mean, a spread and a count."""
    known = list(dict.fromkeys(abs(v) for v in values))
    for count in (1.0, *(v for v in known if v >= _FEW and v == int(v))):
        for spread in known:
            error = spread / math.sqrt(count)
            yield error
            for mean in known:
                for z in (1.0, 1.645, 1.96, 2.0, 2.576):
                    yield from (mean - z * error, mean + z * error)


def statistics(column: list[float]) -> Iterator[float]:
    """What is commonly told of a column: sum, mean, median, extremes, range, spreads, quartiles."""
    count = len(column)
    if count < 2 or max(map(abs, column)) > _LARGEST:
        return
    ordered, mean = sorted(column), math.fsum(column) / count
    squares = math.fsum((v - mean) ** 2 for v in column)
    yield from (math.fsum(column), mean, ordered[-1] - ordered[0], float(count))
    yield from (math.sqrt(squares / count), math.sqrt(squares / (count - 1)), squares / count)
    yield from (squares / (count - 1), math.sqrt(squares / (count - 1) / count))
    for share in (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95):
        place = share * (count - 1)
        low = int(place)
        high = min(low + 1, count - 1)
        yield ordered[low] + (place - low) * (ordered[high] - ordered[low])
