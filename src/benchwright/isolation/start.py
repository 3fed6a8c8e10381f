"""Starting one bwrap, and seeing its process off.

Takes a `BoxConfig`; gives the running bwrap and the host number of the box's first process.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from benchwright.errors import IsolationError
from benchwright.isolation import bwrap
from benchwright.isolation.config import INIT_SHELL, BoxConfig, own_files

# Process 1 ignores every signal from inside, reaps orphans, and waits for its host's first line:
# without one the host died before the parent-death signal was armed.
_INIT = (
    'echo ready; read go || exit 1; [ "$go" = go ] || exit 1; exec </dev/null >&- 2>&-; '
    "while :; do sleep 86400 & wait $!; done"
)
_START_S = 30.0


def start(config: BoxConfig) -> tuple[subprocess.Popen[bytes], int]:
    """A new bwrap whose mounts exist, and its first process; IsolationError with its complaint.

    The calling thread must outlive the box: the kernel ends the box with that thread.
    """
    bwrap.check_tools()
    _check_agent_python(config)
    child, info, stderr = _spawn(config)
    try:
        return child, _await_ready(child, info, stderr)
    except BaseException:
        reap(child)
        raise
    finally:
        os.close(info)
        os.close(stderr)


def reap(child: subprocess.Popen[bytes]) -> None:
    """End bwrap and collect it."""
    child.kill()
    child.wait(_START_S)
    for pipe in (child.stdin, child.stdout):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()


def _spawn(config: BoxConfig) -> tuple[subprocess.Popen[bytes], int, int]:
    """Start bwrap; gives it, the descriptor of its own report, and that of its complaints."""
    with contextlib.ExitStack() as stack:
        own = {path: stack.enter_context(_memory_file(d)) for path, d in own_files(config).items()}
        info_read, info_write = os.pipe()
        error_read, error_write = os.pipe()
        stack.callback(os.close, info_write)
        stack.callback(os.close, error_write)
        words = bwrap.bwrap_arguments(config, info_fd=info_write, own=own)
        data = "\0".join(words).encode() + b"\0"
        args = stack.enter_context(_memory_file(data))
        argv = [*bwrap.outside_identity(), str(bwrap.find_bwrap()), "--args", str(args)]
        child = subprocess.Popen(
            [*argv, "--", INIT_SHELL, "-c", _INIT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=error_write,
            env=bwrap.clean_env(),
            pass_fds=[args, info_write, *own.values()],
            start_new_session=True,
        )
    return child, info_read, error_read


@contextmanager
def _memory_file(data: bytes) -> Iterator[int]:
    fd = os.memfd_create("box")
    try:
        os.write(fd, data)
        os.lseek(fd, 0, os.SEEK_SET)
        yield fd
    finally:
        os.close(fd)


def _await_ready(child: subprocess.Popen[bytes], info: int, stderr: int) -> int:
    """Host number of the first process, once it has said that its mounts exist."""
    assert child.stdin and child.stdout
    deadline = time.monotonic() + _START_S
    said = b""
    while not said.endswith(b"\n"):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([child.stdout], [], [], left)[0]:
            raise _not_started("no answer within 30 s")
        part = os.read(child.stdout.fileno(), 64)
        if not part:
            child.wait(_START_S)
            raise _not_started(os.read(stderr, 4096).decode(errors="replace").strip())
        said += part
    init = int(json.loads(os.read(info, 4096))["child-pid"])
    child.stdin.write(b"go\n")
    child.stdin.close()
    child.stdout.close()
    return init


def _not_started(reason: str) -> IsolationError:
    return IsolationError(
        "sandbox does not start",
        value=reason,
        where="bwrap",
        hint="Allow unprivileged user namespaces, or use --sandbox none for built-in agents.",
    )


def _check_agent_python(config: BoxConfig) -> None:
    folder = config.agent_python
    if folder and not os.access(os.path.join(folder, "bin/python3"), os.X_OK):
        raise IsolationError(
            "no agent Python",
            value=folder,
            where="bin/python3",
            hint="Make it with: python -m benchwright.isolation.agent_python",
        )
