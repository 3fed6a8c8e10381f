"""What tokens cost, in whole nano-USD; an unknown model costs an unknown amount, never zero."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib import resources
from pathlib import Path

from benchwright.errors import FormatError
from benchwright.storage import read_toml
from benchwright.storage.records import record

PRICES_FORMAT = "benchwright.prices/1"
_USD = re.compile(r"[0-9]{1,9}(\.[0-9]{1,3})?")


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
    dateless = re.sub(r"-\d{4}(-?)\d{2}\1\d{2}$", "", name)
    return _table().get(name) or _table().get(re.sub(r"(?<=-\d)-(?=\d+$)", ".", dateless))


def priced_models() -> tuple[str, ...]:
    """Names of the models that the price table holds."""
    return tuple(_table())


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


def read_prices(file: Path) -> dict[str, Price]:
    """The price of every model in a file such as prices.toml, by its name in small letters."""
    stated = record(_PricesFile, read_toml(file, form=PRICES_FORMAT), file)
    return {
        name.lower(): Price(
            *(
                _nano(usd, f"{file}: models.{name}")
                for usd in (entry.input, entry.cached, entry.output)
            )
        )
        for name, entry in stated.models.items()
    }


@dataclass(frozen=True, slots=True)
class _Entry:
    """USD per million tokens as decimal text, so that nothing is rounded."""

    input: str
    cached: str
    output: str


@dataclass(frozen=True, slots=True)
class _PricesFile:
    models: Mapping[str, _Entry]


@cache
def _table() -> dict[str, Price]:
    return read_prices(Path(str(resources.files("benchwright.trajectory") / "prices.toml")))


def _nano(usd_per_million: str, where: str) -> int:
    if not _USD.fullmatch(usd_per_million):
        raise FormatError(
            "price is not a decimal number with at most three decimals",
            value=usd_per_million,
            where=where,
            hint='Write USD per million tokens as text, such as "0.125".',
        )
    return int(Decimal(usd_per_million) * 1000)
