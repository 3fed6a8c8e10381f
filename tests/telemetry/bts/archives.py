"""Archives of given members, for tests."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path


def archive(path: Path, members: Mapping[str, bytes], *, stored: bool = False) -> Path:
    """A plain zip archive with these members, in this order."""
    how = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "w", how) as out:
        for name, data in members.items():
            out.writestr(name, data)
    return path
