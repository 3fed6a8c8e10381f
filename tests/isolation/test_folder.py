"""The folder for `--sandbox none`: the same calls, no isolation."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from benchwright.errors import SubmissionError
from benchwright.isolation.folder import FolderBox


@pytest.fixture
async def folder() -> AsyncIterator[FolderBox]:
    async with FolderBox.open() as box:
        yield box


async def test_files_and_commands_share_the_folder(folder: FolderBox) -> None:
    await folder.write("/app/a/b.txt", b"one")
    done = await folder.exec(["sh", "-c", "cat a/b.txt; cat"], stdin=b" two", timeout_s=10)
    assert done.stdout == b"one two"
    assert await folder.read("a/b.txt", limit=3) == b"one"
    assert [(f.path, f.size) for f in await folder.list_files()] == [("a/b.txt", 3)]


async def test_listed_files_are_read_together_while_they_are_as_listed(folder: FolderBox) -> None:
    await folder.write("a", b"one")
    await folder.write("b/c", b"two")
    files = await folder.list_files()
    assert await folder.read_together(files) == [b"one", b"two"]
    await folder.write("a", b"longer")
    assert await folder.read_together(files) is None


@pytest.mark.parametrize("path", ["../out", "/etc/passwd", "a/../../x", "/app/../x"])
async def test_other_places_are_refused(folder: FolderBox, path: str) -> None:
    with pytest.raises(SubmissionError):
        await folder.read(path, limit=10)
    with pytest.raises(SubmissionError):
        await folder.write(path, b"x")


async def test_links_pipes_folders_and_large_files_are_not_read(folder: FolderBox) -> None:
    await folder.exec(
        ["sh", "-c", "ln -s /etc/passwd l; mkfifo p; mkdir d; echo 123456 >big"], timeout_s=10
    )
    for path in ("l", "p", "d", "big", "none"):
        with pytest.raises(SubmissionError):
            await folder.read(path, limit=5)


async def test_the_environment_is_short(folder: FolderBox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    done = await folder.exec(["env"], timeout_s=10)
    names = {line.split("=")[0] for line in done.stdout.decode().splitlines()}
    assert names == {"PATH", "HOME", "TMPDIR", "LANG", "TZ", "PYTHONDONTWRITEBYTECODE"}


async def test_the_time_limit_holds(folder: FolderBox) -> None:
    done = await folder.exec(["sleep", "30"], timeout_s=0.3)
    assert done.timed_out and done.returncode != 0


async def test_a_missing_program_is_the_commands_failure(folder: FolderBox) -> None:
    assert (await folder.exec(["no-such-program"], timeout_s=5)).returncode == 127


async def test_closing_ends_what_runs_and_removes_the_folder() -> None:
    async with FolderBox.open() as box:
        await box.exec(["sh", "-c", "setsid sleep 551 >/dev/null 2>&1 &"], timeout_s=10)
        path = box.folder
    await asyncio.sleep(0.1)
    assert not path.exists()
    commands = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            commands.append(Path("/proc", name, "cmdline").read_bytes())
        except OSError:
            continue
    assert b"sleep\x00551\x00" not in commands
