"""What a box may use is bounded, and what it leaves behind ends with it."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from benchwright.errors import IsolationError
from benchwright.isolation.box import Box
from benchwright.isolation.config import HOME, places
from benchwright.isolation.workspace import Completed
from tests.safety.boxes import attempt_argv, config
from tests.safety.host import gone, now, source_of

PLACES = sorted(place.path for place in places(config()))


async def attempt(box: Box, name: str, timeout_s: float = 30, **target: str) -> Completed:
    await box.write("/tmp/attempts/attempt.py", source_of("resources").encode())
    return await box.exec(attempt_argv(name, target), timeout_s=timeout_s)


def got(done: Completed) -> dict[str, Any]:
    outcome: dict[str, Any] = json.loads(done.stdout)
    assert "broken" not in outcome, outcome
    return outcome


async def namespace_of(box: Box) -> str:
    done = await box.exec(["readlink", "/proc/self/ns/pid"], timeout_s=10)
    return done.stdout.decode().strip()


async def alone(box: Box) -> bool:
    """Whether nothing lives in the box but its first process, its sleep, and this question."""
    done = await box.exec(["sh", "-c", "cat /proc/[0-9]*/stat"], timeout_s=10)
    states = [line.rpartition(")")[2].split()[0] for line in done.stdout.decode().splitlines()]
    return len([state for state in states if state not in "ZX"]) <= 4


async def test_children_stop_at_the_limit_of_processes() -> None:
    async with Box.open(config(processes=60)) as box:
        done = await attempt(box, "forks_until_refused")
        assert 1 <= got(done)["got"]["children"] <= 60
        await box.kill_all()
        assert await alone(box)


async def test_threads_stop_at_the_limit_of_processes() -> None:
    async with Box.open(config(processes=60)) as box:
        done = await attempt(box, "starts_threads_until_refused")
        assert got(done)["got"]["threads"] <= 60


async def test_a_fork_bomb_takes_nothing_from_another_box() -> None:
    async with Box.open(config(processes=60)) as bomb, Box.open(config(processes=60)) as other:
        await attempt(bomb, "forks_without_end", timeout_s=2)
        done = await attempt(other, "forks_until_refused")
        assert got(done)["got"]["children"] >= 30
        await bomb.kill_all()
        assert await alone(bomb)


async def test_a_fork_bomb_ends_with_its_box() -> None:
    async with Box.open(config(processes=60)) as box:
        namespace, seen_at = await namespace_of(box), now()
        task = asyncio.create_task(attempt(box, "forks_without_end", timeout_s=20))
        await asyncio.sleep(1)
        await box.close()
        await asyncio.gather(task, return_exceptions=True)
        assert gone(namespace, seen_at)


async def test_processes_that_run_away_are_all_killed() -> None:
    async with Box.open(config(processes=60)) as box:
        await attempt(box, "runs_away_from_its_killer", timeout_s=5)
        await box.kill_all()
        for _ in range(5):
            assert await alone(box)


async def test_a_daemon_writes_nothing_after_everything_was_killed() -> None:
    async with Box.open(config()) as box:
        await attempt(box, "leaves_a_daemon", timeout_s=10)
        await asyncio.sleep(0.1)
        await box.kill_all()
        before = await box.read("late", limit=1_000_000)
        await asyncio.sleep(0.3)
        assert before
        assert await box.read("late", limit=1_000_000) == before
        assert await alone(box)


@pytest.mark.parametrize("name", ["allocates_fifty_gigabytes", "allocates_piece_by_piece"])
async def test_the_memory_of_one_process_is_bounded(name: str) -> None:
    async with Box.open(config(data_mb=300, memory_mb=600)) as box:
        assert got(await attempt(box, name))["refused"] == "MemoryError"
        assert (await box.exec(["true"], timeout_s=5)).returncode == 0


@pytest.mark.parametrize(
    "name",
    [
        "allocates_shared_memory",
        "allocates_in_many_processes",
        "keeps_files_in_memory",
        "keeps_segments_without_a_process",
        "keeps_bytes_in_sockets",
    ],
)
async def test_the_memory_of_all_processes_together_is_bounded(name: str) -> None:
    async with Box.open(config(memory_mb=300, data_mb=250)) as box:
        stopped = await is_stopped(box, name)
    assert stopped, "took four times the memory of the box and was not stopped"


async def is_stopped(box: Box, name: str) -> bool:
    """Whether the attempt ended before it had all that it wanted."""
    try:
        done = await attempt(box, name)
    except IsolationError:
        return True
    if done.returncode != 0 or not done.stdout:
        return True
    outcome = got(done)
    return "refused" in outcome or outcome["got"].get("unharmed", 99) < 12


async def test_a_box_that_was_over_its_memory_serves_the_next_command() -> None:
    async with Box.open(config(memory_mb=300, data_mb=250)) as box:
        done = await attempt(box, "allocates_in_many_processes")
        assert done.returncode == 137
        assert b"memory" in done.stderr
        done = await box.exec(["echo", "next"], timeout_s=5)
        assert (done.returncode, done.stdout) == (0, b"next\n")


@pytest.mark.parametrize("place", PLACES)
async def test_a_folder_holds_no_more_than_its_size(place: str) -> None:
    sizes = {p.path: p.mb for p in places(config())}
    async with Box.open(config()) as box:
        written = got(await attempt(box, "fills_a_folder", place=place))["got"]
        assert written["stopped"] == "No space left on device"
        assert sizes[place] - 2 <= written["mb"] <= sizes[place]
        assert (await box.exec(["true"], timeout_s=5)).returncode == 0


@pytest.mark.parametrize("place", PLACES)
async def test_a_folder_holds_a_bounded_number_of_files(place: str) -> None:
    async with Box.open(config(files=500)) as box:
        made = got(await attempt(box, "fills_a_folder_with_empty_files", place=place))["got"]
        assert made["stopped"] == "No space left on device"
        assert made["files"] <= 500


async def test_open_files_are_bounded() -> None:
    async with Box.open(config(open_files=200)) as box:
        assert got(await attempt(box, "opens_files_until_refused"))["got"]["files"] < 200


async def test_one_file_is_bounded() -> None:
    async with Box.open(config(file_mb=8)) as box:
        assert got(await attempt(box, "writes_one_endless_file"))["refused"] == "EFBIG"


async def test_a_sparse_file_is_bounded_too() -> None:
    async with Box.open(config(file_mb=8)) as box:
        assert got(await attempt(box, "makes_a_file_of_a_terabyte"))["refused"] == "EFBIG"


async def test_no_core_file_is_left() -> None:
    async with Box.open(config()) as box:
        assert got(await attempt(box, "leaves_a_core_file"))["got"] is None


async def test_memory_cannot_be_locked() -> None:
    async with Box.open(config()) as box:
        assert "refused" in got(await attempt(box, "locks_memory"))


@pytest.mark.parametrize(
    "command",
    [
        "yes",
        "yes >&2",
        "head -c 300000000 /dev/zero | tr '\\0' a",
        "cat /dev/zero",
        "yes | tee /dev/stderr",
    ],
)
async def test_output_without_end_is_cut(command: str) -> None:
    async with Box.open(config()) as box:
        done = await box.exec(["sh", "-c", command], timeout_s=1.5)
        assert len(done.stdout) < 12 << 20
        assert len(done.stderr) < 12 << 20
        assert (await box.exec(["echo", "next"], timeout_s=5)).stdout == b"next\n"


@pytest.mark.parametrize(
    "command",
    [
        "sleep 60",
        "trap '' TERM INT HUP; sleep 60; sleep 60",
        "sleep 60 & wait",
        "setsid sh -c 'trap \"\" TERM; sleep 60' & wait",
        "kill -STOP $$",
        "sleep 60 & exec 1>&- 2>&-; wait",
        "read line",
    ],
)
async def test_a_command_ends_at_its_time_limit(command: str) -> None:
    async with Box.open(config()) as box:
        start = time.monotonic()
        done = await box.exec(["sh", "-c", command], timeout_s=0.7)
        assert time.monotonic() - start < 6
        assert done.returncode != 0
        await box.kill_all()
        assert await alone(box)


async def test_a_background_child_that_holds_the_output_open_does_not_hold_the_caller() -> None:
    async with Box.open(config()) as box:
        start = time.monotonic()
        await box.exec(["sh", "-c", "sleep 60 & echo started"], timeout_s=2)
        assert time.monotonic() - start < 8


async def test_what_is_not_read_from_standard_input_holds_nobody() -> None:
    async with Box.open(config()) as box:
        done = await box.exec(["true"], stdin=b"x" * (8 << 20), timeout_s=5)
        assert done.returncode == 0
        done = await box.exec(["cat"], stdin=b"x" * (8 << 20), timeout_s=10)
        assert len(done.stdout) == 8 << 20


async def test_two_boxes_share_no_folder_process_or_socket() -> None:
    shared = (
        "import socket,time; s=socket.socket(1); s.bind('\\0of-a-box'); s.listen(); time.sleep(30)"
    )
    ask = "import socket; socket.socket(1).connect('\\0of-a-box')"
    async with Box.open(config()) as one, Box.open(config()) as other:
        for place in (*PLACES, HOME):
            await one.write(f"{place}/of-a-box", b"x")
        await one.exec(["sh", "-c", f'python3 -c "{shared}" >/dev/null 2>&1 &'], timeout_s=5)
        await asyncio.sleep(0.3)
        assert (await one.exec(["python3", "-c", ask], timeout_s=5)).returncode == 0
        assert (await other.exec(["python3", "-c", ask], timeout_s=5)).returncode != 0
        found = await other.exec(["find", *PLACES, "-name", "of-a-box"], timeout_s=5)
        assert found.stdout == b""
        assert await alone(other)
