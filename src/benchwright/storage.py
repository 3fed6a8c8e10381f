"""Atomic writes, safe joins, files that name their format and number, errors in people's files.

Takes paths and plain values. A reader sees the whole of a file or none of it. Machines' files keep
unknown keys; a file with a newer number than this version knows is refused, never guessed at. A
wrong key or value in a person's file is named with its place and the nearest known name.
"""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import tomli_w

from benchwright.canonical import Json, canonical_json, plain
from benchwright.errors import FormatError, SpecError

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails

_MOST_SHOWN = 6


def write_bytes(path: Path, data: bytes) -> None:
    """Write beside the target, flush to disk, rename: the file is complete or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


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
    write_bytes(path, text.encode())


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


def read_json(path: Path, *, form: str | None = None) -> Any:
    """A machine's file; with `form` ("benchwright.episode/1") its format and number are checked."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(path, error) from error
    if form is not None:
        check_format(value, form, path)
    return value


def read_text(path: Path) -> str:
    """A UTF-8 text file."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


def read_toml(path: Path, *, form: str | None = None) -> dict[str, Any]:
    """A TOML file; with `form` its format and number are checked."""
    try:
        value = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    if form is not None:
        check_format(value, form, path)
    return value


@contextmanager
def complete(path: Path) -> Iterator[None]:
    """Reading the parts of a machine's file: a missing or misshapen part names the file."""
    try:
        yield
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise FormatError(
            "file lacks a part, or has it in another form",
            value=f"{type(error).__name__}: {error}",
            where=path,
            hint="Restore the file from where it came; machines' files are not edited by hand.",
        ) from error


FORMER = {
    "benchwright.run-record": "benchwright.run",
    "benchwright.build-record": "benchwright.build",
    "benchwright.report-record": "benchwright.report",
}
"""What these files were called while the documents of `--json` had the same names; still read."""


def check_format(value: object, form: str, path: Path) -> None:
    """Refuse another format, and a number above the one that this version writes."""
    found = value.get("format") if isinstance(value, dict) else None
    name, _, number = form.partition("/")
    found_name, _, found_number = str(found).partition("/")
    if found_name not in (name, FORMER.get(name, name)) or not found_number.isdecimal():
        raise FormatError(
            f"expected a {name} file",
            value=found,
            where=path,
            hint="Name the right file or folder.",
        )
    if int(found_number) > int(number):
        raise FormatError(
            "file was written by a newer benchwright",
            value=found,
            where=path,
            hint=f"Upgrade benchwright; this version reads up to {form}.",
        )


def nearest(name: str, names: Iterable[str]) -> str:
    """Advice that names the closest of `names`, or all of them when none is close."""
    choices = sorted(names)
    close = _close(name, choices)
    if close is not None:
        return f"Did you mean {close}?"
    shown = ", ".join(choices[:_MOST_SHOWN]) + (", ..." if len(choices) > _MOST_SHOWN else "")
    return f"Use one of: {shown}."


def finding(error: ValidationError) -> ErrorDetails:
    """The finding that `explain` tells: an unknown key first, because a known one lacks then."""
    found = error.errors(include_url=False)
    return next((one for one in found if one["type"] == "extra_forbidden"), found[0])


def explain(error: ValidationError, model: type[BaseModel], where: object) -> SpecError:
    """One finding of pydantic as one line: a wrong key, which explains more, before any other."""
    first = finding(error)
    place = ".".join(str(part) for part in first["loc"] if not _is_branch(part))
    if first["type"] == "extra_forbidden":
        key = str(first["loc"][-1])
        return SpecError(
            "unknown key", value=key, where=where, hint=nearest(key, model.model_fields)
        )
    if first["type"] == "missing":
        return SpecError(
            "key is missing", value=place, where=where, hint=f"Add a line: {place} = ..."
        )
    return SpecError(
        "value cannot be used",
        value=_shown(first["input"]),
        where=f"{where}: {place}",
        hint=f"{first['msg']}.",
    )


def safe_join(root: Path, relative: str) -> Path:
    """`root/relative` for a name from outside; refuses absolute names, `..` and links out of it."""
    pure = PurePosixPath(relative)
    target = root.joinpath(*pure.parts)
    odd = not pure.parts or pure.is_absolute() or ".." in pure.parts or "\0" in relative
    if odd or not target.resolve().is_relative_to(root.resolve()):
        raise SpecError(
            "name leaves its folder",
            value=relative,
            where=root,
            hint="Use a plain relative name below that folder.",
        )
    return target


def _kept(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _kept(item) for key, item in value.items() if item is not None}
    return [_kept(item) for item in value] if isinstance(value, list) else value


def _unreadable(path: Path, error: Exception) -> FormatError:
    return FormatError(
        "file cannot be read",
        value=f"{type(error).__name__}: {error}",
        where=path,
        hint="Check the path, or restore the file from where it came.",
    )


def _close(name: str, choices: Sequence[str]) -> str | None:
    """Names are compared without case and punctuation first: `ball_drop` is near to `BallDrop`."""
    folded = {_fold(choice): choice for choice in choices}
    found = get_close_matches(_fold(name), folded, n=1, cutoff=0.6)
    return folded[found[0]] if found else None


def _fold(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _is_branch(part: Any) -> bool:
    """Pydantic names the branch of a union in the place; people do not write it."""
    return isinstance(part, str) and (
        "[" in part or part in ("str", "int", "float", "bool") or part.startswith("literal")
    )


def _shown(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | list) else type(value).__name__
