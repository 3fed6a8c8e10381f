"""Errors about names and keys in files that people write: place, value, nearest known name."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from benchwright.errors import SpecError

T = TypeVar("T", bound=Hashable)

_MOST_SHOWN = 6


def nearest(name: str, names: Iterable[str]) -> str:
    """Advice that names the closest of `names`, or all of them when none is close."""
    choices = sorted(names)
    close = _close(name, choices)
    if close is not None:
        return f"Did you mean {close}?"
    shown = ", ".join(choices[:_MOST_SHOWN]) + (", ..." if len(choices) > _MOST_SHOWN else "")
    return f"Use one of: {shown}."


def known(name: str, names: Iterable[str], kind: str, where: str) -> str:
    """`name` itself when it is one of `names`; else a `SpecError` with the nearest."""
    choices = tuple(names)
    if name in choices:
        return name
    raise SpecError(f"unknown {kind}", value=name, where=where, hint=nearest(name, choices))


def without_repeats(given: Sequence[T], where: str) -> tuple[T, ...]:
    """`given` as a tuple; a value that stands twice is an error."""
    for value in given:
        if list(given).count(value) > 1:
            raise SpecError(
                "value stands twice", value=value, where=where, hint="Name each value once."
            )
    return tuple(given)


def explain(error: ValidationError, model: type[BaseModel], where: object) -> SpecError:
    """The first finding of pydantic as one line: a wrong key with the nearest known one."""
    first = error.errors(include_url=False)[0]
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
