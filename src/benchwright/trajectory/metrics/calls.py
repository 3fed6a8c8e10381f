"""Tool calls by agent and by tool: how many, and how they ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from benchwright.trajectory.events import Call, Result

_SAYS_NOTHING = ("unknown", "missing")


@dataclass(slots=True)
class Use:
    """Calls of one tool, or of one agent. A call that was refused is also one that failed."""

    count: int = 0
    failed: int = 0
    refused: int = 0
    unanswered: int = 0
    unknown: int = 0
    """Answered, and the log does not say how they ended: some can have failed."""


@dataclass(slots=True)
class Calls:
    """Fold: four numbers for each tool and agent."""

    tools: dict[str, Use] = field(default_factory=dict)
    agents: dict[str, Use] = field(default_factory=dict)
    images: int = 0
    """Results that show images."""
    _told: bool = False

    def over(self, call: Call, result: Result | None) -> None:
        """A call has its result, or the log ended without one."""
        status = "missing" if result is None else result.status
        self._told = self._told or status not in _SAYS_NOTHING
        self.images += result is not None and result.images > 0
        for use in (
            self.tools.setdefault(call.name, Use()),
            self.agents.setdefault(call.thread, Use()),
        ):
            use.count += 1
            use.failed += status in ("failed", "refused")
            use.refused += status == "refused"
            use.unanswered += status == "missing"
            use.unknown += status == "unknown"

    def tells_failures(self, lacks: Collection[str]) -> bool:
        """Whether failures are known: the format has signs of them, or this log shows one."""
        return "failures" not in lacks or self._told

    def of(self, threads: Collection[str] | None) -> Use:
        """Calls of some agents, or of all."""
        total: Counter[str] = Counter()
        for thread, use in self.agents.items():
            if threads is None or thread in threads:
                total.update(
                    count=use.count, failed=use.failed, refused=use.refused,
                    unanswered=use.unanswered, unknown=use.unknown,
                )  # fmt: skip
        return Use(
            *(total[part] for part in ("count", "failed", "refused", "unanswered", "unknown"))
        )
