"""The records of a label file: a subject, who labelled it, its run verdict, its labels.

Two readings of the paper and its code are one schema: per issue of a document one pattern or none
(paper 3.3), and per document many patterns with hits and partials (facts arft 6.2). A label with an
`issue` is of the first kind, one without of the second; a file holds one kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from benchwright.episodes.model import AgentRecord
from benchwright.trajectory.evidence import Evidence

RunVerdict = Literal["valid", "invalid", "no_delivery", "infrastructure"]
"""Of the run, apart from any score: it counts; it cannot count (leak, fitted scorer, no
computation behind it); nothing was handed in; the machine failed, not the agent."""
RaterKind = Literal["human", "judge", "screen"]
Degree = Literal["hit", "partial"]
Severity = Literal["high", "medium", "low", "none"]
"""Of all hits of a labelling together; `none` exactly where there is no hit (facts arft 6.7)."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The trajectory that was labelled. Every field but `id` may be empty: not known."""

    id: str
    """Episode id, or name and digest of a foreign log."""
    task: str = ""
    system: str = ""
    """Agent and model as one name, as `system_of` makes it."""
    suite: str = ""
    kind: str = ""
    """Task kind, e.g. `open` or `target`."""
    domain: str = ""


def system_of(agent: AgentRecord) -> str:
    """Agent and model as one name; one that was given the answers says so."""
    given = "(given the answers)" if agent.privileged else ""
    return " ".join(filter(None, (agent.name, agent.model, given)))


@dataclass(frozen=True, slots=True)
class Label:
    """One pattern that was found, or an issue that fits none (`pattern` None, `issue` given)."""

    pattern: str | None
    degree: Degree
    issue: int | None
    """Number of the issue in the document; None in a labelling of the whole document."""
    confidence: float | None
    """In [0, 1]; None where the rater gives none."""
    evidence: tuple[Evidence, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Labels:
    """All that one rater says about one subject."""

    taxonomy: str
    """Version of the taxonomy; other versions are mapped or refused, never mixed."""
    subject: Subject
    rater: str
    rater_kind: RaterKind
    verdict: RunVerdict | None
    """None where the rater did not say."""
    labels: tuple[Label, ...]
    verdict_why: str = ""
    """Why the verdict is what it is, in a sentence."""
    accepted: bool | None = None
    """Whether the rater would take what was handed in as an answer to the task; None: not said.
    It is what a scorer's pass or fail is held against, and no part of the run verdict."""
    severity: Severity | None = None
    """None where the rater does not say."""

    def hits(self) -> frozenset[str]:
        """Distinct patterns with a hit: what every table counts once per trajectory."""
        return frozenset(x.pattern for x in self.labels if x.pattern and x.degree == "hit")
