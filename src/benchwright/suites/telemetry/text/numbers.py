"""Numbers as they are written: plain, with an exponent, with separated thousands; and nothing else.

A comma separates thousands where every group after it has three digits and the first does not begin
with 0. Any other comma, a range, a fraction or a clock time is no number.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

UNITS_GLUED: Final = r"%|°|(?:degC|degF|kWh|Wh|MWh|kW|ms|min|sec|s|h)\b"
"""Units that may stand without a space."""
NUMBER: Final = (
    r"(?<![\w.,])[-+\u2212]?(?:[1-9]\d{0,2}(?:[,\u202f]\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?"
    rf"(?:(?=[ ]?(?:{UNITS_GLUED}))|(?![\w+%/\u2212\u2013-]|[.,:\u202f](?![\s)\]\"']|$)))"
)
"""A number, and not the beginning of something else."""
DIGITS: Final = r"[-+\u2212]?\d(?:[\d.,:/\u2013\u202f-]*\d)?"
"""What looks like a number and is none."""
SECONDS: Final = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), Decimal("0.001")),
    **dict.fromkeys(("s", "sec", "second", "seconds"), Decimal(1)),
    **dict.fromkeys(("min", "minute", "minutes"), Decimal(60)),
    **dict.fromkeys(("h", "hour", "hours"), Decimal(3600)),
}


def read_number(text: str) -> Decimal | None:
    """The number that a text is; None where it is none or too large to be one."""
    plain = text.replace("\u2212", "-").replace(",", "").replace("\u202f", "")
    found = Decimal(plain)
    return found if math.isfinite(float(found)) else None


def seconds(number: Decimal, unit: str) -> float:
    """A duration in seconds."""
    return float(number * SECONDS[unit])


def agree(one: float, other: float) -> bool:
    """Whether one is the other, or is it rounded to the decimals that it has."""
    if one == other:
        return True
    short, long = sorted((Decimal(repr(one)), Decimal(repr(other))), key=_decimals, reverse=True)
    places = _decimals(short)
    return -places < -_decimals(long) and round(long, -places) == short


def _decimals(number: Decimal) -> int:
    """Its exponent: -2 for two decimals."""
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
