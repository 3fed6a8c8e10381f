"""One scored conversation, opened: what was asked, what happened, and what became of each duty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from benchwright.episodes.model import Episode
from benchwright.episodes.session import read_session
from benchwright.scoring.model import Check, ScoreSheet
from benchwright.suites.telemetry.dialogue.model import Script
from benchwright.suites.telemetry.episode import conversation
from benchwright.suites.telemetry.evaluation.evaluate import Evaluated, evaluated
from benchwright.suites.telemetry.obligations.model import Duties, Obligation
from benchwright.tasks.model import Gold


@dataclass(frozen=True)
class Told:
    """A conversation with its gold and its sheet."""

    episode: Episode
    script: Script
    duties: Duties
    sheet: ScoreSheet

    @classmethod
    def open(cls, gold: Gold, episode: Episode, sheet: ScoreSheet) -> Told:
        """From what lies on disk."""
        script, duties, _ = conversation(gold)
        return cls(episode, script, duties, sheet)

    @cached_property
    def lines(self) -> tuple[Mapping[str, Any], ...]:
        """The record, one exchange a line."""
        return tuple(asdict(exchange) for exchange in read_session(self.episode))

    @cached_property
    def found(self) -> Evaluated:
        """What the evaluator makes of the record."""
        return evaluated(self.lines, self.script, self.duties)

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        """Stored outcomes by name of the obligation."""
        return {check.name: check for check in self.sheet.checks[1:]}

    @property
    def failed(self) -> bool:
        """Whether it was judged, and something was not met."""
        return bool(self.sheet.checks) and self.sheet.checks[0].outcome == "fail"

    @cached_property
    def broken(self) -> tuple[Obligation, ...]:
        """Obligations that were not met, in dependency order."""
        return tuple(
            one for one in self.duties.obligations
            if one.id in self.checks and self.checks[one.id].outcome == "fail"
        )  # fmt: skip

    @cached_property
    def causes(self) -> tuple[Obligation, ...]:
        """Broken obligations that no other broken one can have broken."""
        reached = self.downstream
        return tuple(one for one in self.broken if one.id not in reached)

    @cached_property
    def downstream(self) -> frozenset[str]:
        """Ids of everything that a broken obligation can break."""
        return reached_from({one.id for one in self.broken}, self.duties)


def reached_from(broken: set[str], duties: Duties) -> frozenset[str]:
    """Ids of obligations that need a broken one, or one that needs it, and so on.

    A broken obligation is among them only where it lies below another.
    """
    reached: set[str] = set()
    for obligation in duties.obligations:
        if any(need in broken or need in reached for need in obligation.needs):
            reached.add(obligation.id)
    return frozenset(reached)
