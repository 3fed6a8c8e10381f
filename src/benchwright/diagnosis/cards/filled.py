"""Filled sheets as labels: what each rater says of each card that the rater filled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

from benchwright.diagnosis.cards.key import HANDOUT, SHEET_FILE, Key, Keyed
from benchwright.diagnosis.cards.places import GRAMMAR, NoPlace, places_said
from benchwright.diagnosis.cards.sheet import Row, read_sheet
from benchwright.diagnosis.documents.sources import Sources
from benchwright.diagnosis.labels.model import Degree, Label, Labels, RunVerdict
from benchwright.diagnosis.labels.pointing import follow
from benchwright.diagnosis.taxonomy import shipped
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
    blank: Mapping[str, int]
    """Cards that a rater left empty, by rater; those raters only."""
    unchecked: int
    """Places that were not followed, because the run is not where it was."""


@dataclass
class _Reading:
    """One sheet while it is read."""

    key: Key
    places_of: PlacesOf
    patterns: frozenset[str]
    unchecked: int = 0

    def labels(self, rater: str, card: int, rows: list[Row]) -> Labels:
        own = self.key.cards[str(card)]
        verdict = _same(rows, "run verdict")
        if verdict is None:
            rows[0].refuse("run verdict is missing", "run verdict", _choose(_VERDICTS))
        value = _known(verdict, "run verdict", _VERDICTS)
        accepted = _same(rows, "accepted")
        sources = Sources(self.places_of(own))
        found = [self._label(row, own, sources) for row in rows if row.cells["pattern"]]
        _refuse_repeats(rows)
        return Labels(
            self.key.taxonomy,
            own.subject,
            rater,
            "human",
            cast(RunVerdict, value),
            tuple(found),
            "; ".join(filter(None, (_why(row) for row in rows if not row.cells["pattern"]))),
            None if accepted is None else bool(_known(accepted, "accepted", _ANSWERS)),
        )

    def _label(self, row: Row, own: Keyed, sources: Sources) -> Label:
        pattern = _code(row)
        if pattern not in self.patterns:
            stage = [one for one in self.patterns if one[0] == pattern[:1]]
            row.refuse("no such pattern", "pattern", nearest(pattern, stage or self.patterns))
        degree = row.cells["degree"].casefold() or "hit"
        if degree not in get_args(Degree):
            row.refuse("no such degree", "degree", "Write hit or partial, or leave it empty: hit.")
        evidence = self._evidence(row, own, sources)
        return Label(pattern, cast(Degree, degree), None, None, evidence, row.cells["note"])

    def _evidence(self, row: Row, own: Keyed, sources: Sources) -> tuple[Evidence, ...]:
        try:
            found = places_said(row.cells["evidence"], own.files)
        except NoPlace as error:
            row.refuse(f"not a place: {error}", "evidence", f"Write such as: {GRAMMAR}.")
        if not found:
            row.refuse("pattern without evidence", "evidence", f"Write such as: {GRAMMAR}.")
        for evidence in found:
            followed = follow(evidence, sources, None, whole=sources.given)
            self.unchecked += followed.outcome == "unchecked"
            if followed.outcome == "astray":
                said = f"{evidence.source} {evidence.at}".strip()
                row.refuse(f"{said} leads nowhere: {followed.why}", "evidence",
                           "Look at the card again and correct the place.")  # fmt: skip
        return found


def read_filled(folder: Path, key: Key, places_of: PlacesOf) -> Filled:
    """Every sheet of the round in `folder` as labels, by rater and card.

    `places_of` gives where a card's evidence leads, without any place where its run is gone.

    Raises:
        SpecError: a cell that cannot be used; sheet, row, column, value and next step are named.
    """
    numbers = sorted(map(int, key.cards))
    patterns = frozenset(shipped().map_from(key.taxonomy).patterns)
    reading, found, blank = _Reading(key, places_of, patterns), [], {}
    for rater in key.order:
        rows: dict[int, list[Row]] = {}
        for row in read_sheet(folder / HANDOUT / rater / SHEET_FILE, numbers):
            rows.setdefault(row.card, []).append(row)
        found += [reading.labels(rater, card, rows[card]) for card in numbers if card in rows]
        if len(rows) < len(numbers):
            blank[rater] = len(numbers) - len(rows)
    return Filled(tuple(found), blank, reading.unchecked)


def _same(rows: list[Row], column: str) -> Row | None:
    """The first row of a card that fills a column; the others say the same or nothing."""
    saying = [row for row in rows if row.cells[column]]
    for row in saying[1:]:
        if row.cells[column].casefold() != saying[0].cells[column].casefold():
            row.refuse(f"card {row.card} says otherwise in row {saying[0].number}", column,
                       "Say it once for a card.")  # fmt: skip
    return saying[0] if saying else None


def _known(row: Row, column: str, names: Mapping[str, object]) -> object:
    value = " ".join(row.cells[column].casefold().replace("_", " ").split())
    if value not in names:
        row.refuse(f"{column} is not known", column, _choose(names))
    return names[value]


def _choose(names: Iterable[str]) -> str:
    return f"Use one of: {', '.join(names)}."


def _code(row: Row) -> str:
    """The id in a cell; a name may stand behind it, as in the guide."""
    return row.cells["pattern"].upper().split()[0].rstrip(":")


def _refuse_repeats(rows: list[Row]) -> None:
    seen: dict[str, int] = {}
    for row in rows:
        if not row.cells["pattern"]:
            if row.cells["degree"]:
                row.refuse("degree without a pattern", "degree", "Name the pattern of this row.")
            continue
        code = _code(row)
        if code in seen:
            row.refuse(f"pattern stands in row {seen[code]} already", "pattern",
                       "Put all places into one row.")  # fmt: skip
        seen[code] = row.number


def _why(row: Row) -> str:
    places = row.cells["evidence"]
    return " ".join(filter(None, (row.cells["note"], f"({places})" if places else "")))
