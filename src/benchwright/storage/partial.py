"""A folder that is written beside its place and renamed there; those of dead processes go.

Takes the place; gives the folder. It is locked for as long as its process lives, whatever the
number of that process and in whatever container it runs: what nobody locks belongs to nobody.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Partial:
    """A new folder `.NAME.partial-*` beside `whole`, for this process alone.

    Raises:
        OSError: no folder can be made there.
    """

    def __init__(self, whole: Path) -> None:
        whole = whole.absolute()
        whole.parent.mkdir(parents=True, exist_ok=True)
        prefix = f".{whole.name}.partial-"
        _remove_dead(whole.parent, prefix)
        self.path, lock = _made(whole.parent, prefix)
        self._lock: int | None = lock

    def release(self) -> None:
        """Give up the lock: the folder was renamed."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def remove(self) -> None:
        """Remove the folder and all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.release()


def _made(folder: Path, prefix: str) -> tuple[Path, int]:
    """A folder that no other process took for a dead one before it was locked."""
    while True:
        path = Path(mkdtemp(prefix=prefix, dir=folder))
        try:
            lock = os.open(path, _FLAGS)
        except FileNotFoundError:
            continue
        except OSError:
            path.rmdir()
            raise
        if _locks(lock) is not False and path.exists():
            return path, lock
        os.close(lock)


def _remove_dead(folder: Path, prefix: str) -> None:
    for path in folder.iterdir():
        if not path.name.startswith(prefix):
            continue
        lock = _opened(path)
        if lock is None:
            continue
        try:
            if _locks(lock):
                shutil.rmtree(path, ignore_errors=True)
        finally:
            os.close(lock)


def _opened(path: Path) -> int | None:
    try:
        return os.open(path, _FLAGS)
    except OSError:
        return None


def _locks(lock: int) -> bool | None:
    """Whether nobody else has it; None where the file system knows no locks."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
