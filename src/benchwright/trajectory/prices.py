"""What tokens cost, in whole nano-USD; an unknown model costs an unknown amount, never zero."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib import resources

from benchwright.errors import FormatError


@dataclass(frozen=True, slots=True)
class Price:
    """Nano-USD per token."""

    input: int
    cached: int
    output: int


def price_of(model: str | None) -> Price | None:
    """Price of a model by its name with or without the provider's prefix; None when unknown.

    A date behind the name does not matter, nor whether its version is written 4.6 or 4-6.
    """
    if model is None:
        return None
    name = model.rpartition("/")[2].lower()
    dateless = re.sub(r"-\d{8}$", "", name)
    return _table().get(name) or _table().get(re.sub(r"(?<=-\d)-(?=\d+$)", ".", dateless))


def cost(price: Price | None, *, prompt: int, cached: int, completion: int) -> int | None:
    """Cost in nano-USD: uncached input, cached input and output tokens (paper, appendix G)."""
    if price is None:
        return None
    if not 0 <= cached <= prompt:
        raise FormatError(
            "more cached than input tokens",
            value=(cached, prompt),
            where="token counts",
            hint="Cached tokens are a part of the input tokens; correct the reader of this log.",
        )
    return (prompt - cached) * price.input + cached * price.cached + completion * price.output


@cache
def _table() -> dict[str, Price]:
    import tomllib

    text = resources.files("benchwright.trajectory").joinpath("prices.toml").read_text()
    return {
        name.lower(): Price(*(_nano(entry[key]) for key in ("input", "cached", "output")))
        for name, entry in tomllib.loads(text)["models"].items()
    }


def _nano(usd_per_million: str) -> int:
    nano = Decimal(usd_per_million) * 1000
    if nano != nano.to_integral_value():
        raise FormatError(
            "price has more than three decimals",
            value=usd_per_million,
            where="prices.toml",
            hint="Round the price per million tokens to three decimals.",
        )
    return int(nano)
