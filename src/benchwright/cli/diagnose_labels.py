"""`diagnose labels`: rules that label files break, their run verdicts, issues without a pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.cli.output import emit_json, say
from benchwright.diagnosis.documents.parse import Document, parse
from benchwright.diagnosis.labels.carry import collected
from benchwright.diagnosis.labels.file import read_collection
from benchwright.diagnosis.labels.model import Labels
from benchwright.diagnosis.labels.nones import NoneRate, none_rate, none_rates
from benchwright.diagnosis.labels.pool import NO_POOL, Pool, open_pool
from benchwright.diagnosis.labels.quality import Quality, quality
from benchwright.diagnosis.labels.verdict import (
    Proposal,
    RunFacts,
    Stated,
    facts_of,
    propose,
    stated,
)
from benchwright.diagnosis.taxonomy import shipped
from benchwright.episodes.places import places_in
from benchwright.report.run import RunView
from benchwright.report.terminal import tame
from benchwright.report.words import counted
from benchwright.storage.reading import read_text
from benchwright.suites import open_suite
from benchwright.trajectory.resolve import Places


@dataclass(frozen=True, slots=True)
class Judged:
    """One label file by all rules."""

    labels: Labels
    quality: Quality
    verdict: Stated


@dataclass(frozen=True, slots=True)
class Around:
    """What is at hand of one subject beside its labels."""

    places: Places
    facts: RunFacts
    passed: bool | None = None
    """Whether its scorer finds everything right; None where nothing was scored."""


def run(
    folder: Path, runs: Sequence[Path], documents: Path | None, pool: str | None, as_json: bool
) -> int:
    """Say what every label file breaks and states; 1 where any breaks a rule."""
    every = collected(read_collection(folder), shipped())
    vocabulary = open_pool(pool) if pool else NO_POOL
    subjects = {one.subject.id for one in every}
    around = {name: one for path in runs for name, one in around_of(path, subjects).items()}
    found = [_judged(one, every, around, documents, vocabulary) for one in every]
    if as_json:
        emit_json("diagnose.labels", {
            "files": [_document(one) for one in found],
            "none": none_rate(every),
            "none_by_rater": none_rates(every),
        })  # fmt: skip
    else:
        for line in _lines(found, every):
            say(tame(line))
    return 0 if all(one.quality.good for one in found) else 1


def around_of(path: Path, subjects: Collection[str]) -> dict[str, Around]:
    """By id, the closed episodes of a run that are subjects: where evidence leads, what is known.

    Raises:
        BenchwrightError: the run or its task set cannot be opened.
    """
    view = RunView.open(path, lambda suite: open_suite(suite).scoring)
    found = {}
    for planned in view.folder.plan:
        episode = view.episode(planned) if planned.id in subjects else None
        if episode is not None:
            rows = [row for row in view.rows[planned.id] if row.metric == view.scoring.counted]
            reason = next((row.reason for row in rows), None)
            values = [row.value for row in rows if row.value is not None]
            passed = min(values) >= 1 if values else None
            facts = facts_of(episode, view.tasks.task(planned.task_id).submission, reason)
            found[planned.id] = Around(places_in(episode.folder), facts, passed)
    return found


def _judged(
    labels: Labels,
    every: Sequence[Labels],
    around: Mapping[str, Around],
    documents: Path | None,
    pool: Pool,
) -> Judged:
    given = labels.subject.id in around
    own = around[labels.subject.id] if given else Around(Places(), RunFacts())
    same = [other for other in every if other.subject.id == labels.subject.id]
    return Judged(
        labels,
        quality(labels, own.places, _analysis(documents, labels.subject.id), whole=given),
        stated(labels, propose(own.facts, same, pool)),
    )


def _analysis(documents: Path | None, subject: str) -> Document | None:
    """`<subject>.md` or `<subject>/analysis.md`, where there is one."""
    if documents is None:
        return None
    files = (documents / f"{subject}.md", documents / subject / "analysis.md")
    file = next((file for file in files if file.is_file()), None)
    return parse(read_text(file)) if file else None


def _document(one: Judged) -> dict[str, object]:
    return {
        "subject": one.labels.subject,
        "rater": one.labels.rater,
        "rater_kind": one.labels.rater_kind,
        "good": one.quality.good,
        "quality": one.quality,
        "verdict": one.verdict,
    }


def _lines(found: Sequence[Judged], every: Sequence[Labels]) -> Iterator[str]:
    for one in found:
        hits = counted(len(one.labels.hits()), "hit")
        yield f"{one.labels.subject.id} by {one.labels.rater}: {verdict_words(one.verdict)}, {hits}"
        for proposal in one.verdict.proposals:
            yield f"  proposed {proposal_words(proposal)}"
        for flaw in one.quality.flaws:
            word = "FLAW" if flaw.breaks else "note"
            yield f"  {word} {flaw.rule}: {flaw.problem} ({flaw.where}): {flaw.got}; {flaw.need}"
        if one.quality.unchecked:
            pointers = counted(one.quality.pointers, "pointer")
            yield f"  not followed: {one.quality.unchecked} of {pointers}; --run or --documents"
    raters = counted(len({one.rater for one in every}), "rater")
    bad = sum(not one.quality.good for one in found)
    yield f"{counted(len(every), 'label file')} of {raters}: {bad or 'none'} with flaws"
    for rule, number in sorted(Counter(f.rule for o in found for f in o.quality.flaws).items()):
        yield f"  {rule}: {number}"
    for rater, rate in none_rates(every).items():
        yield f"issues that fit no pattern, by {rater}: {rate_words(rate)}"


def verdict_words(verdict: Stated) -> str:
    """The run verdict and whose it is."""
    if verdict.verdict is None:
        return "no run verdict"
    whose = "its own" if verdict.by == "rater" else "proposed"
    return f"{verdict.verdict.replace('_', ' ')} ({whose})"


def proposal_words(proposal: Proposal) -> str:
    """What a rule proposes, and why."""
    return f"{proposal.verdict.replace('_', ' ')}: {proposal.why}"


def rate_words(rate: NoneRate) -> str:
    """A rate with its interval."""
    low, high = rate.interval
    share = "no issue" if rate.share is None else f"{rate.share:.1%}"
    return f"{rate.none} of {rate.issues} ({share}, 95 % exact {low:.1%} to {high:.1%})"
