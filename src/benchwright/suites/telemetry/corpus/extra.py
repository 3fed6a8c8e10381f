"""The optional libraries of the suite, or one line that says how to install them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from benchwright.errors import MissingExtraError, installing


def need(library: str) -> Any:
    """The library.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        return import_module(library)
    except ImportError as error:
        raise MissingExtraError(
            "an optional part is not installed",
            value=library,
            where="telemetry",
            hint=installing("telemetry"),
        ) from error
