"""Typed reading: a decoded file becomes a frozen record, or one line that names file and key.

Takes a record type (a dataclass, or a pydantic model for files that people write) and plain data;
gives the record. Types are meant strictly: text is no number, `true` is no number, 1.0 is no
integer, and a list is no text. Keys that a dataclass does not have are passed over; a model with
`extra="forbid"` refuses them. Every format of benchwright is read through here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Annotated, Any, TypeVar, cast

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from benchwright.errors import FormatError

T = TypeVar("T")

Count = Annotated[int, Field(ge=0, lt=2**63)]
"""A whole number that can be stored anywhere."""
Text = Annotated[str, Field(min_length=1)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""sha256 as 64 hex digits."""
Name = Annotated[str, Field(pattern="^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$", max_length=200)]
"""An id that is also the name of a folder."""

_RESTORE = "Restore the file from where it came; machines' files are not edited by hand."


def record(kind: type[T], value: object, where: object) -> T:
    """`value` as a record of `kind`.

    Raises:
        FormatError: a key is absent, or its value is of another type or outside what is allowed;
            `where` and the key are its place.
    """
    try:
        return strictly(kind, value)
    except ValidationError as error:
        raise _refused(error.errors(include_url=False)[0], value, where) from error
    except RecursionError as error:
        raise FormatError(
            "file is nested too deeply", value=kind.__name__, where=where, hint=_RESTORE
        ) from error


def strictly(kind: type[T], value: object) -> T:
    """As `record`, with pydantic's own `ValidationError` for who words it otherwise.

    The value goes through JSON text, in which a list may stand for a tuple and a mapping for a
    record while everything else keeps its strict type.
    """
    adapter: TypeAdapter[T] = _adapter(cast(Any, kind))
    return adapter.validate_json(json.dumps(value), strict=True)


def place_of(loc: Sequence[str | int], value: Any) -> str:
    """Where in `value` pydantic found something: `a.b[2].c`; branches of unions are left out."""
    text = ""
    for index, part in enumerate(loc):
        if isinstance(value, list) and isinstance(part, int) and part < len(value):
            text += f"[{part}]"
            value = value[part]
        elif isinstance(value, dict) and (part in value or index == len(loc) - 1):
            text += f".{part}" if text else str(part)
            value = value.get(part)
    return text


def without_repeats(names: Iterable[str], what: str, where: object) -> None:
    """Nothing, or `FormatError` for the first name that stands twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise FormatError(f"{what} stands twice", value=name, where=where, hint=_RESTORE)
        seen.add(name)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _refused(first: ErrorDetails, value: object, where: object) -> FormatError:
    place = place_of(first["loc"], value)
    if first["type"] == "missing":
        return FormatError("file lacks a key", value=place, where=where, hint=_RESTORE)
    if first["type"] == "json_invalid":
        return FormatError("file cannot be used", value=first["msg"], where=where, hint=_RESTORE)
    return FormatError(
        "value cannot be used",
        value=first["input"],
        where=f"{where}: {place}" if place else where,
        hint=f"{first['msg']}. {_RESTORE}",
    )
