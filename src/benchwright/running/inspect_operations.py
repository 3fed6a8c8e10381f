"""Operations as tools of Inspect: the same arguments, results and refusals as everywhere else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inspect_ai.tool import Tool, ToolDef, ToolParams
from inspect_ai.util import JSONSchema

from benchwright.tasks.session import Operation, answered


def operation_tools(operations: Iterable[Operation]) -> list[Tool]:
    """A tool per operation; each answers with the JSON text of a result or a refusal."""
    return [_tool(operation) for operation in operations]


def _tool(operation: Operation) -> Tool:
    async def execute(**given: Any) -> str:
        return answered(operation, given).model_dump_json()

    schema = operation.arguments.model_json_schema()
    parameters = ToolParams(
        properties={
            name: JSONSchema.model_validate({"description": name, **one})
            for name, one in schema["properties"].items()
        },
        required=schema.get("required", []),
    )
    return ToolDef(
        execute, name=operation.name, description=operation.doc, parameters=parameters
    ).as_tool()
