"""What a box lets a command see and do."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable

import pytest

from benchwright.errors import IsolationError, SubmissionError
from benchwright.isolation.box import Box
from benchwright.isolation.config import BoxConfig, places
from benchwright.isolation.process import Limits
from benchwright.isolation.workspace import Completed

Shell = Callable[[str], Awaitable[Completed]]


async def test_a_command_runs_in_app_with_its_input_and_its_code(box: Box) -> None:
    done = await box.exec(["sh", "-c", "pwd; cat; exit 7"], stdin=b"words", timeout_s=10)
    assert (done.returncode, done.stdout, done.timed_out) == (7, b"/app\nwords", False)


async def test_a_signal_becomes_a_code_above_128(shell: Shell) -> None:
    assert (await shell("kill -TERM $$")).returncode == 143


async def test_a_missing_program_is_the_commands_failure(box: Box) -> None:
    assert (await box.exec(["no-such-program"], timeout_s=10)).returncode == 127
    assert (await box.exec(["sh", "-c", "a\0b"], timeout_s=10)).returncode == 126


async def test_files_come_back_as_written_and_are_listed(box: Box) -> None:
    await box.write("deep/er/data.bin", bytes(range(256)))
    await box.write("deep/er/data.bin", b"second")
    await box.write("/app/-odd name\n", b"x")
    assert await box.read("deep/er/data.bin", limit=6) == b"second"
    listed = [(file.path, file.size) for file in await box.list_files()]
    assert listed == [("-odd name\n", 1), ("deep/er/data.bin", 6)]


async def test_listed_files_are_read_together(box: Box, shell: Shell) -> None:
    await shell("mkdir -p d; printf '%s' one >'d/-odd name'; : >empty; printf 'two\\n' >z")
    files = await box.list_files()
    assert await box.read_together(files) == [b"one", b"", b"two\n"]
    assert await box.read_together(()) == []


@pytest.mark.parametrize("change", ["rm z", "echo more >>z", "chmod 0 z"])
async def test_files_that_are_not_as_listed_are_not_read_together(
    box: Box, shell: Shell, change: str
) -> None:
    await shell("echo one >a; echo two >z")
    files = await box.list_files()
    await shell(change)
    assert await box.read_together(files) is None
    assert await box.read_together(files[:1]) == [b"one\n"]


@pytest.mark.parametrize(
    ("make", "path", "problem"),
    [
        ("true", "absent", "does not exist"),
        ("mkdir folder", "folder", "is a folder"),
        ("mkfifo pipe", "pipe", "not a regular file"),
        ("ln -s pipe link; mkfifo pipe", "link", "not a regular file"),
        ("ln -s /dev/zero zeros", "zeros", "not a regular file"),
        ("ln -s /proc/self/environ secret", "secret", "not a regular file"),
        ("ln -s loop loop", "loop", "does not exist"),
        ("echo hidden >locked; chmod 0 locked", "locked", "permissions"),
        ("head -c 11 /dev/zero >large", "large", "too large"),
        ("truncate -s 5G sparse 2>/dev/null; truncate -s 900M sparse", "sparse", "too large"),
    ],
)
async def test_only_regular_files_within_the_limit_are_read(
    box: Box, shell: Shell, make: str, path: str, problem: str
) -> None:
    await shell(make)
    with pytest.raises(SubmissionError, match=problem):
        await box.read(path, limit=10)


async def test_a_link_reaches_the_boxs_own_files_not_the_hosts(box: Box, shell: Shell) -> None:
    await shell("ln -s /etc/passwd names; ln -s /root/.bashrc home; ln -s $PWD/../root out")
    names = await box.read("names", limit=10_000)
    assert names.startswith(b"root:x:0:0::/home/agent") and len(names.splitlines()) == 2
    for path in ("home", "out"):
        with pytest.raises(SubmissionError, match="does not exist"):
            await box.read(path, limit=10_000)


async def test_writing_beyond_the_size_of_the_folder_is_an_error(box: Box) -> None:
    with pytest.raises(SubmissionError, match="cannot be read or written"):
        await box.write("big", bytes(65 * 1024 * 1024))


async def test_output_is_cut_and_says_so(box: Box) -> None:
    done = await box.run(["sh", "-c", "yes | head -c 5000; yes x >&2"], Limits(10, 1000))
    for stream in (done.stdout, done.stderr):
        assert len(stream) < 1200 and b"only the first 1000 bytes are kept" in stream
    assert done.cut and not done.timed_out


async def test_a_background_child_that_keeps_the_output_open_does_not_hold_the_command(
    shell: Shell,
) -> None:
    start = time.monotonic()
    done = await shell("sleep 300 & echo started")
    assert (done.returncode, done.stdout) == (0, b"started\n")
    assert time.monotonic() - start < 5
    assert b"sleep 300" in (await shell("ps ax")).stdout


async def test_the_time_limit_ends_children_that_left_the_group(box: Box, shell: Shell) -> None:
    script = "(setsid sh -c 'exec sleep 771' &) ; nohup sleep 772 & exec setsid sleep 773"
    done = await box.exec(["bash", "-c", script], timeout_s=0.7)
    assert done.timed_out and done.returncode != 0
    assert b"sleep 77" not in (await shell("ps ax | grep -v grep")).stdout


async def test_a_time_limit_spares_the_other_commands(box: Box, shell: Shell) -> None:
    await shell("sleep 881 >/dev/null 2>&1 &")
    assert (await box.exec(["sleep", "882"], timeout_s=0.5)).timed_out
    listed = (await shell("ps ax | grep -v grep")).stdout
    assert b"sleep 881" in listed and b"sleep 882" not in listed


async def test_cancelling_ends_the_command(box: Box, shell: Shell) -> None:
    running = asyncio.create_task(box.exec(["sleep", "661"], timeout_s=60))
    await asyncio.sleep(0.5)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert b"sleep 661" not in (await shell("ps ax | grep -v grep")).stdout


async def test_kill_all_leaves_only_the_first_process(box: Box, shell: Shell) -> None:
    await shell("for i in 1 2 3; do setsid sh -c 'while :; do :; done' >/dev/null 2>&1 & done")
    await box.kill_all()
    names = (await shell("ps -e -o comm= | sort -u")).stdout.split()
    assert set(names) <= {b"sh", b"sleep", b"ps", b"sort", b"bash"}
    assert await box.read("/etc/hostname", limit=100) == b"sandbox\n"


async def test_the_first_process_starts_nothing_while_a_sweep_is_under_way(
    box: Box, shell: Shell
) -> None:
    """Its own child is ended by each sweep and comes back once: a sweep never chases it."""
    sweeps, entering = 40, 20
    before = int((await shell("echo $$")).stdout)
    for _ in range(sweeps):
        await box.kill_all()
    after = int((await shell("echo $$")).stdout)
    assert after - before <= sweeps + entering


async def test_every_writable_place_has_its_own_size_and_count_of_files(shell: Shell) -> None:
    mounts = (await shell("grep -v ' ro,' /proc/self/mounts")).stdout.decode().splitlines()
    writable = {line.split()[1]: line for line in mounts if " tmpfs " in line}
    wanted = {place.path for place in places(BoxConfig())}
    assert set(writable) == wanted
    assert all("size=" in line and "nr_inodes=65536" in line for line in writable.values())


async def test_ended_from_outside_is_a_sandbox_failure(box: Box) -> None:
    running = asyncio.create_task(box.exec(["sleep", "30"], timeout_s=60))
    await asyncio.sleep(0.3)
    os.kill(box.cell.init, signal.SIGKILL)
    with pytest.raises(IsolationError, match="sandbox ended"):
        await running
    for call in (box.exec(["true"], timeout_s=5), box.read("x", limit=1), box.kill_all()):
        with pytest.raises(IsolationError, match="sandbox ended"):
            await call
    assert not box.alive


async def test_closing_twice_is_harmless_and_final(box: Box) -> None:
    await box.close()
    await box.close()
    with pytest.raises(IsolationError):
        await box.exec(["true"], timeout_s=5)
