"""The audit: learners look at views, and their hits are judged by their law.

    ask(view)        5-fold cross-validation by configuration -> answers, one per learner
    judged(answers)  every answer of a set together           -> verdicts

The p-value of an answer is that of its hits over all folds under `hits.hits_law`, guesses held. In
each fold that law is exact, because what was guessed there depends on the classes of other folds
only. Over folds it takes hits as independent, which they are not: with shuffled classes their
variance was 1.4 times that of the law, for nearest means, nearest neighbours and ridge alike. So
p-values and intervals are those of twice its variance (`hits.at_least`), and a test with shuffled
classes shows that the level holds.

A set is at fault where any deciding p-value is at most LEVEL over their number (Bonferroni), so a
set that tells nothing is accused with probability LEVEL at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from benchwright.checks.shortcuts.hits import Law, at_least, hits_law, interval, mean
from benchwright.checks.shortcuts.learners import LEARNERS, Learner, guessed
from benchwright.checks.shortcuts.view import Integers, View, folds, numbered

LEVEL: Final = 0.02
"""Probability, at most, that a set which tells nothing is accused."""
LEAST_SAMPLES: Final = 700
"""With fewer a learner may miss what a larger set would tell."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What one learner got right in one view."""

    where: str
    view: str
    learner: str
    detail: str
    decides: bool
    samples: int
    configurations: int
    hits: int
    law: Law
    """Of the hits in independent folds, where the view tells nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """An answer beside its chances."""

    answer: Answer
    tail: float
    """Level of this one test."""

    @property
    def p(self) -> float:
        """The probability of as many hits or more by chance."""
        return at_least(self.answer.law, self.answer.hits)

    @property
    def fires(self) -> bool:
        """Whether the set tells what it must not."""
        return self.answer.decides and self.p <= self.tail

    @property
    def accuracy(self) -> float:
        """Share of hits."""
        return self.answer.hits / self.answer.samples

    @property
    def chance(self) -> float:
        """Expected share of hits."""
        return mean(self.answer.law) / self.answer.samples

    @property
    def interval(self) -> tuple[float, float]:
        """Shares of hits beyond which, on either side, chance leads with probability `tail`."""
        low, high = interval(self.answer.law, self.tail)
        return low / self.answer.samples, high / self.answer.samples


def ask(view: View, learners: Sequence[Learner] = LEARNERS) -> list[Answer]:
    """What each learner gets right that can look at such data."""
    view = view.ordered()
    parts = folds(view.groups)
    return [_answer(view, learner, parts) for learner in learners if learner.fits(view)]


def judged(answers: Iterable[Answer], level: float = LEVEL) -> list[Verdict]:
    """Verdicts on all answers of a set, which share the level."""
    answers = list(answers)
    tests = sum(answer.decides for answer in answers)
    return [Verdict(answer, level / max(1, tests)) for answer in answers]


def _answer(view: View, learner: Learner, parts: Integers) -> Answer:
    labels, groups = numbered(view.labels), numbered(view.groups)
    guesses = guessed(learner, view, parts)
    return Answer(
        where=view.where,
        view=view.name,
        learner=learner.name,
        detail=view.detail,
        decides=view.decides,
        samples=len(labels),
        configurations=len(set(view.groups)),
        hits=int((guesses == labels).sum()),
        law=hits_law(labels.tolist(), guesses.tolist(), groups.tolist()),
    )
