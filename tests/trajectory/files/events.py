"""Small logs as events: what a reader would give, without a format around it."""

from __future__ import annotations

from typing import Any

from benchwright.trajectory.events import Anchor, Begin, Call, Event, Result, Status
from benchwright.trajectory.files.history import FileChanges
from benchwright.trajectory.files.reconstruct import Answer, reconstruct
from benchwright.trajectory.folds import run_folds
from benchwright.trajectory.tools import kind_of

CWD = "/w"


def log(*calls: list[Event]) -> list[Event]:
    begin = Begin(Anchor(1, 0, 1), "s", "claude-code", cwd=CWD)
    return [begin, *(event for pair in calls for event in pair)]


def call(
    name: str,
    arguments: dict[str, Any],
    status: Status | None = "ok",
    *,
    twin: Any = None,
    output: str = "",
    code: int | None = None,
) -> list[Event]:
    """A call and its result; status None: never answered."""
    number = call.number = getattr(call, "number", 1) + 1  # type: ignore[attr-defined]
    anchor, call_id = Anchor(number, number, number + 1), f"c{number}"
    asked = Call(anchor, call_id, name, kind_of(name), arguments)
    if status is None:
        return [asked]
    return [asked, Result(anchor, call_id, status, output, structured=twin, exit_code=code)]


def bash(command: str, status: Status | None = "ok", output: str = "") -> list[Event]:
    return call("Bash", {"command": command}, status, output=output)


def write(path: str, text: str, status: Status | None = "ok") -> list[Event]:
    return call("Write", {"file_path": path, "content": text}, status)


def edit(path: str, old: str, new: str, status: Status | None = "ok", **twin: Any) -> list[Event]:
    arguments = {"file_path": path, "old_string": old, "new_string": new}
    return call("Edit", arguments, status, twin={"filePath": path, **twin} if twin else None)


def changes(*calls: list[Event]) -> FileChanges:
    fold = FileChanges()
    run_folds(log(*calls), fold)
    return fold


def answer(path: str, *calls: list[Event]) -> Answer:
    return reconstruct(log(*calls), changes(*calls).changes, path)


def held(path: str, *calls: list[Event]) -> tuple[str, str | None]:
    """Certainty and text of the end."""
    found = answer(path, *calls)
    return found.certainty, found.text
