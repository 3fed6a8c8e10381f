"""`Bar`: one measured figure beside what it must reach."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of BARS.md."""

    area: str
    """Heading under which the row stands, e.g. `newcomer`."""
    name: str
    """What was measured."""
    figure: str
    """What came out, with its unit."""
    must: str
    """What it must reach; empty for a figure that only informs."""
    met: bool | None
    """Whether it does; None for a figure that only informs."""
