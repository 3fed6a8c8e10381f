r"""The border to a model: what comes over it can be logged, and whose failure it was stays known.

Half characters are written out, because no log can hold them: a model may return one half of a
surrogate pair (JSON allows it as an escape), and the whole evaluation would end with that. `\ud83d`
stands in its place. Failures are marked where they happen: retries that are used up, and Inspect's
own error around a refused request, hide them.
"""

from __future__ import annotations

import functools
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from inspect_ai.model import ChatMessage, Model, ModelAPI
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
            _mark(error)
            raise
        parts = answer if isinstance(answer, tuple) else (answer,)
        for part in parts:
            if isinstance(part, Exception):
                _mark(part)
        kept = tuple(loggable(part) for part in parts)
        return kept if isinstance(answer, tuple) else kept[0]

    api.generate = bordered  # type: ignore[method-assign]
    setattr(api, _MARK, True)
    return model


def model_failure(error: BaseException) -> BaseException | None:
    """The failure of a model that `error` is or comes from; None for a fault of the loop around."""
    return next((one for one in _chain(error) if hasattr(one, _MARK) or _in_model(one)), None)


def _mark(error: Exception) -> None:
    with suppress(AttributeError, TypeError):
        setattr(error, _MARK, True)


def _in_model(error: BaseException) -> bool:
    """Whether it came out of a model that was opened elsewhere, by an agent's own code."""
    return any(
        frame.f_code.co_name == "generate" and isinstance(frame.f_locals.get("self"), ModelAPI)
        for frame, _ in traceback.walk_tb(error.__traceback__)
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error that all others came from first."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return reversed(found)


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
