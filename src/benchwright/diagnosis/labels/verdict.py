"""Proposals of a run verdict: whether a run counts, apart from what it scored. Never a number.

Rules propose, with the reason stated; a rater's own verdict stands before any of them, and both are
shown. Only the closing record, what was handed in, the reason of the score in its pool's own words
and patterns that somebody found are looked at: a container that ended well says nothing about what
it did, so no status of a container is (facts arft 3.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from benchwright.diagnosis.labels.model import Labels, RunVerdict
from benchwright.diagnosis.labels.pool import NO_POOL, Pool
from benchwright.episodes.model import End, Episode, Owner
from benchwright.episodes.session import SESSION_FILE, Replied, read_session
from benchwright.errors import SubmissionError
from benchwright.scoring.artifacts import artifact
from benchwright.tasks.model import Submission
from benchwright.trajectory.evidence import Evidence

ORDER: tuple[RunVerdict, ...] = ("infrastructure", "no_delivery", "invalid", "valid")
"""Which proposal stands before which: what failed first explains what came after."""
_MOST_NAMED = 8
"""Files that were left, in the reason of a proposal."""
By = Literal["owner", "handed_in", "reason", "pattern", "nothing_against"]


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run beside its trajectory; None where it is not known."""

    end: End | None = None
    owner: Owner | None = None
    delivered: bool | None = None
    """Whether what the task asks for was handed in at all."""
    reason: str | None = None
    """Of the score, in the words of the pool."""
    lacking: str = ""
    """What was asked for and is missing, and what was left; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one rule proposes."""

    verdict: RunVerdict
    by: By
    why: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Stated:
    """The verdict of one labelling, who it comes from, and every proposal beside it."""

    verdict: RunVerdict | None
    by: Literal["rater", "rule"] | None
    """None where neither says anything."""
    why: str
    proposals: tuple[Proposal, ...]


def facts_of(episode: Episode, submission: Submission, reason: str | None = None) -> RunFacts:
    """The facts of a closed episode; `reason` is that of its score."""
    handed_in = delivered(episode, submission)
    lacking = _lacking(episode, submission) if handed_in is False else ""
    return RunFacts(episode.end, episode.owner, handed_in, reason, lacking)


def delivered(episode: Episode, submission: Submission) -> bool | None:
    """Whether there is a reply, or a file of the name that was asked for that is not empty."""
    if submission.mode == "dialogue":
        if not (episode.folder / SESSION_FILE).is_file():
            return None
        return any(isinstance(exchange, Replied) for exchange in read_session(episode))
    try:
        return artifact(episode, submission.file).stat().st_size > 0
    except SubmissionError:
        return False


def _lacking(episode: Episode, submission: Submission) -> str:
    asked, folder = submission.file, episode.folder / "artifacts"
    if submission.mode == "dialogue":
        return f"asked for: a reply by {asked}, and there is none"
    try:
        artifact(episode, asked)
        why = "empty"
    except SubmissionError as error:
        why = error.where
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    left = [name for name in names if name != asked]
    shown = [*left[:_MOST_NAMED], *(["..."] if len(left) > _MOST_NAMED else [])]
    return f"asked for: {asked} ({why}); left beside it: {', '.join(shown) or 'nothing'}"


def propose(
    facts: RunFacts, labels: Iterable[Labels] = (), pool: Pool = NO_POOL
) -> tuple[Proposal, ...]:
    """Every proposal, the one that stands first; none where too little is known.

    `labels` are those of the same run, of any rater. `valid` is proposed only for a run that is
    closed, has handed something in and has nothing known against it.
    """
    found = [*_owner(facts), *_handed_in(facts), *_reason(facts, pool), *_patterns(labels, pool)]
    if not found and facts.end is not None and facts.delivered:
        why = "it was handed in, and nothing is known that speaks against it"
        found = [Proposal("valid", "nothing_against", why)]
    return tuple(sorted(found, key=lambda one: ORDER.index(one.verdict)))


def stated(labels: Labels, proposals: tuple[Proposal, ...]) -> Stated:
    """The rater's own verdict where there is one, else the first proposal."""
    if labels.verdict is not None:
        return Stated(labels.verdict, "rater", labels.verdict_why, proposals)
    if proposals:
        return Stated(proposals[0].verdict, "rule", proposals[0].why, proposals)
    return Stated(None, None, "", ())


def _owner(facts: RunFacts) -> Iterator[Proposal]:
    if facts.owner not in (None, "agent"):
        end = facts.end
        said = f": {end.reason}" if end and end.reason else ""
        yield Proposal("infrastructure", "owner", f"the fault is of the {facts.owner}{said}")


def _handed_in(facts: RunFacts) -> Iterator[Proposal]:
    if facts.delivered is False:
        how = f" (end: {facts.end.kind})" if facts.end else ""
        why = facts.lacking or "nothing was handed in"
        yield Proposal("no_delivery", "handed_in", f"{why}{how}")


def _reason(facts: RunFacts, pool: Pool) -> Iterator[Proposal]:
    found = pool.says(facts.reason)
    if found is not None:
        why = f"the reason of the score begins with {found[0]}, by the pool {pool.name}"
        yield Proposal(found[1], "reason", why)


def _patterns(labels: Iterable[Labels], pool: Pool) -> Iterator[Proposal]:
    for own in labels:
        for label in own.labels:
            reason = pool.invalidating.get(label.pattern or "")
            if label.degree == "hit" and reason is not None:
                why = f"{label.pattern} by {own.rater}: {reason}"
                yield Proposal("invalid", "pattern", why, label.evidence)
