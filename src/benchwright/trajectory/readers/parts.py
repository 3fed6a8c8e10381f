"""Small readings that several formats share; unknown stays None."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any


def mapping(value: Any) -> Mapping[str, Any]:
    """`value` where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def text(value: Any) -> str | None:
    """`value` where it is text and not empty."""
    return value if isinstance(value, str) and value else None


def count(value: Any) -> int | None:
    """`value` where it is a whole number that counts something."""
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 62
    return value if good else None


def total(*counts: int | None) -> int | None:
    """The sum of what is known; None where nothing is."""
    known = [number for number in counts if number is not None]
    return sum(known) if known else None


def nano(usd: Any) -> int | None:
    """Nano-USD of a price in USD, rounded half even; None where it is no sound number."""
    if isinstance(usd, bool) or not isinstance(usd, int | float | str):
        return None
    try:
        amount = Decimal(str(usd))
        return int((amount * 10**9).to_integral_value()) if 0 <= amount < 10**9 else None
    except InvalidOperation:
        return None


def milliseconds(value: Any, scale: int = 1) -> int | None:
    """A duration in ms; `scale` is 1000 where the log has seconds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(value * scale) if 0 <= value < 1e12 else None


def epoch(value: Any) -> str | None:
    """ISO 8601 of milliseconds since 1970, in UTC with Z."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e14:
        return None
    moment = datetime.fromtimestamp(value / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def shown(value: Any) -> str:
    """A value as the text that stands for it: text as it is, anything else as JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def joined(content: Any) -> tuple[str, int]:
    """Text of content that is text or a list of parts, and the number of images in it."""
    if isinstance(content, str):
        return content, 0
    texts, images = [], 0
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping):
            kind = str(part.get("type"))
            if "image" in kind:
                images += 1
            elif isinstance(part.get("text"), str):
                texts.append(part["text"])
    return "\n".join(texts), images
