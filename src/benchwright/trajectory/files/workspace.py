"""The real file that a path of a log means, in the folder that the agent left at the end.

The agent made that folder: no link in it is followed out of it, nothing but plain files is opened,
and none of more than `LARGEST` bytes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LARGEST: Final = 32_000_000


@dataclass(frozen=True, slots=True)
class Real:
    """What the workspace holds under a name that the path can mean."""

    data: bytes | None
    """None: too large to be read."""
    doubt: str = ""
    """Why it may be another file; empty: it is that file."""


def find_real(workspace: Path, path: str, home: str | None) -> Real | None:
    """The file of `path` in the workspace; None where there is none.

    home: the folder that the log began in. Below it the place in the workspace is certain where no
    longer tail of the path is there too; elsewhere a tail of the path is looked for, and can hit
    another file of that name.
    """
    tails = [tail for tail in _tails(path) if _is_inside(workspace, tail)]
    if not tails:
        return None
    tail = tails[0]
    file = workspace / tail
    size = file.stat().st_size
    if size > LARGEST:
        return Real(None, f"the workspace holds it with {size:,} bytes, which is not read")
    certain = tail == _below(path, home) or not path.startswith("/")
    doubt = "" if certain else f"taken from {tail} in the workspace, which can be another file"
    return Real(file.read_bytes(), doubt)


def _tails(path: str) -> Iterator[str]:
    parts = posixpath.normpath(path).strip("/").split("/")
    if ".." in parts:
        return
    relative = not path.startswith("/")
    for cut in range(1 if relative else len(parts)):
        yield "/".join(parts[cut:])


def _below(path: str, home: str | None) -> str | None:
    if not home:
        return None
    path, home = posixpath.normpath(path), posixpath.normpath(home)
    return path.removeprefix(f"{home}/") if path.startswith(f"{home}/") else None


def _is_inside(workspace: Path, tail: str) -> bool:
    file = workspace / tail
    try:
        return file.resolve() == workspace.resolve() / tail and file.is_file()
    except (OSError, ValueError, RuntimeError):
        return False
