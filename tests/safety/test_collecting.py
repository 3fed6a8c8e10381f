"""What an agent leaves for the host to read cannot lead the host out of the box."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from benchwright.errors import BenchwrightError, SubmissionError
from benchwright.isolation.box import Box
from benchwright.isolation.config import HOME
from tests.safety.boxes import config
from tests.safety.host import CHECKOUT, Host

LIMIT = 1_000_000
NOT_FILES = {
    "a_link_to_a_secret": "ln -s {secret} results.json",
    "a_link_to_an_environment": "ln -s /proc/self/environ results.json",
    "a_link_to_the_root_of_init": "ln -s /proc/1/root{secret} results.json",
    "a_link_to_a_descriptor": "ln -s /proc/self/fd/0 results.json",
    "a_link_to_a_memory": "ln -s /proc/self/mem results.json",
    "a_link_to_itself": "ln -s results.json results.json",
    "a_link_to_endless_zeros": "ln -s /dev/zero results.json",
    "a_link_to_random_bytes": "ln -s /dev/urandom results.json",
    "a_pipe": "mkfifo results.json",
    "a_folder": "mkdir results.json",
    "a_socket": "python3 -c 'import socket; socket.socket(1).bind(\"results.json\")'",
    "a_file_that_is_too_large": "head -c 2000000 /dev/zero > results.json",
    "a_file_with_a_hole": "truncate -s 900M results.json",
    "nothing": "true",
}


@pytest.mark.parametrize("command", NOT_FILES.values(), ids=NOT_FILES)
async def test_only_a_regular_file_of_bounded_size_is_read(host: Host, command: str) -> None:
    async with Box.open(config()) as box:
        done = await box.exec(["sh", "-c", command.format(secret=host.secret)], timeout_s=5)
        assert done.returncode == 0, done.stderr
        start = time.monotonic()
        with pytest.raises(SubmissionError):
            await box.read("results.json", limit=LIMIT)
        assert time.monotonic() - start < 5
        names = [file.path for file in await box.list_files()]
        assert "results.json" not in names or command.startswith(("head", "truncate"))


async def test_a_link_shows_what_the_box_sees_and_nothing_else() -> None:
    async with Box.open(config()) as box:
        await box.exec(["ln", "-s", "/etc/passwd", "results.json"], timeout_s=5)
        seen = (await box.exec(["cat", "/etc/passwd"], timeout_s=5)).stdout
        with suppress(SubmissionError):
            assert await box.read("results.json", limit=LIMIT) == seen
        assert seen != Path("/etc/passwd").read_bytes()
        assert await box.list_files() == ()


async def test_a_file_below_a_linked_folder_stays_in_the_box(host: Host) -> None:
    async with Box.open(config()) as box:
        parent = host.secret.parent
        await box.exec(["sh", "-c", f"ln -s {parent} out; mkdir a; ln -s a b"], timeout_s=5)
        with pytest.raises(SubmissionError):
            await box.read(f"out/{host.secret.name}", limit=LIMIT)
        with pytest.raises(SubmissionError):
            await box.read(str(host.secret), limit=LIMIT)
        assert await box.list_files() == ()


@pytest.mark.parametrize("place", ["results.json", "folder/results.json"])
async def test_writing_through_a_planted_link_changes_nothing_outside(
    host: Host, place: str
) -> None:
    async with Box.open(config()) as box:
        command = f"ln -s {host.secret} results.json; ln -s {host.folder} folder"
        await box.exec(["sh", "-c", command], timeout_s=5)
        with suppress(SubmissionError):
            await box.write(place, b"overwritten")
        assert host.marker in host.secret.read_text()
        assert not (host.folder / "results.json").exists()


ODD_NAMES = [
    b"new\nline", b" ", b"-rf", b"--", b"*", b"$(id)", b"`id`", b"'\"", b"\\x", b"..a", b"...",
    b"\xff\xfe", "\u202egnp.exe".encode(), "a\u0301".encode(), "\u00e1".encode(), b"\x1b[2J",
    b"\x7f", b"x" * 255, b"a\tb", b"\r", b"NUL", b"%s%n", "\u2028".encode(),
]  # fmt: skip


async def test_odd_file_names_come_back_whole_or_not_at_all(host: Host) -> None:
    program = f"import os\nfor name in {ODD_NAMES!r}:\n  open(name, 'wb').write(b'<' + name + b'>')"
    async with Box.open(config()) as box:
        done = await box.exec(["python3", "-c", program], timeout_s=5)
        assert done.returncode == 0, done.stderr
        files = await box.list_files()
        contents = {file.path: await content_of(box, file.path) for file in files}
    assert len({file.path for file in files}) == len(files)
    for file in files:
        assert not file.path.startswith("/")
        assert ".." not in file.path.split("/")
        assert "\0" not in file.path
        if os.fsencode(file.path) in ODD_NAMES:
            assert contents[file.path] in (b"<" + os.fsencode(file.path) + b">", None)
    for plain in ("$(id)", "*", "-rf", "--", "'\"", "%s%n", "x" * 255):
        assert contents[plain] == f"<{plain}>".encode()


async def content_of(box: Box, path: str) -> bytes | None:
    try:
        return await box.read(path, limit=LIMIT)
    except SubmissionError:
        return None


async def test_a_tree_deeper_than_any_path_is_survived() -> None:
    program = (
        "import os\nopen('top', 'w').write('t')\nfor _ in range(3000):\n"
        "  os.mkdir('deep'); os.chdir('deep')\nopen('bottom', 'w').write('b')"
    )
    async with Box.open(config()) as box:
        done = await box.exec(["python3", "-c", program], timeout_s=20)
        assert done.returncode == 0, done.stderr
        try:
            names = [file.path for file in await box.list_files()]
        except SubmissionError:
            names = ["top"]
        assert "top" in names
        assert (await box.exec(["true"], timeout_s=5)).returncode == 0


async def test_more_files_than_asked_for_are_not_collected() -> None:
    program = "for i in range(3000): open(f'f{i}', 'w')"
    async with Box.open(config()) as box:
        await box.exec(["python3", "-c", program], timeout_s=20)
        try:
            assert len(await box.list_files(most=100)) <= 100
        except SubmissionError as error:
            assert "100" in str(error) or "files" in str(error)


HOLES = """
import asyncio, sys
from benchwright.errors import BenchwrightError
from benchwright.isolation.box import Box
from tests.safety.boxes import config

async def main():
    async with Box.open(config(file_mb=1024)) as box:
        await box.exec(["truncate", "-s", "1000M", "hole1", "hole2", "hole3"], timeout_s=5)
        try:
            for file in await box.list_files():
                print(file.path, file.size, len(await box.read(file.path, limit=4_000_000)))
        except BenchwrightError as error:
            print(type(error).__name__, error)

asyncio.run(main())
"""


def test_files_with_holes_do_not_fill_the_memory_of_the_host() -> None:
    """Three gigabytes of nothing cost the agent nothing; they must cost the host nothing either."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (1200 << 20, 1200 << 20))

    known = [str(CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(known)}
    done = subprocess.run(
        [sys.executable, "-c", HOLES],
        cwd=CHECKOUT, env=environment, preexec_fn=bound, capture_output=True, text=True, timeout=90,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-1500:]
    assert "MemoryError" not in done.stderr


HIJACK = """
mkdir -p {home}/bin {home}/.local/bin
for name in cat sh ls find tar head python3 env dd readlink sed test stat timeout prlimit setpriv
do
  for folder in . {home} {home}/bin {home}/.local/bin /tmp /var/tmp /run
  do
    printf '#!/bin/sh\\necho hijacked >> /tmp/hijacked\\nexit 1\\n' > $folder/$name
    chmod 755 $folder/$name
  done
done
for file in .profile .bashrc .bash_profile .bash_login .bash_logout .shrc
do
  echo 'echo hijacked >> /tmp/hijacked' > {home}/$file
  cp {home}/$file $file
done
printf 'import os\\nopen("/tmp/hijacked", "a").write("hijacked")\\n' > sitecustomize.py
cp sitecustomize.py usercustomize.py
cp sitecustomize.py os.py
cp sitecustomize.py json.py
export PATH=/tmp:$PATH LD_PRELOAD=/app/evil.so BASH_ENV={home}/.bashrc ENV={home}/.bashrc
export PYTHONSTARTUP=/app/os.py PYTHONPATH=/app
true
"""


async def test_tools_of_the_agent_are_not_the_tools_of_the_host() -> None:
    async with Box.open(config()) as box:
        done = await box.exec(["sh", "-c", HIJACK.format(home=HOME)], timeout_s=10)
        assert done.returncode == 0, done.stderr
        await box.write("results.json", b"answer")
        await box.write("deep/er/results.json", b"answer")
        assert await box.read("results.json", limit=LIMIT) == b"answer"
        assert "deep/er/results.json" in [file.path for file in await box.list_files()]
        await box.kill_all()
        assert (await box.exec(["cat", "results.json"], timeout_s=5)).stdout == b"answer"
        assert (await box.exec(["ls", "/tmp/hijacked"], timeout_s=5)).returncode != 0


@pytest.mark.parametrize("mode", ["000", "200", "777", "4755"])
async def test_modes_of_folder_and_file_do_not_stop_the_host_from_going_on(mode: str) -> None:
    async with Box.open(config()) as box:
        await box.write("results.json", b"answer")
        await box.exec(["sh", "-c", f"chmod {mode} results.json; chmod {mode} /app"], timeout_s=5)
        try:
            assert await box.read("results.json", limit=LIMIT) == b"answer"
        except BenchwrightError as error:
            assert isinstance(error, SubmissionError)
        assert (await box.exec(["true"], timeout_s=5)).returncode in (0, 125)
        assert {file.path for file in await box.list_files()} <= {"results.json"}
        await box.kill_all()
        assert box.alive


async def test_a_file_that_changes_while_it_is_read_stays_within_its_limit() -> None:
    grow = "while :; do head -c 900000 /dev/zero > f; head -c 3000000 /dev/zero >> f; done"
    async with Box.open(config()) as box:
        await box.exec(["sh", "-c", f"({grow}) >/dev/null 2>&1 &"], timeout_s=5)
        await asyncio.sleep(0.1)
        for _ in range(20):
            try:
                assert len(await box.read("f", limit=LIMIT)) <= LIMIT
            except SubmissionError:
                continue


async def test_a_file_that_turns_into_a_link_while_it_is_read_shows_nothing_of_the_host(
    host: Host,
) -> None:
    swap = f"while :; do rm -f f; echo mine > f; rm -f f; ln -s {host.secret} f; done"
    async with Box.open(config()) as box:
        await box.exec(["sh", "-c", f"({swap}) >/dev/null 2>&1 &"], timeout_s=5)
        for _ in range(20):
            try:
                assert (await box.read("f", limit=LIMIT)) in (b"mine\n", b"")
            except SubmissionError:
                continue
