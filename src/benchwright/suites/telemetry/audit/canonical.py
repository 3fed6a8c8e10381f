"""Canonical JSON, keys and draws, as docs/families.md and docs/formats.md define them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from benchwright.suites.telemetry.audit.findings import UnusableInput

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Identity = Mapping[str, Any]


def canonical(value: Any) -> str:
    """Keys sorted, no white space, UTF-8; identities hold texts, integers, lists and null only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def key_of(identity: Identity) -> str:
    """The key of a candidate: 64 hex digits."""
    return hashlib.sha256(canonical(identity).encode()).hexdigest()


def draw(seed: Identity, many: int) -> int:
    """Draw(n): sha256 of the seed as a whole number, modulo n."""
    return int(key_of(seed), 16) % many


def instant(ms: int) -> str:
    """`2022-02-03T07:03:23.640Z` of milliseconds since 1970."""
    at = EPOCH + timedelta(milliseconds=ms)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{ms % 1000:03d}Z"


def milliseconds(text: str) -> int:
    """Milliseconds since 1970 of a text with an offset or Z."""
    at = datetime.fromisoformat(text.replace("Z", "+00:00"))
    if at.tzinfo is None:
        raise UnusableInput(f"a time without an offset: {text!r}")
    return (at - EPOCH) // timedelta(milliseconds=1)
