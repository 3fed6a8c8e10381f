"""Files that lie beside those of a corpus and that its file does not list.

Takes a checked corpus; gives names. Looks into folders and opens nothing.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from benchwright.suites.telemetry.corpus.load import Corpus


def unlisted(corpus: Corpus) -> list[str]:
    """Files in a folder of a source, with the suffix of one of its files there; sorted.

    A new month of a series that nobody has listed is not read, and nothing else would say so.
    """
    metadata = corpus.file.metadata
    listed = {*corpus.paths, *(metadata.files if metadata is not None else ())}
    kinds = {(path.parent, path.suffix) for path in map(PurePosixPath, corpus.paths)}
    found = set()
    for folder, suffix in kinds:
        place = corpus.data / folder
        for path in place.iterdir() if place.is_dir() else ():
            name = (folder / path.name).as_posix()
            if path.suffix == suffix and name not in listed and path.is_file():
                found.add(name)
    return sorted(found)
