"""How kernels are compiled: numba without fastmath, cached where this user may write.

Gives `kernel` (a decorator) and `note` (a kernel that writes one event). Nothing is compiled at
import. The cache folder is chosen before the first decoration: `NUMBA_CACHE_DIR` if it is set, else
the user's cache folder, else a private temporary one, else none (compiled anew in each process).
Its name carries a digest of every source with kernels, because numba itself looks only at the
time and size of one file and would keep a kernel whose helper has changed. Knows no system.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from benchwright.canonical import digest
from benchwright.isolation.cache import user_cache

_F = TypeVar("_F", bound=Callable[..., Any])
_KERNELS = ("systems", "solvability")
"""Folders whose kernels call one another across files."""


def cache_folder() -> Path | None:
    """The first candidate that exists, is ours alone and can be written; None if there is none."""
    suite = Path(__file__).parent.parent
    paths = [path for folder in _KERNELS for path in sorted((suite / folder).rglob("*.py"))]
    sources = {
        path.relative_to(suite).as_posix(): path.read_text(encoding="utf-8") for path in paths
    }
    name = digest({"numba": numba.__version__, "sources": sources})[:16]
    return next((base / name for base in _bases() if _usable(base / name)), None)


def kernel(function: _F) -> _F:
    """Compile `function` at its first call; cached on disk when a folder can be had."""
    return _compiled(function, "python")


def wide_kernel(function: _F) -> _F:
    """The same without a check of every divisor, which would keep loops from becoming SIMD."""
    return _compiled(function, "numpy")


def _compiled(function: _F, error_model: Literal["python", "numpy"]) -> _F:
    config: Any = numba.config
    # The folder is fixed at decoration, so the setting of other users of numba is left as it was.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_FOLDER) if _FOLDER else before
    try:
        compiled: Any = numba.njit(cache=_FOLDER is not None, error_model=error_model)(function)
    finally:
        config.CACHE_DIR = before
    return cast(_F, compiled)


def _bases() -> list[Path]:
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return [Path(given)]
    user = user_cache()
    private = f"benchwright-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    own = [user / "benchwright" / "numba"] if user else []
    return [*own, Path(tempfile.gettempdir()) / private / "numba"]


def _usable(folder: Path) -> bool:
    """Compiled code is loaded from here, so a place that others may exchange is refused."""
    places = (*reversed(folder.parents[:2]), folder)
    try:
        for place in places:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        return all(_ours(place) for place in places)
    except OSError:
        return False


def _ours(place: Path) -> bool:
    status = place.stat()
    owned = not hasattr(os, "getuid") or status.st_uid in (os.getuid(), 0)
    return owned and (not status.st_mode & 0o022 or bool(status.st_mode & stat.S_ISVTX))


_FOLDER = cache_folder()


@kernel
def note(events: NDArray[np.int32], count: int, kind: int, row: int) -> int:
    """Write event number `count` if there is room; the count grows all the same."""
    if count < events.shape[0]:
        events[count, 0] = kind
        events[count, 1] = row
    return count + 1
