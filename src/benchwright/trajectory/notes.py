"""What a reader met that was not a plain new record: counted by kind, with the first places.

An unknown or damaged log is never a silent nothing: whatever is skipped stands here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from benchwright.trajectory.events import Anchor

KINDS = {
    "text": "lines that are not JSON (banners, warnings)",
    "scalar": "JSON values that are not objects",
    "cut": "a last record that breaks off",
    "bytes": "records with bytes or escapes that are no valid text",
    "long": "lines over the limit, not read",
    "deep": "records nested too deep to be read",
    "attached": "attachments over the limit, left as references",
    "bom": "byte order mark",
    "utf-16": "UTF-16, decoded",
    "crlf": "lines that end in CR LF",
    "repeated": "records that repeat an earlier one, counted once",
    "runs": "further runs in the same file",
    "aside": "records of the program's own bookkeeping, without an event",
    "unknown": "records of a kind that this version does not know",
    "shape": "records of a known kind whose parts have an unexpected shape",
    "orphan": "results without a call",
    "unanswered": "calls without a result",
    "companion": "companion files that are named and absent",
}
_EXAMPLES = 3


@dataclass(slots=True)
class Notes:
    """Counts by kind of `KINDS`, and up to three places and details for each."""

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[tuple[Anchor | None, str]]] = field(default_factory=dict)

    def add(self, kind: str, anchor: Anchor | None = None, detail: str = "") -> None:
        """Count one; `detail` is shown to people and cut at 120 characters."""
        assert kind in KINDS, kind
        self.counts[kind] = self.counts.get(kind, 0) + 1
        places = self.examples.setdefault(kind, [])
        if len(places) < _EXAMPLES:
            places.append((anchor, detail[:120]))

    def lines(self) -> Iterator[str]:
        """One line for each kind that occurred."""
        for kind in KINDS:
            if kind in self.counts:
                places = [f"{a.text() if a else ''} {d}".strip() for a, d in self.examples[kind]]
                shown = "; ".join(place for place in places if place)
                yield f"{self.counts[kind]} x {KINDS[kind]}" + (f" ({shown})" if shown else "")
