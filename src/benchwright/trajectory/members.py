"""Parts of a log in other files: members of an archive, files of sub-agents beside it."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

from benchwright.errors import FormatError
from benchwright.storage import safe_join


def read_member(log: Path, name: str, largest: int) -> bytes:
    """The bytes of one part, named as `Anchor.file` names it.

    Raises:
        FormatError: there is no such part, it is damaged, or it has more than `largest` bytes.
    """
    try:
        data = _bytes(log, name, largest)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, RuntimeError, EOFError) as error:
        raise _unusable(log, name, str(error) or type(error).__name__) from error
    if len(data) > largest:
        raise _unusable(log, name, f"over {largest} bytes")
    return data


def _bytes(log: Path, name: str, largest: int) -> bytes:
    if not zipfile.is_zipfile(log):
        with safe_join(log.parent, name).open("rb") as file:
            return file.read(largest + 1)
    if sys.version_info < (3, 14):
        import zipfile_zstd  # noqa: F401  # Inspect packs with Zstandard, which `zipfile` then knows
    with zipfile.ZipFile(log) as archive, archive.open(name) as member:
        return member.read(largest + 1)


def _unusable(log: Path, name: str, why: str) -> FormatError:
    return FormatError(
        "part of a log cannot be read", value=f"{name}: {why}", where=log, hint="Copy it again."
    )
