"""Planted cases as real input: each becomes an ATIF document and the folder that the run left."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.diagnosis.screen.run import screen


@dataclass(frozen=True)
class Case:
    """One case of a file: see `planted/README.md`."""

    id: str
    detector: str
    planted: bool
    why: str
    data: Mapping[str, Any]


PLANTED = Path(__file__).parent / "planted"
SETS = ("open", "first", "second")


def read_cases(file: Path) -> Iterator[Case]:
    """The cases of one file, in its order."""
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


@dataclass
class Tally:
    """How a detector did on its cases."""

    hits: int = 0
    misses: int = 0
    false: int = 0
    right: int = 0

    def add(self, planted: bool, found: bool) -> None:
        """Count one case."""
        self.hits += planted and found
        self.misses += planted and not found
        self.false += not planted and found
        self.right += not planted and not found

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.hits + other.hits, self.misses + other.misses,
            self.false + other.false, self.right + other.right,
        )  # fmt: skip

    @property
    def precision(self) -> float | None:
        """None where nothing was found."""
        found = self.hits + self.false
        return self.hits / found if found else None

    @property
    def recall(self) -> float | None:
        """None where nothing was planted."""
        planted = self.hits + self.misses
        return self.hits / planted if planted else None


def tally(name: str, folder: Path) -> dict[str, Tally]:
    """Every detector that has cases in a set, on its own cases; `folder` takes what is laid out."""
    found: dict[str, Tally] = {}
    for file in sorted((PLANTED / name).glob("*.jsonl")):
        for case in read_cases(file):
            trajectory, left = lay_out(case, folder / name / case.id)
            runs = screen(trajectory, left)
            named = {f.detector for run in runs for f in run.findings}
            found.setdefault(case.detector, Tally()).add(case.planted, case.detector in named)
    return found


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
