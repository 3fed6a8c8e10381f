"""Which files a corpus makes, and a corpus that finds them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.generated.building import write_building
from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.corpus.model import (
    BrickMetadata,
    GenerateArchives,
    GenerateBuilding,
)


def with_files(corpus: Corpus, folder: Path) -> Corpus:
    """The corpus with its generated files in `folder`; itself where it generates none."""
    rules = corpus.file.generate
    if rules is None:
        return corpus
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(rules, GenerateBuilding):
        write_building(folder, rules.seed, rules.days)
        return replace(corpus, made=folder)
    return _archives(replace(corpus, made=folder), rules, folder)


def _archives(corpus: Corpus, rules: GenerateArchives, folder: Path) -> Corpus:
    from benchwright.suites.telemetry.corpus.brick import read_graph
    from benchwright.suites.telemetry.corpus.generated.archives import write_graph, write_history

    metadata = corpus.file.metadata
    if not isinstance(metadata, BrickMetadata):
        raise SpecError(
            "archives are made for the streams of graphs",
            value=rules.kind,
            where=f"{corpus.where}: generate",
            hint='Add [metadata] with form = "brick".',
        )
    for target, source in sorted(rules.graphs.items()):
        write_graph(corpus.find(source, metadata.files[source]), folder / target, rules.seed)
    for archive, graph in sorted(rules.archives.items()):
        points = read_graph(corpus, metadata, graph)
        write_history(folder / archive, points, rules.seed, rules.days)
    return corpus
