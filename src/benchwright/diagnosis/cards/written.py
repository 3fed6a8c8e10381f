"""The label files of a round, in place of those of an earlier reading and of nothing else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchwright.diagnosis.cards.key import Key
from benchwright.diagnosis.labels.file import name_for, write_labels
from benchwright.diagnosis.labels.model import Labels
from benchwright.errors import SpecError
from benchwright.storage import exchange


def replace_labels(target: Path, key: Key, every: Iterable[Labels]) -> None:
    """Write `every` into the folder `target`, by rater: all of them, or none.

    What may stand there is what a reading of this round writes: files of its raters and subjects.

    Raises:
        SpecError: `target` is a link or no folder, or holds anything else. Nothing is written then.
    """
    _refuse_others(target, key)
    partial = target.with_name(f".{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    for labels in every:
        write_labels(partial / labels.rater, labels)
    if target.exists():
        exchange(partial, target)
        shutil.rmtree(partial)
    else:
        partial.rename(target)


def _refuse_others(target: Path, key: Key) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise SpecError(
            "place of the label files is a link or a file",
            value=str(target),
            where="--read",
            hint="Move it away, so that a folder can be made there.",
        )
    subjects = [card.subject.id for card in key.cards.values()]
    own = {f"{rater}/{name_for(subject, rater)}" for rater in key.order for subject in subjects}
    for path, folder in _below(target):
        name = path.relative_to(target).as_posix()
        if name not in (key.order if folder else own):
            raise SpecError(
                "not a label file of this round, and reading replaces what is there",
                value=name,
                where=str(target),
                hint="Move it to another folder, then read again.",
            )


def _below(target: Path) -> Iterator[tuple[Path, bool]]:
    """Everything below, and whether it is a folder; a link to one is not."""
    for folder, folders, files in os.walk(target):
        at = Path(folder)
        for name in sorted((*folders, *files)):
            path = at / name
            yield (path, path.is_dir() and not path.is_symlink())
