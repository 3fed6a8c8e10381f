"""Canonical JSON, digests, ids and salted names: the one home of identity.

Takes plain values and bytes; gives text that is equal exactly when the values are. Knows no record
of any other module. Rules (design 2): keys sorted, shortest float text, integral floats written as
integers, no NaN or infinity, UTF-8, no white space.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TypeAlias

from benchwright.errors import FormatError

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

ID_DIGITS = 12


def plain(value: object) -> Json:
    """`value` as JSON data: records by field, tuples as lists, integral floats as integers."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Path):
        return value.as_posix()
    if isinstance(value, Mapping):
        return {_key(k): plain(v) for k, v in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Iterable) and not isinstance(value, bytes | bytearray | set | frozenset):
        return [plain(v) for v in value]
    raise _formless(value, type(value).__name__)


def canonical_json(value: object) -> bytes:
    """The one byte string of `value`; equal values of equal type family give equal bytes."""
    try:
        text = json.dumps(
            plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
    except (RecursionError, ValueError) as error:
        raise _formless(f"{type(error).__name__}: {error}", "canonical JSON") from error
    return encoded(text)


def encoded(text: str) -> bytes:
    """`text` as UTF-8; half a character, as undecodable file names hold it, is a `FormatError`."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        around = text[max(0, error.start - 20) : error.end + 20]
        raise FormatError(
            "text cannot be written as UTF-8",
            value=around,
            where=f"character {error.start}",
            hint="Use names and paths of whole characters.",
        ) from error


def digest(value: object) -> str:
    """sha256 of the canonical JSON, 64 hex digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def digest_bytes(data: bytes) -> str:
    """sha256 of raw bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest_file(path: Path) -> str:
    """sha256 of a file's bytes, read in blocks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_tree(folder: Path) -> str:
    """Digest of every regular file below `folder` by relative path, in no order."""
    files = (p for p in folder.rglob("*") if p.is_file())
    return digest({p.relative_to(folder).as_posix(): digest_file(p) for p in files})


def readable(value: Json) -> Json:
    """`value` with every text as UTF-8 can hold it: half characters are written out as escapes."""
    if isinstance(value, str):
        return value.encode(errors="backslashreplace").decode()
    if isinstance(value, list):
        return [readable(item) for item in value]
    if isinstance(value, dict):
        return {str(readable(key)): readable(item) for key, item in value.items()}
    return value


def make_id(words: str, full_digest: str) -> str:
    """A readable slug and the first twelve hex digits: `balldrop-low-direct-0a1b2c3d4e5f`."""
    slug = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
    return f"{slug}-{full_digest[:ID_DIGITS]}"


def salted_name(salt: str, *parts: str) -> str:
    """A name that an agent may see: a UUID that says nothing without the salt of the set."""
    block = hashlib.sha256("\0".join((salt, *parts)).encode()).digest()[:16]
    return str(uuid.UUID(bytes=block, version=4))


def _formless(value: object, where: str) -> FormatError:
    return FormatError(
        "value has no canonical form",
        value=value,
        where=where,
        hint="Use numbers, text, lists, mappings with text keys, or frozen records.",
    )


def _number(value: float) -> int | float:
    if not math.isfinite(value):
        raise FormatError(
            "number is not finite",
            value=value,
            where="canonical JSON",
            hint="Write null with a reason instead of NaN or infinity.",
        )
    return int(value) if value == int(value) else value


def _key(key: object) -> str:
    if isinstance(key, str):
        return key
    raise FormatError(
        "mapping key is not text",
        value=key,
        where="canonical JSON",
        hint="Turn keys into text first, so that 1 and '1' cannot be confused.",
    )
