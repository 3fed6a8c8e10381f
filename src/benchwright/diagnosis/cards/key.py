"""The key: which card is which episode. It stays with who made the cards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchwright.canonical import plain
from benchwright.diagnosis.labels.model import Subject
from benchwright.errors import FormatError, SpecError
from benchwright.storage import read_json, write_json
from benchwright.storage.records import Count, Text, record, without_repeats

KEY_FORMAT = "benchwright.card-key/1"
KEY_FILE = "key.json"
SAMPLE_FILE = "sample.json"
HANDOUT = "handout"
"""The folder of which each rater gets the part with the rater's name."""
SHEET_FILE = "sheet.csv"
RATER = re.compile(r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*")
"""Of a rater's name, which is a folder's too."""
_RESTORE = "Restore key.json as `diagnose cards` wrote it; it is not edited by hand."
_NUMBER = re.compile(r"[1-9][0-9]{0,5}")


@dataclass(frozen=True, slots=True)
class Keyed:
    """What one card is."""

    run: Text
    """Folder of the run, as it was named."""
    subject: Subject
    files: Mapping[str, str]
    """Artifacts by the name that the card shows."""


@dataclass(frozen=True, slots=True)
class Key:
    """All cards of a round."""

    taxonomy: Text
    seed: int
    cards: Mapping[str, Keyed]
    """By number."""
    order: Mapping[str, tuple[Count, ...]]
    """Of each rater's cards."""


def write_key(folder: Path, key: Key) -> None:
    """Write the key beside the hand-out."""
    data = plain(key)
    assert isinstance(data, dict)
    write_json(folder / KEY_FILE, {"format": KEY_FORMAT, **data})


def read_key(folder: Path) -> Key:
    """The key of the cards in `folder`.

    Raises:
        SpecError: there is none.
        FormatError: it is damaged: also without cards or raters, with a number that is none of a
            card, a rater's name that is none of a folder, or one subject on two cards.
    """
    file = folder / KEY_FILE
    if not file.is_file():
        raise SpecError(
            "no key of cards in this folder",
            value=str(folder),
            where="--read",
            hint="Name the folder that was given to --out, with key.json in it.",
        )
    key = record(Key, read_json(file, form=KEY_FORMAT), file)
    _check(key.cards, _NUMBER, f"{file}: cards", "number of a card cannot be used")
    _check(key.order, RATER, f"{file}: order", "name of a rater cannot be used")
    without_repeats((card.subject.id for card in key.cards.values()), "subject", f"{file}: cards")
    return key


def _check(names: Iterable[str], form: re.Pattern[str], where: str, problem: str) -> None:
    own = list(names)
    for name in own:
        if not form.fullmatch(name):
            raise FormatError(problem, value=name, where=where, hint=_RESTORE)
    if not own:
        raise FormatError("key holds nothing here", value="{}", where=where, hint=_RESTORE)
