"""What stands around a box while an attempt runs: secrets, servers, and the traces left behind."""

from __future__ import annotations

import ast
import json
import os
import re
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

INSIDE = Path(__file__).parent / "inside"
CHECKOUT = Path(__file__).resolve().parents[2]
WATCHED = ("/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/usr/bin", "/etc")


@dataclass(frozen=True)
class Host:
    """A folder of secrets and the sockets that no box may reach."""

    folder: Path
    marker: str
    servers: dict[str, socket.socket]

    @property
    def secret(self) -> Path:
        return self.folder / "set" / "held" / "gold.json"

    def target(self) -> dict[str, str]:
        """What an attempt is told: an attacker who knows every path and number."""
        disk = os.stat("/").st_dev
        return {
            "marker": self.marker,
            "secret": str(self.secret),
            "held": str(self.secret.parent),
            "folder": str(self.folder),
            "checkout": str(CHECKOUT),
            "hostname": socket.gethostname(),
            "address": own_address(),
            "abstract": f"benchwright-{self.marker}",
            "socket": str(self.folder / "socket"),
            "disk": f"{os.major(disk)}:{os.minor(disk)}",
            "key": f"benchwright-{self.marker}",
            "tcp": self._port("tcp"),
            "udp": self._port("udp"),
            "vsock": self._port("vsock"),
        }

    def _port(self, name: str) -> str:
        server = self.servers.get(name)
        return str(server.getsockname()[1]) if server else "9"

    def reached(self) -> list[str]:
        """Names of the servers that something has connected or sent to."""
        names = []
        for name, server in self.servers.items():
            with suppress(BlockingIOError):
                server.recv(10) if name == "udp" else server.accept()[0].close()
                names.append(name)
        return names

    def traces(self) -> list[str]:
        """Files of the host that carry the marker in their name."""
        return [f"{place}/{n}" for place in WATCHED for n in os.listdir(place) if self.marker in n]


@contextmanager
def open_host() -> Iterator[Host]:
    """Secrets that every user of this machine may read: permissions hide nothing from a box."""
    marker = secrets.token_hex(16)
    folder = Path(tempfile.mkdtemp(prefix="safety-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        folder.chmod(0o755)
        servers = {name: stack.enter_context(s) for name, s in _servers(folder, marker).items()}
        host = Host(folder, marker, servers)
        host.secret.parent.mkdir(parents=True)
        host.secret.write_text(json.dumps({"label": marker}))
        for path in (folder / "set", host.secret.parent, host.secret):
            path.chmod(0o755)
        yield host


def _servers(folder: Path, marker: str) -> dict[str, socket.socket]:
    servers = {
        "tcp": socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True)
        if socket.has_dualstack_ipv6()
        else socket.create_server(("", 0)),
        "udp": socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "abstract": socket.socket(socket.AF_UNIX),
        "socket": socket.socket(socket.AF_UNIX),
    }
    servers["udp"].bind(("127.0.0.1", 0))
    servers["abstract"].bind(f"\0benchwright-{marker}")
    servers["socket"].bind(str(folder / "socket"))
    (folder / "socket").chmod(0o777)
    for name in ("abstract", "socket"):
        servers[name].listen()
    with suppress(OSError, AttributeError):
        servers["vsock"] = socket.socket(socket.AF_VSOCK)
        servers["vsock"].bind((socket.VMADDR_CID_ANY, socket.VMADDR_PORT_ANY))
        servers["vsock"].listen()
    for server in servers.values():
        server.setblocking(False)
    return servers


def own_address() -> str:
    """An address of this machine that is not the loopback, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        try:
            channel.connect(("192.0.2.1", 9))
        except OSError:
            return "192.0.2.2"
        return str(channel.getsockname()[0])


def attempts_in(module: str) -> list[str]:
    """Names of the attempts of one file: its functions of one `target`."""
    tree = ast.parse((INSIDE / f"{module}.py").read_text())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [f.name for f in functions if [a.arg for a in f.args.args] == ["target"]]


def source_of(module: str) -> str:
    """One file that runs alone: the common part, then the attempts."""
    common = (INSIDE / "outcome.py").read_text()
    text = (INSIDE / f"{module}.py").read_text().replace("from __future__ import annotations\n", "")
    return common + re.sub(r"^from outcome import .*$", "", text, flags=re.MULTILINE)


def now() -> float:
    """Seconds since the machine started, as the start times of processes count them."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def pids_in(namespace: str, before: float) -> list[int]:
    """Living processes in the process namespace, e.g. `pid:[4026532200]`, that started `before`.

    The number of a namespace is soon given to another one, whose processes are all younger.
    """
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            if os.readlink(f"/proc/{name}/ns/pid") == namespace and is_alive(name, before):
                found.append(int(name))
    return found


def is_alive(name: str, before: float) -> bool:
    """Whether a process is more than a dead entry, and old enough."""
    fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
    return fields[0] not in "ZX" and int(fields[19]) / os.sysconf("SC_CLK_TCK") < before


def gone(namespace: str, before: float, within_s: float = 3.0) -> bool:
    """Whether nothing of a namespace lives after a moment: a killed process needs one to die."""
    end = now() + within_s
    while pids_in(namespace, before):
        if now() > end:
            return False
        time.sleep(0.01)
    return True


def children() -> list[int]:
    """Processes that this one started, whichever of its threads did."""
    found = []
    for thread in os.listdir("/proc/self/task"):
        with suppress(OSError):
            text = Path(f"/proc/self/task/{thread}/children").read_text()
            found += [int(pid) for pid in text.split()]
    return found
