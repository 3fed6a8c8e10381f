"""Tools over the Model Context Protocol: those of a desk, or operations alone.

Takes tools; gives a server of the official library, for standard input and output or any other
transport of it. A result and a refusal are both structured content; a refusal is marked as an
error. Arguments are not judged before the tool does: what it makes of them is in the record.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from benchwright.errors import MissingExtraError, installing
from benchwright.running.desk_tools import Tool


def server(name: str, tools: Iterable[Tool]) -> Any:
    """An MCP server with these tools.

    Raises:
        MissingExtraError: the library is not installed.
    """
    types, lowlevel = _need("mcp.types"), _need("mcp.server")
    known = {tool.name: tool for tool in tools}

    async def list_tools(context: Any, parameters: Any) -> Any:
        listed = [
            types.Tool(name=tool.name, description=tool.doc, input_schema=tool.schema)
            for tool in known.values()
        ]
        return types.ListToolsResult(tools=listed)

    async def call_tool(context: Any, parameters: Any) -> Any:
        tool = known.get(parameters.name)
        if tool is None:
            text = f"No tool {parameters.name!r}. Known: {', '.join(known)}."
            said = types.TextContent(type="text", text=text)
            return types.CallToolResult(content=[said], is_error=True)
        told = tool.use(parameters.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=told.text)],
            structured_content=told.data,
            is_error=told.refused,
        )

    return lowlevel.Server(name, on_list_tools=list_tools, on_call_tool=call_tool)


def serve(name: str, tools: Iterable[Tool]) -> None:
    """Serve until the other side closes standard input."""
    made, stdio = server(name, tools), _need("mcp.server.stdio")

    async def run() -> None:
        async with stdio.stdio_server() as (incoming, outgoing):
            await made.run(incoming, outgoing, made.create_initialization_options())

    asyncio.run(run())


def _need(library: str) -> Any:
    try:
        return import_module(library)
    except ImportError as error:
        raise MissingExtraError(
            "an optional part is not installed",
            value=library,
            where="Model Context Protocol",
            hint=installing("telemetry"),
        ) from error
