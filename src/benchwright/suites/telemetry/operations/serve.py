"""All operations of a store over the Model Context Protocol, on standard input and output.

Takes operations; gives a server of the official library. A result and a refusal are both structured
content; a refusal is marked as an error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from benchwright.suites.telemetry.corpus.extra import need
from benchwright.tasks.session import Operation, answered


def server(operations: Iterable[Operation]) -> Any:
    """An MCP server that has every operation as a tool.

    Raises:
        MissingExtraError: the library is not installed.
    """
    types, lowlevel = need("mcp.types"), need("mcp.server")
    known = {operation.name: operation for operation in operations}

    async def list_tools(context: Any, parameters: Any) -> Any:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=operation.name,
                    description=operation.doc,
                    input_schema=operation.arguments.model_json_schema(),
                )
                for operation in known.values()
            ]
        )

    async def call_tool(context: Any, parameters: Any) -> Any:
        operation = known.get(parameters.name)
        if operation is None:
            text = f"No operation {parameters.name!r}. Known: {', '.join(known)}."
            said = types.TextContent(type="text", text=text)
            return types.CallToolResult(content=[said], is_error=True)
        found = answered(operation, parameters.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=found.model_dump_json())],
            structured_content=found.model_dump(mode="json"),
            is_error=not isinstance(found, operation.result),
        )

    return lowlevel.Server("benchwright-store", on_list_tools=list_tools, on_call_tool=call_tool)


def serve(operations: Iterable[Operation]) -> None:
    """Serve until the other side closes standard input."""
    made, stdio = server(operations), need("mcp.server.stdio")

    async def run() -> None:
        async with stdio.stdio_server() as (incoming, outgoing):
            await made.run(incoming, outgoing, made.create_initialization_options())

    asyncio.run(run())
