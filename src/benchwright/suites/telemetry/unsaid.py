"""Names of the data that nothing given to an agent may hold: streams, files and columns.

Takes a set; gives these names with what they are. What questions say of points (equipment, class,
place) is not among them, nor is a word of the instruction that is in every task: both are public.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import PurePosixPath

from benchwright.checks.leaks import holds
from benchwright.suites.telemetry.build import corpus_of
from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.taskset import HeldSet, TaskSet

_WORDS = ("instruction.md", "instruction.text.md", "turns.toml")
_SAID = ("site", "point_class", "equipment", "location", "location_type", "qualifiers", "unit")


def unsaid(tasks: TaskSet, held: HeldSet) -> Mapping[str, str]:
    """What each name is: an id of a stream, the name of a data file, or of a column in one."""
    store = Store(tasks.path / "store")
    found = {name: "column" for name in _columns(corpus_of(held))}
    found |= {name: "data file" for name in _files(corpus_of(held))}
    found |= dict.fromkeys((*store.points, *store.unmatched), "stream")
    said = " ".join(_said(store))
    return {name: what for name, what in sorted(found.items()) if not holds(said, name)}


def _columns(corpus: Corpus) -> Iterator[str]:
    for source in corpus.file.source:
        for channel in source.channel:
            if channel.column is not None:
                yield channel.column


def _files(corpus: Corpus) -> Iterator[str]:
    for name, _ in _named(corpus):
        yield from (name, PurePosixPath(name).name)


def _named(corpus: Corpus) -> Iterator[tuple[str, str]]:
    for source in corpus.file.source:
        yield from source.files.items()
    if corpus.file.metadata is not None:
        yield from corpus.file.metadata.files.items()


def _said(store: Store) -> Iterator[str]:
    """Every word that questions may use."""
    for name in _WORDS:
        path = files("benchwright.suites.telemetry") / "prompts" / name
        yield path.read_text(encoding="utf-8")
    for point in store.points.values():
        yield from (str(getattr(point, name) or "") for name in _SAID)
