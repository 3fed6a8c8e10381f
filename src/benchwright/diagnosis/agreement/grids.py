"""Agreement as tables, and the published kappas beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchwright.diagnosis.agreement.against import Against, Compared, Figure
from benchwright.diagnosis.agreement.among import Among
from benchwright.diagnosis.agreement.findings import MatchedFindings
from benchwright.diagnosis.agreement.levels import SetLevel, lower_confidence
from benchwright.diagnosis.published.stated import Level, published
from benchwright.diagnosis.tables.corpus import ALL
from benchwright.diagnosis.tables.grid import LOWER, Column, Grid, Value, counts, texts
from benchwright.diagnosis.taxonomy import Taxonomy
from benchwright.stats.bootstrap import Interval

_INTERVALS = "Intervals: 95 %, whole tasks drawn again with replacement; unknown where the figure \
does not vary, or has no value in more than one of twenty draws."
_UNITS = {
    "pattern": "A unit is one pattern of one trajectory: present where it is a hit.",
    "pillar": "A unit is one pillar of one trajectory: present where any pattern of it is a hit.",
    "stage": "A unit is one stage of one trajectory: present where any pattern of it is a hit.",
}
_UNKNOWN = "Kappa and alpha are unknown where nothing varies."


def among_grid(rows: Sequence[Among], level: SetLevel, taxonomy: Taxonomy) -> Grid:
    """Raters among each other: all names pooled, then each."""
    first = rows[0].agreement
    pairs = [" and ".join(pair.raters) for pair in first.pairs]
    return Grid(
        f"agreement-{level}",
        f"Agreement of {', '.join(first.raters)} on each {level}",
        (*texts(level), *counts("trajectories", *(f"found by {r}" for r in first.raters)),
         *(Column(f"kappa {pair}", "number") for pair in pairs),
         *_with_interval("mean kappa", "number"), *_with_interval("alpha", "number")),
        tuple(
            (
                _name(row.name, level, taxonomy), row.trajectories, *row.found.values(),
                *(pair.kappa for pair in row.agreement.pairs),
                row.agreement.mean, *_bounds(row.mean_interval),
                row.agreement.alpha, *_bounds(row.alpha_interval),
            )
            for row in rows
        ),
        (_UNITS[level], "Each kappa is over trajectories that both have labelled; "
         "those of one rater alone count nowhere.", _UNKNOWN, _INTERVALS, LOWER),
    )  # fmt: skip


def against_grid(found: Sequence[Against], level: SetLevel, taxonomy: Taxonomy) -> Grid:
    """Each rater against the one that is taken at its word."""
    return Grid(
        f"against-{found[0].truth}-{level}",
        f"Against {found[0].truth}, by {level}",
        (*texts("rater", level), *counts("shared", "right", "wrong", "missed"),
         *_with_interval("precision", "share"), *_with_interval("recall", "share"),
         *_with_interval("F1", "share"), *_with_interval("kappa", "number")),
        tuple(
            (one.rater, _name(row.name, level, taxonomy), one.shared, *_compared(row))
            for one in found
            for row in one.compared
        ),
        (_UNITS[level], *map(left_out, found), "Precision is unknown where nothing was found, "
         "recall where nothing is true.", _UNKNOWN, _INTERVALS, LOWER),
    )  # fmt: skip


def findings_grid(found: Sequence[MatchedFindings]) -> Grid:
    """Findings matched by place."""
    alike = [c for level in found[0].alike for c in _with_interval(f"same {level}", "share")]
    return Grid(
        f"against-{found[0].truth}-finding",
        f"Findings against those of {found[0].truth}, matched by overlap of their places",
        (*texts("rater"), *counts("shared", "matched", "not matched", "missed", "without place",
         "truth without place"),
         *_with_interval("precision", "share"), *_with_interval("recall", "share"),
         *_with_interval("F1", "share"), *alike),
        tuple(
            (
                one.rater, one.shared, one.counts.right, one.counts.wrong, one.counts.missed,
                *one.placeless, *_cells(one.precision), *_cells(one.recall), *_cells(one.f1),
                *(cell for figure in one.alike_share.values() for cell in _cells(figure)),
            )
            for one in found
        ),
        (*map(left_out, found), "same pattern, pillar, stage: of the matched.",
         *(f"Of {one.pointers} pointers of {one.rater} and {one.truth}, {one.unfollowed} lead into "
           "what was not given (--run) and are taken as written." for one in found
           if one.unfollowed), _INTERVALS),
    )  # fmt: skip


def kappas_grid(
    ours: Iterable[tuple[str, Level, str, float | None]] = (), programs: Sequence[str] = ()
) -> Grid:
    """Published kappas, each beside ours of the same kind and level; without any ours, all five.

    `ours` are (`raters` or `against`, level, name of a rater or of all, kappa); `programs` raters
    whose word stands here where that of people stands there.
    """
    kept = list(ours)
    words = {
        "raters": "Among the raters here is a program ({}), there are people alone. ",
        "against": "What is true here is the word of a program ({}), there of people. ",
    }
    differs = {
        kind: word.format(", ".join(programs)) * bool(programs) for kind, word in words.items()
    }
    rows: list[tuple[Value, ...]] = []
    for one in published().kappas:
        same = [(who, k) for kind, level, who, k in kept if (kind, level) == (one.ours, one.level)]
        for who, kappa in same if kept else [("", None)]:
            rows.append(
                (
                    one.value,
                    one.raters,
                    one.level,
                    who,
                    kappa,
                    differs[one.ours] + one.differs,
                    one.where,
                )
            )
    return Grid(
        "published-kappas",
        "Published kappas beside ours",
        (*texts("published", "between", "level", "ours: raters"), Column("ours", "number"),
         *texts("what differs", "part of the paper")),
        tuple(rows),
        ("Precision, recall and F1 are in a table that is not in the text at hand.",),
    )  # fmt: skip


def left_out(one: Against | MatchedFindings) -> str:
    """What two raters do not share."""
    return (
        f"{one.rater} and {one.truth} share {one.shared}; {one.only_rater} of {one.rater} alone "
        f"and {one.only_truth} of {one.truth} alone count nowhere."
    )


def _name(name: str, level: SetLevel, taxonomy: Taxonomy) -> str:
    if not name:
        return ALL
    starred = f"{name}{'*' * lower_confidence(taxonomy, level, name)}"
    return f"{ALL} of {starred}" if level == "pattern" and name in taxonomy.pillars else starred


def _compared(row: Compared) -> tuple[Value, ...]:
    figures = (row.precision, row.recall, row.f1, row.kappa)
    cells = (cell for figure in figures for cell in _cells(figure))
    return row.counts.right, row.counts.wrong, row.counts.missed, *cells


def _cells(figure: Figure) -> tuple[Value, Value, Value]:
    return figure.value, *_bounds(figure.interval)


def _bounds(found: Interval) -> tuple[float | None, float | None]:
    return found or (None, None)


def _with_interval(title: str, kind: str) -> tuple[Column, ...]:
    return tuple(
        Column(name, "share" if kind == "share" else "number")
        for name in (title, f"{title} low", f"{title} high")
    )
