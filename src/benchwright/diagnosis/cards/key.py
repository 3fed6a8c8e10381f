"""The key: which card is which episode. It stays with who made the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchwright.canonical import plain
from benchwright.diagnosis.labels.model import Subject
from benchwright.errors import SpecError
from benchwright.storage import read_json, write_json
from benchwright.storage.records import Count, Text, record

KEY_FORMAT = "benchwright.card-key/1"
KEY_FILE = "key.json"
SAMPLE_FILE = "sample.json"
HANDOUT = "handout"
"""The folder of which each rater gets the part with the rater's name."""
SHEET_FILE = "sheet.csv"


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
        FormatError: it is damaged.
    """
    file = folder / KEY_FILE
    if not file.is_file():
        raise SpecError(
            "no key of cards in this folder",
            value=str(folder),
            where="--read",
            hint="Name the folder that was given to --out, with key.json in it.",
        )
    return record(Key, read_json(file, form=KEY_FORMAT), file)
