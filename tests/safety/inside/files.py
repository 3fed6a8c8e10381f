"""Attempts to read or change files of the host."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import socket
import subprocess

from outcome import Refused, Target, libc_call, main

KNOWN_DEVICES = {"core", "fd", "full", "null", "ptmx", "pts", "random", "shm", "stderr"} | {
    "stdin", "stdout", "tty", "urandom", "zero", "console",
}  # fmt: skip


def read(path: str) -> str:
    with open(path, errors="replace") as file:
        return file.read(4096)


def processes() -> list[str]:
    return [name for name in os.listdir("/proc") if name.isdigit()]


def readable(paths: list[str]) -> dict[str, str]:
    found = {}
    for path in paths:
        try:
            found[path] = read(path)
        except OSError:
            continue
    return found


def reads_the_password_hashes(target: Target) -> object:
    return read("/etc/shadow")


def reads_the_users_of_the_host(target: Target) -> object:
    names = {line.split(":")[0] for line in read("/etc/passwd").splitlines()}
    return sorted(names - {"root", "nobody"})


def lists_the_folder_of_the_superuser(target: Target) -> object:
    return os.listdir("/root")


def lists_the_folders_of_users(target: Target) -> object:
    return sorted(set(os.listdir("/home")) - {"agent"})


def reads_the_project(target: Target) -> object:
    return read(target["checkout"] + "/pyproject.toml")


def reads_a_secret_by_its_path(target: Target) -> object:
    return read(target["secret"])


def lists_the_held_half(target: Target) -> object:
    return os.listdir(target["held"])


def climbs_out_by_dots(target: Target) -> object:
    return read(os.getcwd() + "/" + "../" * 40 + target["secret"].lstrip("/"))


def reads_through_the_root_of_init(target: Target) -> object:
    return read("/proc/1/root" + target["secret"])


def reads_through_folders_of_processes(target: Target) -> object:
    links = [f"/proc/{pid}/{link}" for pid in processes() for link in ("root", "cwd")]
    return readable([link + target["secret"] for link in links])


def reads_environments_of_processes(target: Target) -> object:
    found = readable([f"/proc/{pid}/environ" for pid in processes()])
    return [path for path, text in found.items() if target["marker"] in text]


def reads_command_lines_of_the_host(target: Target) -> object:
    found = readable([f"/proc/{pid}/cmdline" for pid in processes()])
    own = str(os.getpid())
    words = (target["checkout"], target["folder"])
    return [p for p, t in found.items() if own not in p.split("/") and any(w in t for w in words)]


def reads_the_name_of_the_host(target: Target) -> object:
    return socket.gethostname() == target["hostname"]


def uses_inherited_descriptors(target: Target) -> object:
    links = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            links[name] = os.readlink(f"/proc/self/fd/{name}")
        except FileNotFoundError:  # the descriptor of the listing itself
            continue
    return {n: to for n, to in links.items() if not to.startswith("pipe:") and to != "/dev/null"}


def takes_descriptors_of_init(target: Target) -> object:
    links = {}
    for name in os.listdir("/proc/1/fd"):
        links[name] = os.readlink(f"/proc/1/fd/{name}")
    return {n: to for n, to in links.items() if not to.startswith("pipe:") and to != "/dev/null"}


def reads_the_memory_of_init(target: Target) -> object:
    found = []
    with open("/proc/1/maps") as maps, open("/proc/1/mem", "rb", 0) as memory:
        for line in maps:
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            try:
                memory.seek(start)
                content = memory.read(min(end - start, 1 << 24))
            except (OSError, ValueError, OverflowError):
                continue
            found += [w for w in ("marker", "checkout", "folder") if target[w].encode() in content]
    return sorted(set(found))


def searches_everything_for_the_secret(target: Target) -> object:
    places = [
        f"/{name}"
        for name in os.listdir("/")
        if name not in ("proc", "sys", "usr", "opt", "bin", "sbin", "lib", "lib32", "lib64")
    ]
    done = subprocess.run(
        ["grep", "-rlsF", "--devices=skip", target["marker"], *places],
        capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    return [line for line in done.stdout.splitlines() if "/attempts/" not in line]


def opens_a_file_by_its_handle(target: Target) -> object:
    """Handles of a mounted file system reach every file of it, even those not mounted here."""
    handle = (ctypes.c_ubyte * 136)()
    ctypes.cast(handle, ctypes.POINTER(ctypes.c_uint))[0] = 128
    mount = ctypes.c_int()
    folder = b"/usr/bin"
    libc_call("name_to_handle_at", -100, folder, handle, ctypes.byref(mount), 0)
    around = os.open(folder, os.O_RDONLY)
    return libc_call("open_by_handle_at", around, handle, os.O_RDONLY) >= 0


def follows_a_planted_link(target: Target) -> object:
    os.symlink(target["secret"], "/app/way_out")
    return read("/app/way_out")


def links_a_file_of_the_host(target: Target) -> object:
    os.link("/usr/bin/env", "/app/env")
    return os.listdir("/app")


def writes_a_program_of_the_system(target: Target) -> object:
    return open("/usr/bin/" + target["marker"], "w").fileno()


def writes_the_users_file(target: Target) -> object:
    return open("/etc/passwd", "a").fileno()


def plants_a_library_to_preload(target: Target) -> object:
    return open("/etc/ld.so.preload", "w").fileno()


def writes_beside_the_places(target: Target) -> object:
    return open("/" + target["marker"], "w").fileno()


def replaces_the_python_of_the_box(target: Target) -> object:
    os.rename("/opt/agent", "/opt/agent-old")
    return os.listdir("/opt")


def replaces_the_working_folder_by_a_link(target: Target) -> object:
    os.rmdir("/app") if not os.listdir("/app") else os.rename("/app", "/tmp/app")
    os.symlink(target["folder"], "/app")
    return os.readlink("/app")


def reads_the_kernel_memory(target: Target) -> object:
    with open("/proc/kcore", "rb") as file:
        return len(file.read(64))


def finds_devices_of_the_host(target: Target) -> object:
    return sorted(set(os.listdir("/dev")) - KNOWN_DEVICES)


def lists_terminals_of_the_host(target: Target) -> object:
    return [name for name in os.listdir("/dev/pts") if name != "ptmx"]


def lists_the_devices_of_the_kernel(target: Target) -> object:
    return os.listdir("/sys")


def reaches_sockets_of_services(target: Target) -> object:
    found = []
    for top in ("/run", "/var", "/tmp"):
        for folder, _, names in os.walk(top):
            paths = [os.path.join(folder, name) for name in names]
            found += [path for path in paths if os.stat(path).st_mode & 0o170000 == 0o140000]
    return found


def imports_this_project(target: Target) -> object:
    if importlib.util.find_spec("benchwright") is None:
        raise Refused("no module of that name")
    return True


if __name__ == "__main__":
    main(globals())
