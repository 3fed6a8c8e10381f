"""What an archive may cost, and what its members and identifiers look like."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchwright.errors import SpecError

_MEMBER = r"(?:[\w.-]+/)*[0-9]+\.pickle"
_IDENTIFIER = r"(?P<site>.{6})[^0-9A-Za-z](?P<stream>[0-9A-Za-z_-]+)(?:\..*)?"


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Bounds of one archive; more is refused, never cut."""

    members: int = 20_000
    directory_bytes: int = 16 * 1024 * 1024
    member_bytes: int = 256 * 1024 * 1024
    """Of one pickle."""
    memory_mb: int = 2048
    """Address space of the child. Protocol 2 holds arrays as text: a member needs four times its
    size there, others twice."""
    total_bytes: int = 64 * 1024 * 1024 * 1024
    ratio: int = 200
    """Unpacked to packed bytes of a member."""
    member_s: float = 60.0
    cpu_s: int = 7200


@dataclass(frozen=True, slots=True)
class Layout:
    """Names in an archive, and the times that can be meant."""

    member: str = _MEMBER
    """Pattern of the name of a member that is a stream."""
    ignored: tuple[str, ...] = ()
    """Shell patterns of other names, which are left unread and listed."""
    identifier: str = _IDENTIFIER
    """Pattern of the text in a member, with the groups `site` and `stream`."""
    earliest_ms: int = 631_152_000_000
    """1990-01-01, in milliseconds since 1970 (UTC): rows before it are dropped."""
    latest_ms: int = 4_102_444_800_000
    """2100-01-01: rows from it on are dropped."""
    _found: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        patterns = {"member": self.member, "identifier": self.identifier}
        found = {key: _compiled(key, text) for key, text in patterns.items()}
        if not {"site", "stream"} <= set(found["identifier"].groupindex):
            raise _unusable("identifier", self.identifier, "It needs groups `site` and `stream`.")
        if not self.earliest_ms < self.latest_ms:
            raise _unusable("latest_ms", self.latest_ms, "It comes after `earliest_ms`.")
        object.__setattr__(self, "_found", found["identifier"])

    def stream_of(self, identifier: str) -> tuple[str, str] | None:
        """Site and stream id that an identifier names, or None if it names none."""
        match = self._found.fullmatch(identifier)
        return (match["site"], match["stream"]) if match else None


def _compiled(key: str, text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise _unusable(key, text, f"Correct the pattern: {error}.") from error


def _unusable(key: str, value: object, hint: str) -> SpecError:
    return SpecError("layout of an archive is unusable", value=value, where=key, hint=hint)
