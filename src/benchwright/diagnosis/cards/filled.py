"""Filled sheets as labels: what each rater says of each card that the rater filled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast, get_args

from benchwright.diagnosis.cards.key import HANDOUT, SHEET_FILE, Key, Keyed
from benchwright.diagnosis.cards.places import GRAMMAR, NoPlace, parts_of, places_said
from benchwright.diagnosis.cards.sheet import Mistake, Row, read_sheet
from benchwright.diagnosis.documents.sources import Sources
from benchwright.diagnosis.labels.model import Degree, Label, Labels, RunVerdict
from benchwright.diagnosis.labels.pointing import follow
from benchwright.diagnosis.taxonomy import shipped
from benchwright.errors import BenchwrightError
from benchwright.storage import nearest
from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.resolve import Places

_VERDICTS = {verdict.replace("_", " "): verdict for verdict in get_args(RunVerdict)}
_ANSWERS = {"yes": True, "y": True, "no": False, "n": False}
PlacesOf = Callable[[Keyed], Places]


@dataclass(frozen=True, slots=True)
class Filled:
    """All sheets of a round."""

    labels: tuple[Labels, ...]
    """None where there is a mistake."""
    blank: Mapping[str, int]
    """Cards that a rater left empty, by rater; those raters only."""
    unchecked: int
    """Places that were not followed, because the run is not where it was."""
    mistakes: tuple[BenchwrightError, ...]
    """Of all sheets, in order of raters, rows and columns."""


@dataclass
class _Reading:
    """One sheet while it is read: says what is wrong and reads on."""

    key: Key
    places_of: PlacesOf
    patterns: frozenset[str]
    mistakes: list[Mistake] = field(default_factory=list)
    unchecked: int = 0

    def labels(self, rater: str, rows: Sequence[Row], whole: bool) -> Labels:
        """Labels of one card; `whole` where all its rows can be read."""
        own = self.key.cards[str(rows[0].card)]
        sources = Sources(self.places_of(own))
        verdict = self._once(rows, "run verdict", _VERDICTS)
        if whole and not any(row.cells["run verdict"] for row in rows):
            self._wrong(rows[0], "run verdict is missing", "run verdict", _choose(_VERDICTS))
        self._repeats(rows)
        return Labels(
            self.key.taxonomy,
            own.subject,
            rater,
            "human",
            cast(RunVerdict, verdict),
            tuple(self._label(row, own, sources) for row in rows if row.cells["pattern"]),
            "; ".join(filter(None, (_why(row) for row in rows if not row.cells["pattern"]))),
            cast(bool | None, self._once(rows, "accepted", _ANSWERS)),
        )

    def _wrong(
        self, row: Row, problem: str, column: str, hint: str, value: str | None = None
    ) -> None:
        self.mistakes.append(row.mistake(problem, column, hint, value))

    def _once(self, rows: Sequence[Row], column: str, names: Mapping[str, object]) -> object:
        """What a card has in a column; every row says the same or nothing."""
        first: Row | None = None
        for row in rows:
            if not row.cells[column]:
                continue
            if _words(row.cells[column]) not in names:
                self._wrong(row, f"{column} is not known", column, _choose(names))
            elif first is None:
                first = row
            elif names[_words(row.cells[column])] != names[_words(first.cells[column])]:
                problem = f"card {row.card} says otherwise in row {first.number}"
                self._wrong(row, problem, column, "Say it once for a card.")
        return None if first is None else names[_words(first.cells[column])]

    def _label(self, row: Row, own: Keyed, sources: Sources) -> Label:
        pattern = _code(row)
        if pattern not in self.patterns:
            stage = [one for one in self.patterns if one[0] == pattern[:1]]
            hint = nearest(pattern, stage or self.patterns)
            self._wrong(row, "no such pattern", "pattern", hint)
        degree = row.cells["degree"].casefold() or "hit"
        if degree not in get_args(Degree):
            hint = "Write hit or partial, or leave it empty: hit."
            self._wrong(row, "no such degree", "degree", hint)
        evidence = self._evidence(row, own, sources)
        return Label(pattern, cast(Degree, degree), None, None, evidence, row.cells["note"])

    def _evidence(self, row: Row, own: Keyed, sources: Sources) -> tuple[Evidence, ...]:
        parts = parts_of(row.cells["evidence"])
        if not parts:
            self._wrong(row, "pattern without evidence", "evidence", f"Write such as: {GRAMMAR}.")
        found: dict[Evidence, str] = {}
        for part in parts:
            try:
                found |= {one: part for one in places_said(part, own.files) if one not in found}
            except NoPlace:
                self._wrong(row, "not a place", "evidence", f"Write such as: {GRAMMAR}.", part)
        for evidence, part in found.items():
            followed = follow(evidence, sources, None, whole=sources.given)
            self.unchecked += followed.outcome == "unchecked"
            if followed.outcome == "astray":
                hint = "Look at the card again and correct the place."
                self._wrong(row, f"leads nowhere, {followed.why}", "evidence", hint, part)
        return tuple(found)

    def _repeats(self, rows: Sequence[Row]) -> None:
        seen: dict[str, int] = {}
        for row in rows:
            if not row.cells["pattern"]:
                if row.cells["degree"]:
                    hint = "Name the pattern of this row."
                    self._wrong(row, "degree without a pattern", "degree", hint)
                continue
            code = _code(row)
            if code in seen:
                problem = f"pattern stands in row {seen[code]} already"
                self._wrong(row, problem, "pattern", "Put all places into one row.")
            seen.setdefault(code, row.number)


def read_filled(folder: Path, key: Key, places_of: PlacesOf) -> Filled:
    """Every sheet of the round in `folder` as labels, by rater and card, or all its mistakes.

    `places_of` gives where a card's evidence leads, without any place where its run is gone.
    """
    numbers = sorted(map(int, key.cards))
    patterns = frozenset(shipped().map_from(key.taxonomy).patterns)
    found: list[Labels] = []
    mistakes: list[BenchwrightError] = []
    blank, unchecked = {}, 0
    for rater in key.order:
        try:
            sheet = read_sheet(folder / HANDOUT / rater / SHEET_FILE, numbers)
        except BenchwrightError as error:
            mistakes.append(error)
            continue
        reading = _Reading(key, places_of, patterns, [*sheet.mistakes])
        rows = {n: own for n in numbers if (own := [r for r in sheet.rows if r.card == n])}
        found += [reading.labels(rater, own, n not in sheet.broken) for n, own in rows.items()]
        mistakes += [one.error for one in sorted(reading.mistakes, key=lambda x: (x.row, x.column))]
        unchecked += reading.unchecked
        if len(rows) < len(numbers):
            blank[rater] = len(numbers) - len(rows)
    return Filled(() if mistakes else tuple(found), blank, unchecked, tuple(mistakes))


def _words(cell: str) -> str:
    return " ".join(cell.casefold().replace("_", " ").split())


def _choose(names: Iterable[str]) -> str:
    return f"Use one of: {', '.join(names)}."


def _code(row: Row) -> str:
    """The id in a cell; a name may stand behind it, as in the guide."""
    return row.cells["pattern"].upper().split()[0].rstrip(":")


def _why(row: Row) -> str:
    places = row.cells["evidence"]
    return " ".join(filter(None, (row.cells["note"], f"({places})" if places else "")))
