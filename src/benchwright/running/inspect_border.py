r"""Texts at the border to Inspect: half characters are written out, because no log can hold them.

A model may return one half of a surrogate pair (JSON allows it as an escape). Inspect cannot write
such a text into its log, and the whole evaluation ends with that. `\ud83d` stands in its place.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from inspect_ai.model import ChatMessage, Model
from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from benchwright.canonical import readable

_MARK = "_benchwright_border"


def with_border(model: Model) -> Model:
    """`model` itself, whose answers and failures are loggable from now on; at most once each."""
    api = model.api
    if getattr(api, _MARK, False):
        return model
    generate = api.generate

    @functools.wraps(generate)
    async def bordered(*args: Any, **kwargs: Any) -> Any:
        try:
            answer = await generate(*args, **kwargs)
        except Exception as error:
            error.args = tuple(_plain(part) for part in error.args)
            raise
        if isinstance(answer, tuple):
            return tuple(loggable(part) for part in answer)
        return loggable(answer)

    api.generate = bordered  # type: ignore[method-assign]
    setattr(api, _MARK, True)
    return model


def loggable(value: Any) -> Any:
    """A record of Inspect as its log can hold it: the same one unless some text must change."""
    if not isinstance(value, BaseModel) or not unloggable(value):
        return value
    return type(value).model_validate(readable(value.model_dump()))


def loggable_messages(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """A conversation as the log can hold it."""
    return [loggable(message) for message in messages]


def unloggable(value: BaseModel) -> bool:
    """Whether some text in `value` is no UTF-8."""
    try:
        value.model_dump_json()
    except (PydanticSerializationError, UnicodeError):
        return True
    return False


def _plain(part: Any) -> Any:
    return readable(part) if isinstance(part, str) else part
