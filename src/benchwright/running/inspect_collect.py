"""After the agent: kill what it left running, keep its files, execute its rule."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from inspect_ai.util import sandbox

from benchwright.canonical import digest_bytes
from benchwright.errors import BenchwrightError, IsolationError, SubmissionError
from benchwright.isolation.box import BoxFile
from benchwright.isolation.workspace import Completed
from benchwright.running.close import Closer, fresh_folder
from benchwright.running.inspect_sandbox import BwrapSandbox
from benchwright.running.ledger import Entry
from benchwright.scoring.artifacts import COLLECTED_FORMAT
from benchwright.storage import safe_join, write_bytes, write_json

LARGEST = 16 * 1024 * 1024
LARGEST_TOTAL = 128 * 1024 * 1024
MOST_FILES = 500
MOST_LISTED = 100_000
_KIND_S = 10.0


class Collectable(Protocol):
    """What collecting needs of a box."""

    async def kill_all(self) -> None:
        """End every process but the first."""
        ...

    async def exec(self, argv: Sequence[str], *, timeout_s: float) -> Completed:
        """Run a command in the working folder."""
        ...

    async def list_files(self, folder: str = ".", *, most: int = 10_000) -> tuple[BoxFile, ...]:
        """Regular files of the working folder."""
        ...

    async def read_together(self, files: Sequence[BoxFile]) -> list[bytes] | None:
        """Contents of listed files, or None if any is not as it was listed."""
        ...

    async def read(self, path: str, *, limit: int) -> bytes:
        """Content of one file."""
        ...


async def collect_episode(entry: Entry, closer: Closer) -> None:
    """Collect once per episode; what goes wrong in the sandbox is noted in the entry.

    Any other failure to execute the rule, such as a held-out file that is gone, is raised: the
    agent has no part in it, so the episode must not be closed.
    """
    if entry.collected:
        return
    entry.collected = True
    fresh_folder(entry.folder)
    if entry.task.submission.mode == "dialogue":
        keep_session(entry)
        return
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


def keep_session(entry: Entry) -> None:
    """Write what was said in a dialogue; a fault of operator or operation comes before all others.

    Such a fault ended the conversation, so whatever else broke came after it.
    """
    if entry.desk is not None:
        entry.desk.keep(entry.folder)
        entry.failure = entry.desk.failure or entry.failure


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
    if asked not in {file.path for file in listed}:
        found |= await _odd(box, asked)
    chosen: list[BoxFile] = []
    total = 0
    for file in own[:MOST_FILES]:
        if file.size > LARGEST or total + file.size > LARGEST_TOTAL:
            found[file.path] = {"size": file.size, "skipped": _too_large(file.size)}
        else:
            chosen.append(file)
            total += file.size
    for batch in _batches(chosen):
        found |= await _copied(box, batch, entry.folder / "artifacts")
    record = {"format": COLLECTED_FORMAT, "files": found, "more": len(own[MOST_FILES:])}
    write_json(entry.folder / "collected.json", record)


_KIND = """
for kind in "L link" "d folder" "p pipe" "S socket" "b device" "c device"; do
  test -"${kind%% *}" "$1" && { echo "${kind#* }"; exit; }
done
"""
"""A link before what it leads to."""


async def _odd(box: Collectable, path: str) -> dict[str, Any]:
    """What stands where the file that the task asks for should be, if it is no regular file."""
    done = await box.exec(["/bin/sh", "-c", _KIND, "sh", path], timeout_s=_KIND_S)
    kind = done.stdout.decode(errors="replace").strip()
    return {path: {"size": 0, "skipped": f"not a file but a {kind}"}} if kind else {}


def _batches(files: Sequence[BoxFile]) -> Iterator[list[BoxFile]]:
    """Files in order, at most LARGEST bytes at a time: that much is in memory."""
    batch: list[BoxFile] = []
    for file in files:
        if batch and sum(f.size for f in batch) + file.size > LARGEST:
            yield batch
            batch = []
        batch.append(file)
    if batch:
        yield batch


async def _copied(box: Collectable, batch: Sequence[BoxFile], target: Path) -> dict[str, Any]:
    """What became of every file; one by one where one of them is not as it was listed."""
    contents = await box.read_together(batch)
    if contents is None:
        return {file.path: await _copy(box, file, target) for file in batch}
    together = zip(batch, contents, strict=True)
    return {file.path: _stored(file, data, target) for file, data in together}


async def _copy(box: Collectable, file: BoxFile, target: Path) -> dict[str, Any]:
    try:
        data = await box.read(file.path, limit=LARGEST)
    except SubmissionError as error:
        return {"size": file.size, "skipped": error.problem}
    return _stored(file, data, target)


def _stored(file: BoxFile, data: bytes, target: Path) -> dict[str, Any]:
    try:
        write_bytes(safe_join(target, file.path), data)
    except (BenchwrightError, OSError) as error:
        problem = error.problem if isinstance(error, BenchwrightError) else str(error)
        return {"size": file.size, "skipped": problem}
    return {"size": len(data), "sha256": digest_bytes(data)}


def _too_large(size: int) -> str:
    return f"too large to keep: {size} bytes, the caps are {LARGEST} and {LARGEST_TOTAL} in all"
