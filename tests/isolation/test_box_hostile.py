"""What a hostile program in a box can not do; every test holds for root and for any other user."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from benchwright.isolation.box import Box
from benchwright.isolation.config import BoxConfig, environment
from benchwright.isolation.process import Limits
from benchwright.isolation.workspace import Completed

Shell = Callable[[str], Awaitable[Completed]]
ROOT = Path(__file__).resolve().parents[2]

COUNT_FORKS = """
import os, time
n = 0
try:
    while n < 500:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
        n += 1
except OSError:
    pass
print(n, flush=True)
os.killpg(0, 9)
"""
HOLD_MEMORY = """
import os, time
for _ in range(20):
    if os.fork() == 0:
        data = bytearray(150 << 20)
        data[::4096] = b"x" * len(data[::4096])
        time.sleep(30)
        os._exit(0)
time.sleep(30)
"""
HIDE_MEMORY = """
import os, time
files = []
for _ in range(30):
    files.append(os.memfd_create("m"))
    for _ in range(50):
        os.write(files[-1], bytes(1 << 20))
time.sleep(30)
"""
OVERWRITE_INIT = """
import re
maps = open("/proc/1/maps").read()
mem = open("/proc/1/mem", "r+b", buffering=0)
for start, end, mode in re.findall(r"^([0-9a-f]+)-([0-9a-f]+) (\\S+)", maps, re.M):
    if "x" in mode and int(start, 16) < 1 << 47:
        mem.seek(int(start, 16))
        mem.write(b"\\xcc" * (int(end, 16) - int(start, 16)))
"""


async def test_forks_stop_at_the_limit(box: Box) -> None:
    done = await box.exec(["python3", "-c", COUNT_FORKS], timeout_s=20)
    assert 40 <= int(done.stdout) <= 60


async def test_a_fork_bomb_ends_with_its_time_limit_and_the_box_goes_on(box: Box) -> None:
    done = await box.exec(["bash", "-c", "f() { f | f & }; f; sleep 60"], timeout_s=1)
    assert done.timed_out
    await box.kill_all()
    left = (await box.exec(["ps", "-e", "-o", "comm="], timeout_s=5)).stdout.split()
    assert sorted(left) == [b"ps", b"sh", b"sleep"]


async def test_a_bomb_in_the_background_is_ended_by_kill_all(box: Box, shell: Shell) -> None:
    bomb = "import os\\nwhile 1:\\n  try: os.fork()\\n  except OSError: pass"
    await shell(f"setsid python3 -c $'{bomb}' >/dev/null 2>&1 &")
    await asyncio.sleep(0.3)
    await box.kill_all()
    assert not [p for p in box.cell.people.members() if p.parent != box.cell.init]


async def test_a_heap_above_the_limit_is_a_memory_error(can_start: None) -> None:
    async with Box.open(BoxConfig(data_mb=200)) as box:
        done = await box.exec(["python3", "-c", "bytearray(50 << 30)"], timeout_s=10)
        assert b"MemoryError" in done.stderr
        done = await box.exec(["python3", "-c", "bytearray(300 << 20)"], timeout_s=10)
        assert b"MemoryError" in done.stderr


@pytest.mark.parametrize("program", [HOLD_MEMORY, HIDE_MEMORY])
async def test_all_processes_together_stay_within_the_memory_of_the_box(
    box: Box, program: str
) -> None:
    start = time.monotonic()
    done = await box.exec(["python3", "-c", program], timeout_s=25)
    assert b"sandbox over its 512 MB of memory" in done.stderr
    assert not done.timed_out and done.returncode == 137
    assert time.monotonic() - start < 20
    assert (await box.exec(["echo", "on"], timeout_s=5)).stdout == b"on\n"


@pytest.mark.parametrize("folder", ["/app", "/tmp", "/var/tmp", "/run", "/dev/shm", "/home/agent"])
async def test_every_writable_place_fills_up_at_its_size(shell: Shell, folder: str) -> None:
    script = f"head -c 600M /dev/zero >{folder}/fill; stat -c %s {folder}/fill; rm {folder}/fill"
    done = await shell(script)
    assert b"No space left" in done.stderr
    assert int(done.stdout) <= 512 << 20


async def test_files_without_content_run_out_too(shell: Shell) -> None:
    script = "cd /dev/shm && python3 -c 'for i in range(70000): open(str(i), \"w\")'"
    assert b"No space left" in (await shell(script)).stderr


@pytest.mark.parametrize(
    "path", ["/", "/etc", "/usr/bin", "/usr/share", "/dev", "/opt", "/var", "/home", "/proc/sys"]
)
async def test_nothing_else_is_writable(shell: Shell, path: str) -> None:
    done = await shell(f"touch {path}/new")
    assert done.returncode != 0 and b"new" in done.stderr


@pytest.mark.parametrize(
    "attempt",
    [
        "mount -t tmpfs none /app",
        "umount /app",
        "mount -o remount,rw /",
        "unshare --user --map-root-user true",
        "unshare --mount true",
        "nsenter --target 1 --mount true",
        "chroot / true",
        "mknod /tmp/disk b 254 0",
        "echo 1 >/proc/sys/user/max_user_namespaces",
        "echo 1 >/proc/sys/kernel/shmmni",
        "ipcmk --shmem 4096",
        "ipcmk --queue",
        "ipcmk --semaphore 1",
        "date --set 2001-01-01",
        "chown 1:1 /app",
        "ip link add dummy0 type dummy",
        "prlimit --nproc=100000 --pid $$",
        "dmesg",
        "cat /proc/kcore",
        "cat /proc/1/environ",
    ],
)
async def test_privileges_are_refused(shell: Shell, attempt: str) -> None:
    assert (await shell(attempt)).returncode != 0


async def test_no_privilege_is_left(shell: Shell) -> None:
    status = (await shell("cat /proc/self/status")).stdout.decode()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert {fields[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {
        "0000000000000000"
    }
    assert fields["NoNewPrivs"] == "1"


async def test_there_is_no_network(shell: Shell) -> None:
    script = "exec 3<>/dev/tcp/1.1.1.1/80"
    assert b"Network is unreachable" in (await shell(script)).stderr
    interfaces = (await shell("tail -n +3 /proc/net/dev")).stdout.split(b":")[0].split()
    assert interfaces == [b"lo"]
    assert (await shell("ls /run/*.sock /run/docker* /var/run 2>/dev/null")).stdout == b""


async def test_the_hosts_names_processes_and_environment_are_not_seen(shell: Shell) -> None:
    seen = await shell("env; cat /etc/hosts /etc/hostname; hostname; ps -e -o args=")
    assert os.uname().nodename.encode() not in seen.stdout.replace(b"localhost", b"")
    assert b"pytest" not in seen.stdout
    known = {"PATH", "HOME", "USER", "LANG", "TZ", "TERM", "PWD", "SHLVL", "_"}
    names = {line.split("=")[0] for line in (await shell("env")).stdout.decode().splitlines()}
    leaked = {n for n in names & set(os.environ) if os.environ[n] in seen.stdout.decode()}
    assert leaked <= known | set(environment(BoxConfig()))


async def test_neither_the_checkout_nor_any_home_is_found(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "held-gold.json").write_text("{}")
    for path in (ROOT, tmp_path, Path.home(), Path("/root"), Path(sys.prefix), Path("/work")):
        assert (await shell(f"ls '{path}'")).returncode != 0
    found = await shell("find / -xdev -iname '*benchwright*' -o -xdev -name 'held-gold*'")
    assert found.stdout == b""


async def test_kill_everything_from_inside_leaves_the_box_usable(box: Box, shell: Shell) -> None:
    await shell("kill -9 1; kill -9 -1")
    assert (await shell("echo on")).stdout == b"on\n"


@pytest.mark.parametrize("file", ["mem", "environ", "fd/0", "root/etc/passwd"])
async def test_the_first_process_cannot_be_looked_into(shell: Shell, file: str) -> None:
    assert b"Permission denied" in (await shell(f"cat /proc/1/{file}")).stderr


async def test_the_first_process_cannot_be_changed(box: Box) -> None:
    done = await box.exec(["python3", "-c", OVERWRITE_INIT], timeout_s=10)
    assert b"PermissionError" in done.stderr
    assert (await box.exec(["chmod", "755", "/.box/sh"], timeout_s=5)).returncode != 0
    assert (await box.exec(["cat", "/.box/sh"], timeout_s=5)).returncode != 0


async def test_output_without_end_is_stopped(box: Box) -> None:
    start = time.monotonic()
    done = await box.run(["yes"], Limits(60, 1 << 20))
    assert done.cut and len(done.stdout) < 1.1 * (1 << 20) and not done.timed_out
    assert time.monotonic() - start < 30


async def test_limits_survive_an_environment_that_preloads(box: Box) -> None:
    await box.write("evil.so", b"\x7fELF not a library")
    done = await box.run(
        ["sh", "-c", "grep CapBnd /proc/self/status; ulimit -n"],
        Limits(10),
        env={"LD_PRELOAD": "/app/evil.so"},
    )
    assert done.stdout == b"CapBnd:\t0000000000000000\n1024\n"
    assert b"evil.so" in done.stderr and b"choom" not in done.stderr


START_AND_WAIT = """
import asyncio, os
from benchwright.isolation.box import Box
from benchwright.isolation.config import BoxConfig, environment
async def main():
    box = await Box.start(BoxConfig())
    print(box.cell.init, flush=True)
    await box.exec(["sh", "-c", "setsid sleep 991 & setsid sleep 992"], timeout_s=600)
asyncio.run(main())
"""


def test_killing_the_host_process_leaves_no_process_and_no_folder(
    can_start: None, tmp_path: Path
) -> None:
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    host = subprocess.Popen([sys.executable, "-c", START_AND_WAIT], stdout=subprocess.PIPE, env=env)
    assert host.stdout is not None
    with host.stdout:
        init = int(host.stdout.readline())
    space = os.stat(f"/proc/{init}/ns/pid").st_ino
    deadline = time.monotonic() + 20
    while len(_in_namespace(space)) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(_in_namespace(space)) >= 4
    os.kill(host.pid, signal.SIGKILL)
    host.wait()
    while _in_namespace(space) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert _in_namespace(space) == []
    assert list(tmp_path.iterdir()) == []


def _in_namespace(space: int) -> list[int]:
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{name}/ns/pid").st_ino == space:
                found.append(int(name))
        except OSError:
            continue
    return found
