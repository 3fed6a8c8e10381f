"""Data files by checksum: what was declared is what is read.

Takes a corpus; gives the path of a file once its bytes are known to be the declared ones.
"""

from __future__ import annotations

from pathlib import Path

from benchwright.canonical import digest_file
from benchwright.errors import SpecError
from benchwright.storage import safe_join


def verified(folder: Path, name: str, sha256: str) -> Path:
    """The file `name` below `folder`.

    Raises:
        SpecError: it is absent, has no declared checksum, or other bytes than declared.
    """
    path = safe_join(folder, name)
    if not path.is_file():
        raise SpecError(
            "data file is absent",
            value=name,
            where=folder,
            hint="Name the folder of the data, or set BENCHWRIGHT_SHARED for shipped corpora.",
        )
    found = digest_file(path)
    if not sha256:
        raise SpecError(
            "data file has no checksum",
            value=name,
            where=folder,
            hint=f'Write: "{name}" = "{found}"',
        )
    if found != sha256:
        raise SpecError(
            "data file is not the declared one",
            value=name,
            where=f"sha256 is {found}",
            hint=f"Declared is {sha256}; restore the file, or declare the new one.",
        )
    return path
