"""Errors about names and values in specs: place, value, nearest known name."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from benchwright.errors import SpecError
from benchwright.storage import nearest, read_model

__all__ = ["known", "nearest", "read_model", "without_repeats"]

T = TypeVar("T", bound=Hashable)


def known(name: str, names: Iterable[str], kind: str, where: str) -> str:
    """`name` itself when it is one of `names`; else a `SpecError` with the nearest."""
    choices = tuple(names)
    if name in choices:
        return name
    raise SpecError(f"unknown {kind}", value=name, where=where, hint=nearest(name, choices))


def without_repeats(given: Sequence[T], where: str) -> tuple[T, ...]:
    """`given` as a tuple; a value that stands twice is an error."""
    seen: set[T] = set()
    for value in given:
        if value in seen:
            raise SpecError(
                "value stands twice", value=value, where=where, hint="Name each value once."
            )
        seen.add(value)
    return tuple(given)
