"""From a corpus file to a `Corpus` whose every name and rule is known to be usable.

Takes a TOML file or the name of a shipped corpus, and the folder of the data; opens no data file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from benchwright.canonical import digest
from benchwright.errors import SpecError
from benchwright.storage import nearest, read_model, read_toml
from benchwright.suites.telemetry.corpus.model import (
    BrickMetadata,
    Channel,
    CorpusFile,
    GenerateArchives,
    GenerateBuilding,
    Keep,
    Regime,
    Source,
    TableMetadata,
    TimeRule,
    ValueClass,
)
from benchwright.suites.telemetry.corpus.sources import verified
from benchwright.suites.telemetry.corpus.zones import zone

_TABLES: Mapping[str, type[BaseModel]] = {
    "class": ValueClass,
    "source": Source,
    "time": TimeRule,
    "channel": Channel,
    "regimes": Regime,
    "keep": Keep,
    "table": TableMetadata,
    "brick": BrickMetadata,
    "building": GenerateBuilding,
    "archives": GenerateArchives,
}
"""Records by the key that they stand under, so that the nearest key is one of their own."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A checked corpus and where its files lie."""

    file: CorpusFile
    contract: Mapping[str, Any]
    """The table `contract` of the file, unread."""
    data: Path
    where: str
    made: Path | None = None
    """Folder of the files that the corpus generates, once they are there."""

    @property
    def name(self) -> str:
        """As the file says it."""
        return self.file.name

    @property
    def classes(self) -> dict[str, ValueClass]:
        """Classes by name."""
        return {one.name: one for one in self.file.class_}

    @property
    def paths(self) -> tuple[str, ...]:
        """Every data file of the sources, sorted: the numbers of files in lineage."""
        return tuple(sorted({path for source in self.file.source for path in source.files}))

    def find(self, name: str, sha256: str) -> Path:
        """The file of that name, verified; a generated one may have no declared checksum."""
        if self.made is not None and (self.made / name).is_file():
            path = self.made / name
            return verified(self.made, name, sha256) if sha256 else path
        return verified(self.data, name, sha256)

    @property
    def rules(self) -> str:
        """Digest of all that decides what the data mean.

        Names and checksums of files are left out, because a file that is split holds the same.
        """
        said = self.file.model_dump(mode="json", exclude={"source": {"__all__": {"files"}}})
        for source in said["source"]:  # what a file does not say leaves its digest alone
            for key in ("words", "keep"):
                if not source[key]:
                    del source[key]
        if said.get("metadata"):
            said["metadata"].pop("files")
        return digest(said)


def shipped_corpora() -> tuple[str, ...]:
    """Names of the corpora that come with the suite."""
    folder = files("benchwright.suites.telemetry") / "corpora"
    return tuple(
        sorted(p.name.removesuffix(".toml") for p in folder.iterdir() if p.name.endswith(".toml"))
    )


def load_corpus(name_or_path: str | Path, data: Path | None = None) -> Corpus:
    """The corpus in a TOML file, or a shipped one by name.

    Files are found below `data`; without it, beside the TOML, and for shipped corpora in `data`
    below the folder that BENCHWRIGHT_SHARED names (default: ../shared).

    Raises:
        SpecError: unknown name, key, class or zone, or a rule that contradicts another.
    """
    path = Path(str(name_or_path))
    if path.is_file():
        return parse_corpus(read_toml(path), path, data or path.parent)
    name = str(name_or_path).removeprefix("telemetry/")
    if name not in shipped_corpora():
        raise SpecError(
            "unknown corpus", value=name, where="CORPUS", hint=nearest(name, shipped_corpora())
        )
    path = Path(str(files("benchwright.suites.telemetry") / "corpora" / f"{name}.toml"))
    shared = Path(os.environ.get("BENCHWRIGHT_SHARED", "../shared"))
    return parse_corpus(read_toml(path), path, data or shared / "data")


def parse_corpus(data: Mapping[str, Any], where: object, folder: Path) -> Corpus:
    """A checked corpus from parsed TOML; `where` is named in errors."""
    rest = {key: value for key, value in data.items() if key != "contract"}
    contract = data.get("contract", {})
    read = read_model(CorpusFile, rest, where, _TABLES)
    for problem in _problems(read, str(where)):
        raise problem
    return Corpus(read, contract if isinstance(contract, dict) else {}, folder, str(where))


def _problems(file: CorpusFile, where: str) -> Iterator[SpecError]:
    yield from _doubled([one.name for one in file.class_], f"{where}: class")
    yield from _doubled([one.name for one in file.source], f"{where}: source")
    paths = [path for source in file.source for path in source.files]
    yield from _doubled(paths, f"{where}: source files")
    zone(file.zone, f"{where}: zone")
    for one in file.class_:
        if one.range is not None and one.range[0] >= one.range[1]:
            yield _wrong(
                "range is empty", list(one.range), f"{where}: class {one.name}", "least, greatest"
            )
    for source in file.source:
        yield from _source(source, file, f"{where}: source {source.name}")


def _source(source: Source, file: CorpusFile, where: str) -> Iterator[SpecError]:
    if source.time.zone != "offset":
        zone(source.time.zone, f"{where}: time: zone")
    elif isinstance(source.time.form, tuple):
        yield _wrong("times by patterns carry no offset", "offset", where, "a zone of their own")
    yield from _patterns([*source.ignore, *filter(None, [source.pattern])], where)
    starts = [regime.start or "" for regime in source.regimes]
    if starts != sorted(set(starts)) or "" in starts[1:]:
        yield _wrong(
            "regimes are not in order of time", starts, where, "the first may lack a start"
        )
    if source.form == "wide_csv":
        yield from _wide(source, file, where)
    else:
        yield from _long(source, file, where)


def _wide(source: Source, file: CorpusFile, where: str) -> Iterator[SpecError]:
    if not source.channel or source.stream or source.value:
        yield _wrong(
            "wide source needs channels", source.form, where, "[[source.channel]] per column"
        )
    if source.words or source.keep:
        key = "words" if source.words else "keep"
        yield _wrong("key is for long sources", key, where, "words of a channel, or a long form")
    known = [one.name for one in file.class_]
    for channel in source.channel:
        at = f"{where}: channel {channel.column or channel.match}"
        if (channel.column is None) == (channel.match is None):
            yield _wrong("channel needs a column or a match", channel.stream, at, "one of the two")
        if channel.point_class not in known:
            yield SpecError(
                "unknown class",
                value=channel.point_class,
                where=at,
                hint=nearest(channel.point_class, known) if known else "Declare it as a [[class]].",
            )
        yield from _patterns(filter(None, [channel.match]), at)


def _long(source: Source, file: CorpusFile, where: str) -> Iterator[SpecError]:
    if source.channel or not (source.stream and source.value):
        yield _wrong(
            "long source needs columns", source.form, where, 'stream = "...", value = "..."'
        )
    if file.metadata is None:
        yield _wrong("long source needs metadata", source.form, where, "[metadata] with its form")
    if source.time.repeated == "file_order":
        yield _wrong("a long source has no order of its own", "file_order", where, '"earlier"')


def _patterns(patterns: Any, where: str) -> Iterator[SpecError]:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            yield _wrong("pattern is no regular expression", pattern, where, str(error))


def _doubled(names: list[str], where: str) -> Iterator[SpecError]:
    for name in names:
        if names.count(name) > 1:
            yield _wrong("name stands twice", name, where, "each name once")


def _wrong(problem: str, value: object, where: str, wanted: str) -> SpecError:
    return SpecError(problem, value=value, where=where, hint=f"Wanted: {wanted}.")
