"""After the agent: kill what it left running, keep its files, execute its rule."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Protocol

from inspect_ai.util import sandbox

from benchwright.canonical import digest_bytes
from benchwright.errors import BenchwrightError, IsolationError
from benchwright.isolation.box import BoxFile
from benchwright.running.close import Closer, fresh_folder
from benchwright.running.inspect_sandbox import BwrapSandbox
from benchwright.running.ledger import Entry
from benchwright.scoring.artifacts import COLLECTED_FORMAT
from benchwright.storage import safe_join, write_bytes, write_json

LARGEST = 16 * 1024 * 1024
LARGEST_TOTAL = 128 * 1024 * 1024
MOST_FILES = 500
MOST_LISTED = 100_000


class Collectable(Protocol):
    """What collecting needs of a box."""

    async def kill_all(self) -> None:
        """End every process but the first."""
        ...

    async def list_files(self, folder: str = ".", *, most: int = 10_000) -> tuple[BoxFile, ...]:
        """Regular files of the working folder."""
        ...

    async def read(self, path: str, *, limit: int) -> bytes:
        """Content of one file."""
        ...


async def collect_episode(entry: Entry, closer: Closer) -> None:
    """Collect once per episode; what goes wrong is noted in the entry with its owner."""
    if entry.collected:
        return
    entry.collected = True
    fresh_folder(entry.folder)
    try:
        box = _box(entry)
        await box.kill_all()
        given = {p.relative_to(entry.task.files).as_posix() for p in entry.task.files.rglob("*")}
        await _keep(box, entry, given)
    except IsolationError as error:
        entry.fail("sandbox", f"{error.problem}: {error.where}")
    except Exception as error:
        entry.fail("sandbox", f"files could not be kept: {type(error).__name__}: {error}")
    if entry.box is not None:
        await entry.box.close()
    if entry.failure is None or entry.failure[0] == "agent":
        await asyncio.to_thread(_answer, entry, closer)


def _box(entry: Entry) -> Collectable:
    return entry.box or sandbox().as_type(BwrapSandbox).box


def _answer(entry: Entry, closer: Closer) -> None:
    try:
        closer.answer(entry.task, entry.folder)
    except IsolationError as error:
        entry.fail("sandbox", str(error))


async def _keep(box: Collectable, entry: Entry, given: set[str]) -> None:
    """Copy new files within the caps; `collected.json` says what was found and what was left.

    The file that the task asks for comes first, so that no number of other files hides it.
    """
    asked = entry.task.submission.file
    listed = await box.list_files(most=MOST_LISTED)
    own = sorted((f for f in listed if f.path not in given), key=lambda f: f.path != asked)
    found: dict[str, Any] = {}
    total = 0
    for file in own[:MOST_FILES]:
        if file.size > LARGEST or total + file.size > LARGEST_TOTAL:
            found[file.path] = {"size": file.size, "skipped": _too_large(file.size)}
        else:
            found[file.path] = await _copy(box, file, entry.folder / "artifacts")
            total += file.size
    record = {"format": COLLECTED_FORMAT, "files": found, "more": len(own[MOST_FILES:])}
    write_json(entry.folder / "collected.json", record)


async def _copy(box: Collectable, file: BoxFile, target: Path) -> dict[str, Any]:
    try:
        data = await box.read(file.path, limit=LARGEST)
        write_bytes(safe_join(target, file.path), data)
    except IsolationError:
        raise
    except (BenchwrightError, OSError) as error:
        problem = error.problem if isinstance(error, BenchwrightError) else str(error)
        return {"size": file.size, "skipped": problem}
    return {"size": len(data), "sha256": digest_bytes(data)}


def _too_large(size: int) -> str:
    return f"too large to keep: {size} bytes, the caps are {LARGEST} and {LARGEST_TOTAL} in all"
