"""All operations of a store over the Model Context Protocol, on standard input and output."""

from __future__ import annotations

from collections.abc import Iterable

from benchwright.running import mcp_tools
from benchwright.running.desk_tools import plain_tools
from benchwright.tasks.session import Operation


def serve(operations: Iterable[Operation]) -> None:
    """Serve until the other side closes standard input.

    Raises:
        MissingExtraError: the library is not installed.
    """
    mcp_tools.serve("benchwright-store", plain_tools(tuple(operations)))
