"""Planted cases as real input: each becomes an ATIF document and the folder that the run left."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Case:
    """One case of a file: see `planted/README.md`."""

    id: str
    detector: str
    planted: bool
    why: str
    data: Mapping[str, Any]


def read_cases(file: Path) -> Iterator[Case]:
    for line in file.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            data = json.loads(line)
            yield Case(data["id"], data["detector"], data["planted"], data["why"], data)


def lay_out(case: Case, folder: Path) -> tuple[Path, Path | None]:
    """Write the case; gives its trajectory and, where it has one, its folder of artifacts."""
    folder.mkdir(parents=True)
    steps: list[dict[str, Any]] = [{"step_id": 1, "source": "user", "message": case.data["task"]}]
    for number, said in enumerate(case.data["steps"], start=2):
        steps.append(_step(number, said))
    document = {
        "schema_version": "ATIF-v1.8",
        "session_id": case.id,
        "agent": {"name": "planted", "version": "1"},
        "steps": steps,
    }
    trajectory = folder / "trajectory.json"
    trajectory.write_text(json.dumps(document), encoding="utf-8")
    if "artifacts" not in case.data:
        return trajectory, None
    left = folder / "artifacts"
    left.mkdir()
    for path, text in case.data["artifacts"].items():
        target = left / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return trajectory, left


def _step(number: int, said: Mapping[str, Any]) -> dict[str, Any]:
    step: dict[str, Any] = {"step_id": number, "source": "agent", "message": said.get("say", "")}
    if "call" in said:
        call = f"c{number}"
        step["tool_calls"] = [
            {"tool_call_id": call, "function_name": said["call"], "arguments": said["arguments"]}
        ]
        result: dict[str, Any] = {"source_call_id": call, "content": said.get("result", "")}
        if "exit_code" in said:
            code = said["exit_code"]
            result["extra"] = {"exit_code": code, "status": "failed" if code else "ok"}
        step["observation"] = {"results": [result]}
    return step
