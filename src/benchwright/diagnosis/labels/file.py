"""`benchwright.labels/1`: what one rater says of one subject, as a JSON file of its own.

A machine's file: keys that this version does not know are passed over and stay in the file. What a
file *says* may be wrong in many ways, and `quality` names them; what is refused here has not even
the form of a label file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright.canonical import Json, digest, make_id, plain
from benchwright.diagnosis.labels.model import Labels
from benchwright.errors import FormatError, SpecError
from benchwright.storage import read_json, write_json
from benchwright.storage.records import record

LABELS_FORMAT = "benchwright.labels/1"
_LONGEST_SLUG = 120


def read_labels(file: Path) -> Labels:
    """The labels in `file`.

    Raises:
        FormatError: no JSON, another format, a key that is missing or of another type, a subject
            or rater without a name.
    """
    return labels_of(read_json(file, form=LABELS_FORMAT), file)


def labels_of(data: Any, where: object) -> Labels:
    """Labels from decoded JSON; as `read_labels`."""
    found = record(Labels, _without_nulls(data), where)
    for key, value in (("subject.id", found.subject.id), ("rater", found.rater)):
        if not value.strip():
            raise FormatError(
                "name is empty",
                value=value,
                where=f"{where}: {key}",
                hint="Write the file again; labels are counted by subject and rater.",
            )
    return found


def _without_nulls(data: Any) -> Any:
    """`data` with what is null of its subject left out: either way it is not known."""
    subject = data.get("subject") if isinstance(data, dict) else None
    if not isinstance(subject, dict):
        return data
    return {**data, "subject": {k: v for k, v in subject.items() if v is not None}}


def labels_data(labels: Labels) -> dict[str, Json]:
    """`labels` as the file holds them."""
    data = plain(labels)
    assert isinstance(data, dict)
    return {"format": LABELS_FORMAT, **data}


def write_labels(folder: Path, labels: Labels) -> Path:
    """Write `labels` into `folder`, atomically, under the name that subject and rater give."""
    file = folder / file_name(labels)
    write_json(file, labels_data(labels))
    return file


def file_name(labels: Labels) -> str:
    """Readable, and different for any two pairs of subject and rater."""
    return name_for(labels.subject.id, labels.rater)


def name_for(subject: str, rater: str) -> str:
    """`file_name` of what `rater` says, or would say, of the subject with this id."""
    words = f"{subject} {rater}"[:_LONGEST_SLUG]
    return f"{make_id(words, digest([subject, rater]))}.json"


def read_collection(folder: Path) -> tuple[Labels, ...]:
    """Every label file below `folder`, at any depth, sorted by subject and rater.

    Raises:
        SpecError: no folder, or no label file in it; two files of the same subject and rater.
        FormatError: a `.json` file that is no label file.
    """
    files = _files(folder)
    found: dict[tuple[str, str], tuple[Path, Labels]] = {}
    for file in files:
        labels = read_labels(file)
        own = (labels.subject.id, labels.rater)
        if own in found:
            raise SpecError(
                "subject is labelled twice by one rater",
                value=f"{own[0]} by {own[1]}",
                where=f"{found[own][0]} and {file}",
                hint="Keep one of the two files, or give the second pass another rater's name.",
            )
        found[own] = file, labels
    return tuple(found[own][1] for own in sorted(found))


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        problem, hint = "no such folder of label files", "Check the path."
    else:
        below = (path.relative_to(folder) for path in folder.rglob("*.json"))
        files = sorted(path for path in below if not path.name.startswith("."))
        if files:
            return [folder / file for file in files]
        problem, hint = (
            "no label file in this folder",
            "Name the folder that holds the .json files.",
        )
    raise SpecError(problem, value=str(folder), where="labels", hint=hint)
