"""Evidence for places in a log, and where such evidence is followed to."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchwright.trajectory.events import Anchor
from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.resolve import Places

LONGEST = 160
"""Characters of a quote."""


@dataclass
class Pointers:
    """Of one log: an ATIF document is pointed into by step, every other log by line or bytes."""

    log: Path
    is_document: bool
    """Whether it is one ATIF document."""
    artifacts: Path | None = None
    whole: bool = False
    """Whether it is another document of JSON: its records are pointed to by JSON pointer."""

    @cached_property
    def places(self) -> Places:
        """What evidence from here resolves in."""
        trajectory = self.log if self.is_document else None
        return Places(trajectory, self.log, self.artifacts)

    def to(self, anchor: Anchor, call: str = "", quote: str | None = None) -> Evidence:
        """The place of a record; call: id of the call, as the log has it, where one is meant."""
        said = None if quote is None else quote.strip()[:LONGEST] or None
        if self.is_document and anchor.pointer.startswith("/steps/"):
            step = self._ids.get(anchor.pointer.split("/")[2])
            if step is not None:
                return Evidence("step", f"{step} {call}".strip(), said)
        if anchor.file:
            at = str(anchor.line) if anchor.line else anchor.pointer
            return Evidence(f"log:{anchor.file}", at, said)
        if self.whole and anchor.pointer and self._sound:
            return Evidence("log", anchor.pointer, said)
        if anchor.line:
            return Evidence("log", str(anchor.line), said)
        return Evidence("log", f"bytes {anchor.start}-{anchor.end}", said)

    @cached_property
    def _sound(self) -> bool:
        """Whether the log is JSON as a whole: then a JSON pointer leads somewhere."""
        try:
            json.loads(self.log.read_bytes())
        except (ValueError, RecursionError):
            return False
        return True

    @cached_property
    def _ids(self) -> dict[str, Any]:
        """Number of each step by its index, where no other step has it."""
        try:
            document = json.loads(self.log.read_bytes())
        except (ValueError, RecursionError):  # cut short, or more than one document
            return {}
        steps = document.get("steps") if isinstance(document, dict) else None
        listed = enumerate(steps if isinstance(steps, list) else ())
        named = {str(n): s.get("step_id") for n, s in listed if isinstance(s, dict)}
        times = Counter(map(str, named.values()))
        return {n: name for n, name in named.items() if times[str(name)] == 1}
