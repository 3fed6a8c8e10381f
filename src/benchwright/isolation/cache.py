"""Folders made once per machine and kept: the agent's Python, a readable copy of bwrap.

Takes a name that says everything about the content and a function that fills a folder. A folder is
complete or absent; a second builder waits for the first. Readable by every uid, because boxes of
root run as an ordinary one.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchwright.errors import IsolationError


def cache_root() -> Path:
    """`/var/cache/benchwright` for root, else the user's own cache folder.

    Raises:
        IsolationError: neither XDG_CACHE_HOME nor a home folder says where that is.
    """
    if os.geteuid() == 0:
        return Path("/var/cache/benchwright")
    base = user_cache()
    if base is not None:
        return base / "benchwright"
    raise IsolationError(
        "no folder is known for what is made once per machine",
        value=f"user {os.geteuid()} has no home folder",
        where="XDG_CACHE_HOME, HOME",
        hint="Set HOME to a folder that you can write; what is made there takes about 2 GB.",
    )


def user_cache() -> Path | None:
    """XDG_CACHE_HOME, else `.cache` in the home folder; None for a user who has neither."""
    named = (os.environ.get("XDG_CACHE_HOME", ""), os.path.expanduser("~/.cache"))
    return next((path for path in map(Path, named) if path.is_absolute()), None)


def cached(name: str, fill: Callable[[Path], None]) -> Path:
    """The folder `name` of the cache; if absent, `fill` makes it in a folder beside it first."""
    target = cache_root() / name
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        lock = os.open(target.parent / f".{name}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        raise IsolationError(
            "cache folder cannot be written",
            value=error.strerror,
            where=target.parent,
            hint="Set XDG_CACHE_HOME to a folder that you can write.",
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.is_dir():
            _make(target, fill)
    finally:
        os.close(lock)
    return target


def make_readable(folder: Path) -> None:
    """Give everyone what the owner may do, but for writing."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            extra = stat.S_IXGRP | stat.S_IXOTH if mode & stat.S_IXUSR else 0
            path.chmod(stat.S_IMODE(mode) & 0o755 | stat.S_IRGRP | stat.S_IROTH | extra)


def private_parent(path: Path) -> Path | None:
    """The first folder above `path` that another uid cannot pass, or None."""
    parents = (folder for folder in path.resolve().parents if not folder.stat().st_mode & 0o001)
    return next(parents, None)


def _make(target: Path, fill: Callable[[Path], None]) -> None:
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
        work = Path(folder) / "new"
        work.mkdir()
        fill(work)
        make_readable(work)
        work.rename(target)
