"""Each published statement beside the figure that the other published figures lead to.

- `agrees`: the two are the same within rounding;
- `mismatch`: no figure that is left open agrees;
- `open`: some do, and what would decide is not published;
- `derived`: the text does not state the figure.

A fraction in words agrees where it is the nearest of those with a denominator up to six.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from benchwright.diagnosis.published.bounds import (
    Bounds,
    Known,
    exactly,
    nearest_fraction,
    printed,
)
from benchwright.diagnosis.published.stated import Published, Statement, published
from benchwright.diagnosis.tables.grid import Grid, texts
from benchwright.diagnosis.taxonomy import Taxonomy, one_version, shipped

Outcome = Literal["agrees", "mismatch", "open", "derived"]


@dataclass(frozen=True, slots=True)
class Recomputed:
    """One statement and what follows from the others."""

    fact: str
    what: str
    where: str
    stated: str
    """As the text has it; empty where it has not."""
    recomputed: str
    outcome: Outcome


def recompute(
    stated: Published | None = None, taxonomy: Taxonomy | None = None
) -> tuple[Recomputed, ...]:
    """Every statement of a file, in its order.

    Raises:
        SpecError: the file is of another version of the taxonomy, or names an unknown pattern.
    """
    file, patterns = stated or published(), taxonomy or shipped()
    one_version([file.taxonomy, patterns.version], "published figures and taxonomy")
    for name in (*file.rates, *file.counts, *(p for s in file.statements for p in s.patterns)):
        patterns.pattern(name, "published figures")
    known = Known(file, patterns)
    return tuple(_one(statement, file, known) for statement in file.statements)


def recomputed_grid() -> Grid:
    """The same as a table."""
    rows = tuple(
        (one.fact, one.what, one.stated, one.recomputed, one.outcome, one.where)
        for one in recompute()
    )
    return Grid(
        "published",
        "Published figures, recomputed from each other",
        texts("fact", "what", "stated", "recomputed", "outcome", "part of the paper"),
        rows,
        (
            "agrees: the same within rounding. mismatch: no figure that is left open agrees. "
            "open: what would decide is not published. derived: not stated in the text.",
            "A fraction in words agrees where it is the nearest with a denominator up to six.",
        ),
    )


def _one(statement: Statement, stated: Published, known: Known) -> Recomputed:
    said, found, outcome = _KINDS[statement.kind](statement, stated, known)
    return Recomputed(statement.fact, statement.what, statement.where, said, found, outcome)


Answer = tuple[str, str, Outcome]


def _mean(_: Statement, stated: Published, known: Known) -> Answer:
    mean = stated.hits / stated.analyses
    return "", f"{stated.hits:,} / {stated.analyses} = {mean:.2f}", "derived"


def _rates(_: Statement, stated: Published, known: Known) -> Answer:
    wrong = [name for name in stated.rates if known.pattern(name).empty]
    for name in stated.counts.keys() & stated.rates.keys():
        share = exactly(Fraction(100 * stated.counts[name], stated.analyses))
        if (share & printed(stated.rates[name])).empty:
            wrong.append(name)
    said = f"{len(stated.rates)} rates"
    if wrong:
        return said, f"not of a whole number, or not of its count: {' '.join(wrong)}", "mismatch"
    return said, "one count each", "agrees"


def _share(statement: Statement, stated: Published, known: Known) -> Answer:
    whole = known.pillar(statement.of)
    if statement.pillars:
        part = sum((known.pillar(pillar) for pillar in statement.pillars), exactly(0))
        sure = True
    else:
        part = known.together(statement.patterns, statement.of)
        sure = known.determined(statement.patterns, statement.of)
    share = part.by(whole)
    fits = _fits(statement.stated, share)
    outcome: Outcome = "mismatch" if not fits else "agrees" if sure else "open"
    hits = f"{_range(part, '{:,.0f}')} of {_range(whole, '{:,.0f}')}"
    percent = Bounds(100 * share.low, 100 * share.high)
    return statement.stated, f"{hits} = {_range(percent, '{:.1f}')} %", outcome


def _rest(statement: Statement, stated: Published, known: Known) -> Answer:
    """What stated groups of a pillar leave for its other patterns."""
    groups = [s for s in stated.statements if s.kind == "share" and s.of == statement.of]
    told = [printed(s.stated.removesuffix(" %")) for s in groups if s.stated.endswith(" %")]
    left = exactly(100) - sum(told, exactly(0))
    most = left.high * known.pillar(statement.of).high / 100
    said = " + ".join(s.stated for s in groups if s.stated.endswith(" %"))
    if left.high < 0:
        return said, "more than all", "mismatch"
    return said, f"{float(left.high):.1f} % at most, {int(most):,} hits", "derived"


def _fits(stated: str, share: Bounds) -> bool:
    """Whether any share that is left open is what is stated."""
    if stated.endswith(" %"):
        told = printed(stated.removesuffix(" %"))
        return not (Bounds(told.low / 100, told.high / 100) & share).empty
    fraction = Fraction(stated)
    return nearest_fraction(share.low) <= fraction <= nearest_fraction(share.high)


def _systems(statement: Statement, stated: Published, known: Known) -> Answer:
    n, least, most = statement.systems, statement.least, statement.most
    low, high = least * (n - 1) + most, least + most * (n - 1)
    outcome: Outcome = "open" if low <= stated.hits <= high else "mismatch"
    total = f"together {low:,} to {high:,}, and {stated.hits:,} are stated"
    return f"{least:,} to {most:,}", total, outcome


def _rank(statement: Statement, stated: Published, known: Known) -> Answer:
    best, worst = known.rank(statement.patterns[0])
    outcome: Outcome = (
        "mismatch" if best > statement.rank else "agrees" if worst <= statement.rank else "open"
    )
    count = _range(known.pattern(statement.patterns[0]), "{:,.0f}")
    return f"rank {statement.rank} or better", f"{count} trajectories: rank {best} at best", outcome


_KINDS: Final[Mapping[str, Callable[[Statement, Published, Known], Answer]]] = {
    "mean": _mean, "rates": _rates, "share": _share, "rest": _rest,
    "systems": _systems, "rank": _rank,
}  # fmt: skip


def _range(bounds: Bounds, form: str) -> str:
    low, high = form.format(float(bounds.low)), form.format(float(bounds.high))
    return low if low == high else f"{low} to {high}"
