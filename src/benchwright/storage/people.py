"""Files that people write: strictly typed models, and errors with the nearest known name.

Takes plain data and a pydantic model that forbids other keys; gives the model, or one `SpecError`
with place, value and next step. Knows no file format.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

from tomli_w import dumps

from benchwright.errors import SpecError

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails

    M = TypeVar("M", bound=BaseModel)

_MOST_SHOWN = 12
_ADVICE = {
    "list_type": "Write a list, in brackets.",
    "too_short": "Give at least {min_length}, or leave the line out for the default.",
    "too_long": "Give at most {max_length}.",
    "string_type": "Write text, in quotes.",
    "string_too_short": "Give at least {min_length} characters.",
    "int_type": "Use a whole number.",
    "int_from_float": "Use a whole number.",
    "float_type": "Use a number.",
    "bool_type": "Use true or false.",
    "dict_type": "Write a table.",
    "model_type": "Write a table.",
    "greater_than_equal": "Use at least {ge}.",
    "greater_than": "Use more than {gt}.",
    "less_than_equal": "Use at most {le}.",
    "less_than": "Use less than {lt}.",
    "literal_error": "Use {expected}.",
}
"""By kind of pydantic's finding."""


def read_model(
    model: type[M],
    data: object,
    where: object,
    inner: Mapping[str, type[BaseModel]] | None = None,
) -> M:
    """`data` as `model`, each value of exactly its type; `inner` names the models of inner tables.

    Raises:
        SpecError: the finding that `explain` tells.
    """
    from pydantic import ValidationError

    from benchwright.storage.records import strictly

    try:
        return strictly(model, data)
    except ValidationError as error:
        found: type[BaseModel] = model
        for part in finding(error)["loc"][:-1]:
            found = (inner or {}).get(str(part), found)
        raise explain(error, found, where) from error


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
    place = _place(first["loc"])
    inside = _place(first["loc"][:-1])
    if first["type"] == "extra_forbidden":
        key = str(first["loc"][-1])
        at = f"{where}: {inside}" if inside else where
        return SpecError("unknown key", value=key, where=at, hint=nearest(key, model.model_fields))
    if first["type"] == "missing":
        hint = f"Add a line: {place} = ..."
        return SpecError("key is missing", value=place, where=where, hint=hint)
    return SpecError(
        "value cannot be used",
        value=_shown(first["input"]),
        where=f"{where}: {place}" if place else where,
        hint=_wanted(first, model) or _advice(first),
    )


def _wanted(found: ErrorDetails, model: type[BaseModel]) -> str | None:
    """The form of a text in the words of its field, where these say one."""
    if found["type"] not in ("string_pattern_mismatch", "string_too_short"):
        return None
    field = model.model_fields.get(str(found["loc"][-1])) if found["loc"] else None
    return f"Wanted: {field.description}" if field is not None and field.description else None


def _advice(found: ErrorDetails) -> str:
    """What to write instead, in the words of a file; pydantic's own where there are none here."""
    kind, given, limits = found["type"], found["input"], found.get("ctx", {})
    if kind == "list_type" and isinstance(given, str | int | float) and found["loc"]:
        key, value = found["loc"][-1], dumps({"x": given}).partition("=")[2].strip()
        return f"Write a list: {key} = [{value}]."
    text = _ADVICE.get(kind)
    return text.format_map(limits) if text else f"{found['msg']}."


def _place(loc: Sequence[str | int]) -> str:
    """`conditions[0].noise`; pydantic names the branch of a union too, which nobody wrote."""
    parts = [part for part in loc if not _is_branch(part)]
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return text.removeprefix(".")


def _is_branch(part: Any) -> bool:
    return isinstance(part, str) and (
        "[" in part
        or part in ("str", "int", "float", "bool")
        or part.startswith(("literal", "constrained-"))
    )


def _close(name: str, choices: Sequence[str]) -> str | None:
    """Names are compared without case and punctuation first: `ball_drop` is near to `BallDrop`."""
    folded = {_fold(choice): choice for choice in choices}
    found = get_close_matches(_fold(name), folded, n=1, cutoff=0.6)
    return folded[found[0]] if found else None


def _fold(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _shown(value: Any) -> Any:
    return "a table" if isinstance(value, dict) else value
