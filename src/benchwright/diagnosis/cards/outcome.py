"""What filled sheets say together: raters against each other, and against rules and scorer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass

from benchwright.diagnosis.labels.model import Labels
from benchwright.diagnosis.taxonomy import Taxonomy, order, shipped
from benchwright.stats.agreement import (
    Agreement,
    PairKappa,
    Ratings,
    agreement,
    pairwise_kappa,
    presence,
)

RULES = "rules"
SCORER = "scorer"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Agreement of a round; None where fewer than two raters filled anything."""

    verdicts: Agreement | None
    accepted: Agreement | None
    patterns: Agreement | None
    """Hit or no hit, every pattern of the taxonomy with every card, as `diagnosis.agreement` pools
    them: most are absences that both raters share, so it is far above that of any one pattern."""
    by_pattern: Mapping[str, Agreement]
    """The same of each pattern that anybody found."""
    rules: tuple[PairKappa, ...]
    """Proposed run verdicts against each rater."""
    scorer: tuple[PairKappa, ...]
    """Whether the scorer passes an episode against whether each rater accepts it."""


def outcome(
    every: Iterable[Labels],
    proposed: Mapping[str, Hashable],
    passed: Mapping[str, Hashable],
    taxonomy: Taxonomy | None = None,
) -> Outcome:
    """`proposed` verdict and `passed` by the scorer are by subject id, where they are known."""
    patterns = tuple((taxonomy or shipped()).patterns)
    own: dict[str, list[Labels]] = {}
    for labels in every:
        own.setdefault(labels.rater, []).append(labels)
    verdicts = {rater: _said(found, lambda x: x.verdict) for rater, found in own.items()}
    accepted = {rater: _said(found, lambda x: x.accepted) for rater, found in own.items()}
    hits: Mapping[str, Mapping[Hashable, Collection[str]]] = {
        rater: {x.subject.id: x.hits() for x in found} for rater, found in own.items()
    }
    every_hit = (hit for cards in hits.values() for found in cards.values() for hit in found)
    names = sorted(set(every_hit), key=order)
    return Outcome(
        _together(verdicts),
        _together(accepted),
        _together(presence(hits, patterns)),
        {name: found for name in names if (found := _together(presence(hits, [name])))},
        _against(RULES, proposed, verdicts),
        _against(SCORER, passed, accepted),
    )


def _said(
    found: Iterable[Labels], what: Callable[[Labels], Hashable]
) -> Mapping[Hashable, Hashable]:
    return {x.subject.id: what(x) for x in found if what(x) is not None}


def _together(ratings: Mapping[str, Mapping[Hashable, Hashable]]) -> Agreement | None:
    said = {rater: units for rater, units in ratings.items() if units}
    return agreement(said) if len(said) > 1 else None


def _against(
    name: str,
    machine: Mapping[str, Hashable],
    ratings: Mapping[str, Mapping[Hashable, Hashable]],
) -> tuple[PairKappa, ...]:
    """One pair for each rater who has rated something, the machine's first."""
    pairs: list[PairKappa] = []
    for rater in sorted(rater for rater, units in ratings.items() if units and machine):
        both: Ratings = {f" {name}": dict(machine.items()), rater: ratings[rater]}
        (pair,) = pairwise_kappa(both)
        pairs.append(PairKappa((name, rater), pair.units, pair.observed, pair.expected, pair.kappa))
    return tuple(pairs)
