"""What a box is made of: its limits, its writable places, its own /etc, its environment.

Pure data. Every writable place is a tmpfs of its own size, so no host folder is ever written.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from benchwright.isolation.filter import seccomp_program

WORK = "/app"
HOME = "/home/agent"
AGENT_PYTHON = "/opt/agent"
INIT_SHELL = "/.box/sh"
DOOR = "/.box/door.py"
FILTER = "/.box/filter"
BOX_PATH = f"{AGENT_PYTHON}/bin:/usr/bin:/usr/sbin:/bin:/sbin"


@dataclass(frozen=True, slots=True)
class BoxConfig:
    """Limits of one box; hashable, whole numbers, 0 = no limit."""

    work_mb: int = 1024
    home_mb: int = 512
    tmp_mb: int = 512
    shm_mb: int = 256
    run_mb: int = 64
    files: int = 65_536
    """Files and folders in each writable place: empty files cost memory that no size counts."""
    memory_mb: int = 4096
    """All processes of the box together, watched from outside."""
    data_mb: int = 2048
    """Heap of one process (RLIMIT_DATA)."""
    file_mb: int = 1024
    processes: int = 256
    open_files: int = 1024
    agent_python: str = ""
    """Host folder of the agent's Python, seen at /opt/agent; empty: the one made for all."""
    alone: bool = False
    """Refuse, besides, changes to other processes and internet sockets."""
    env: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """One writable tmpfs: where, its size in MB, its mode."""

    path: str
    mb: int
    mode: str


def places(config: BoxConfig) -> tuple[Place, ...]:
    """Every writable place of a box; there is no other."""
    return (
        Place(WORK, config.work_mb, "0755"),
        Place(HOME, config.home_mb, "0755"),
        Place("/tmp", config.tmp_mb, "1777"),
        Place("/var/tmp", config.tmp_mb, "1777"),
        Place("/run", config.run_mb, "0755"),
        Place("/dev/shm", config.shm_mb, "1777"),
    )


def own_files(config: BoxConfig) -> dict[str, bytes]:
    """Files that are the box's own: /etc without a name of the host, its first shell, its door.

    That shell is a copy that may be executed but not read: the kernel then lets no process of the
    box look into it or change it, so nothing can hide in the one process that is never killed.
    """
    return {
        "/etc/passwd": (
            f"root:x:0:0::{HOME}:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n".encode()
        ),
        "/etc/group": b"root:x:0:\nnogroup:x:65534:\n",
        "/etc/hosts": b"127.0.0.1 localhost sandbox\n::1 localhost sandbox\n",
        "/etc/nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
        "/etc/hostname": b"sandbox\n",
        INIT_SHELL: Path("/bin/sh").read_bytes(),
        DOOR: resources.files(__package__).joinpath("_door.py").read_bytes(),
        FILTER: seccomp_program(platform.machine(), alone=config.alone),
    }


def environment(config: BoxConfig) -> dict[str, str]:
    """Environment of a command in the box. Few threads: each costs address space and variance."""
    base = {"PATH": BOX_PATH, "HOME": HOME, "USER": "root", "LANG": "C.UTF-8", "TZ": "UTC"}
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "MKL_NUM_THREADS")
    caches = {"NUMBA_CACHE_DIR": "/tmp/.numba", "MPLCONFIGDIR": "/tmp/.matplotlib"}
    quiet = {"PYTHONDONTWRITEBYTECODE": "1", "TERM": "dumb"}
    return {**base, **dict.fromkeys(threads, "2"), **caches, **quiet, **dict(config.env)}
