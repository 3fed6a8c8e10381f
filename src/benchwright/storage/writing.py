"""Atomic writes: a reader sees the whole of a file or none of it. Takes paths and plain values."""

from __future__ import annotations

import ctypes
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import tomli_w

from benchwright.canonical import Json, canonical_json, encoded, plain
from benchwright.errors import SpecError

_HERE, _EXCHANGE = -100, 2
"""AT_FDCWD and RENAME_EXCHANGE of renameat2(2)."""


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file beside the target, flushed to disk and renamed at the end: complete or absent.

    Who may read it is up to the umask, as for any new file.

    Raises:
        SpecError: the target is a device, a pipe or a socket, whose place a file would take.
        OSError: the target is a folder, or cannot be written.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise SpecError(
            "output is a device or a pipe",
            value=str(path),
            where="output",
            hint="Choose another name; only files are replaced.",
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = _beside(path)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # a write to an open file does not know its name
        name.unlink(missing_ok=True)
        raise


def _beside(path: Path) -> tuple[int, Path]:
    """A new file in the folder of `path`; mkstemp would make one that only its owner can read."""
    name = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666), name


def write_bytes(path: Path, data: bytes) -> None:
    """Atomic bytes."""
    with replacing(path) as file:
        file.write(data)


def link_or_write(first: Path, path: Path, data: bytes) -> None:
    """Make `path` another name of `first`, which holds `data`; a file of its own where it cannot.

    For files that nobody edits: a change through one name shows under both.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(first, path)
    except OSError:
        write_bytes(path, data)


def write_text(path: Path, text: str) -> None:
    """Atomic UTF-8 text."""
    write_bytes(path, encoded(text))


def write_json(path: Path, value: object) -> None:
    """Canonical JSON and a final newline, atomically; refuses NaN."""
    write_bytes(path, canonical_json(value) + b"\n")


def write_toml(path: Path, value: Mapping[str, object]) -> None:
    """TOML for people, atomically; absent values are left out rather than written as empty."""
    write_text(path, tomli_w.dumps(without_absent(value)))


def without_absent(value: Mapping[str, object]) -> dict[str, Any]:
    """`value` as TOML can hold it: plain data, keys with no value left out at every depth."""
    kept = _kept(plain(value))
    assert isinstance(kept, dict)
    return kept


def _kept(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _kept(item) for key, item in value.items() if item is not None}
    return [_kept(item) for item in value] if isinstance(value, list) else value


def exchange(one: Path, two: Path) -> None:
    """Give two folders of one file system each other's names; neither name is ever without one.

    Where the system cannot do that in one step, it takes three, and a fault undoes them.
    """
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is not None and not rename(
        _HERE, os.fsencode(one.absolute()), _HERE, os.fsencode(two.absolute()), _EXCHANGE
    ):
        return
    aside = one.with_name(f"{one.name}.aside")
    one.rename(aside)
    try:
        two.rename(one)
    except BaseException:
        aside.rename(one)
        raise
    aside.rename(two)
