"""Attempts to gain rights: namespaces, mounts, capabilities, limits, other processes."""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import stat
import subprocess
import time

from outcome import Refused, Target, libc_call, main, system_call

NEW_NAMESPACES = {"mount": 0x20000, "user": 0x10000000, "network": 0x40000000, "pid": 0x20000000}
MS_RDONLY, MS_REMOUNT, MS_BIND = 1, 32, 4096
BPF = {"x86_64": 321, "aarch64": 280}
KEYCTL = {"x86_64": 250, "aarch64": 219}
PERF = {"x86_64": 298, "aarch64": 241}
USERFAULTFD = {"x86_64": 323, "aarch64": 282}
FINIT_MODULE = {"x86_64": 313, "aarch64": 273}
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
FSOPEN = {"x86_64": 430, "aarch64": 430}
MOVE_MOUNT_TREE = {"x86_64": 428, "aarch64": 428}


def status_of(process: str) -> dict[str, str]:
    with open(f"/proc/{process}/status") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def mount(source: str, place: str, kind: str, flags: int) -> str:
    libc_call("mount", source.encode(), place.encode(), kind.encode(), ctypes.c_ulong(flags), None)
    return f"mounted {place}"


def unshare(what: str) -> str:
    libc_call("unshare", NEW_NAMESPACES[what])
    return f"new {what} namespace"


def write(path: str, text: str) -> str:
    with open(path, "w") as file:
        file.write(text)
    return f"wrote {path}"


def holds_capabilities(target: Target) -> object:
    own = status_of("self")
    return {k: v for k, v in own.items() if k.startswith("Cap") and int(v, 16)}


def may_gain_privileges(target: Target) -> object:
    return status_of("self")["NoNewPrivs"].strip() != "1"


def clears_the_no_new_privileges_flag(target: Target) -> object:
    return libc_call("prctl", 38, 0, 0, 0, 0) == 0


def gives_itself_capabilities(target: Target) -> object:
    head = (ctypes.c_uint32 * 2)(0x20080522, 0)
    data = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    return libc_call("capset", head, data) == 0


def raises_an_ambient_capability(target: Target) -> object:
    return libc_call("prctl", 47, 2, 21, 0, 0) == 0


def mounts_a_folder(target: Target) -> object:
    return mount("none", "/app", "tmpfs", 0)


def mounts_the_process_table(target: Target) -> object:
    return mount("proc", "/app", "proc", 0)


def mounts_the_control_groups(target: Target) -> object:
    return mount("none", "/app", "cgroup2", 0)


def mounts_by_the_newer_calls(target: Target) -> object:
    return system_call(FSOPEN, b"tmpfs", 0) >= 0


def copies_a_mount(target: Target) -> object:
    return system_call(MOVE_MOUNT_TREE, -100, b"/usr/bin", 1) >= 0


def makes_the_system_writable(target: Target) -> object:
    return mount("none", "/usr/bin", "none", MS_REMOUNT | MS_BIND)


def makes_the_root_writable(target: Target) -> object:
    return mount("none", "/", "none", MS_REMOUNT | MS_BIND)


def removes_the_working_folder(target: Target) -> object:
    return libc_call("umount2", b"/app", 2) == 0


def uncovers_what_a_mount_hides(target: Target) -> object:
    return libc_call("umount2", b"/proc", 2) == 0


def makes_a_user_namespace(target: Target) -> object:
    return unshare("user")


def makes_a_user_namespace_by_a_program(target: Target) -> object:
    done = subprocess.run(["/usr/bin/unshare", "-Ur", "id", "-u"], capture_output=True, text=True)
    if done.returncode:
        raise Refused(done.stderr)
    return done.stdout


def makes_a_mount_namespace(target: Target) -> object:
    return unshare("mount")


def makes_a_network_namespace(target: Target) -> object:
    return unshare("network")


def enters_namespaces_of_init(target: Target) -> object:
    entered = []
    for kind in ("user", "mnt", "net", "pid", "ipc", "uts", "cgroup"):
        with open(f"/proc/1/ns/{kind}") as file:
            try:
                libc_call("setns", file.fileno(), 0)
            except OSError:
                continue
        entered.append(kind)
    return entered


def enters_init_by_a_program(target: Target) -> object:
    done = subprocess.run(
        ["/usr/bin/nsenter", "-t", "1", "-m", "-n", "ls", "/"], capture_output=True, text=True
    )
    if done.returncode:
        raise Refused(done.stderr)
    return done.stdout


def changes_its_root(target: Target) -> object:
    return os.chroot("/tmp") is None


def swaps_its_root(target: Target) -> object:
    return system_call(PIVOT_ROOT, b"/app", b"/app") == 0


def makes_a_disk_device(target: Target) -> object:
    os.mknod("/app/disk", 0o600 | stat.S_IFBLK, os.makedev(*map(int, target["disk"].split(":"))))
    return os.listdir("/app")


def becomes_another_user(target: Target) -> object:
    os.setuid(1000)
    return os.getuid()


def joins_other_groups(target: Target) -> object:
    os.setgroups([0, 6, 27, 42])
    return os.getgroups()


def gains_by_setuid_programs(target: Target) -> object:
    """Every setuid program that can be found must run without changing its user."""
    folders = ("/usr/bin", "/usr/sbin", "/usr/lib", "/usr/libexec")
    gained = []
    for folder in filter(os.path.isdir, folders):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            try:
                if os.stat(path).st_mode & stat.S_ISUID and os.statvfs(path).f_flag & 2 == 0:
                    gained.append(path)
            except OSError:
                continue
    return gained


def keeps_a_setuid_program_of_its_own(target: Target) -> object:
    with open("/usr/bin/id", "rb") as source, open("/app/id", "wb") as copy:
        copy.write(source.read())
    os.chmod("/app/id", 0o6755)
    return os.statvfs("/app").f_flag & 2 == 0


def traces_init_for_its_rights(target: Target) -> object:
    """Being traced is harmless only if init has nothing to give."""
    rights = status_of("1")
    if not int(rights["CapPrm"], 16) and rights["NoNewPrivs"].strip() == "1":
        raise Refused("init has no capability")
    libc_call("ptrace", 16, 1, None, None)
    return rights


def kills_init(target: Target) -> object:
    os.kill(1, signal.SIGKILL)
    time.sleep(0.2)
    os.kill(1, 0)
    return None


def signals_the_group_it_came_with(target: Target) -> object:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(0, signal.SIGTERM)
    return None


def lowers_its_chance_to_be_killed(target: Target) -> object:
    return write("/proc/self/oom_score_adj", "-1000")


def takes_priority(target: Target) -> object:
    os.setpriority(os.PRIO_PROCESS, 0, -10)
    return os.getpriority(os.PRIO_PROCESS, 0)


def becomes_a_realtime_process(target: Target) -> object:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    return True


def raises_its_limits(target: Target) -> object:
    raised = []
    for name in ("NPROC", "DATA", "FSIZE", "NOFILE", "CORE"):
        kind = getattr(resource, f"RLIMIT_{name}")
        _, hard = resource.getrlimit(kind)
        if hard == resource.RLIM_INFINITY:
            raised.append(f"{name} has no limit")
            continue
        try:
            resource.setrlimit(kind, (hard + 1, hard + 1))
        except (ValueError, OSError):
            continue
        raised.append(name)
    return raised


def sets_the_core_pattern(target: Target) -> object:
    return write("/proc/sys/kernel/core_pattern", "|/app/run-me")


def sets_kernel_values(target: Target) -> object:
    done = []
    for name in ("kernel/hostname", "vm/overcommit_memory", "kernel/randomize_va_space",
                 "net/ipv4/ip_forward", "user/max_user_namespaces", "fs/file-max"):  # fmt: skip
        path = f"/proc/sys/{name}"
        try:
            with open(path) as file:
                same = file.read()
            done.append(write(path, same))
        except OSError:
            continue
    return done


def pulls_the_emergency_lever(target: Target) -> object:
    """`h` only prints help; writing anything takes the same right."""
    return write("/proc/sysrq-trigger", "h")


def changes_the_user_map(target: Target) -> object:
    return write("/proc/self/uid_map", "0 0 4294967295")


def sets_the_name_of_the_host(target: Target) -> object:
    name = target["marker"].encode()
    return libc_call("sethostname", name, len(name)) == 0


def sets_the_clock(target: Target) -> object:
    now = time.time()
    time.clock_settime(time.CLOCK_REALTIME, now)
    return now


def loads_a_kernel_module(target: Target) -> object:
    with open("/usr/bin/env", "rb") as file:
        return system_call(FINIT_MODULE, file.fileno(), b"", 0) == 0


def lists_programs_in_the_kernel(target: Target) -> object:
    attributes = (ctypes.c_uint32 * 32)()
    return system_call(BPF, 11, attributes, ctypes.sizeof(attributes)) == 0


def watches_every_process(target: Target) -> object:
    attributes = (ctypes.c_uint32 * 32)(1, 128)
    return system_call(PERF, attributes, -1, 0, -1, 0) >= 0


def handles_faults_of_the_kernel(target: Target) -> object:
    return system_call(USERFAULTFD, 0) >= 0


def reads_the_keys_of_the_host(target: Target) -> object:
    """The session keyring passes from parent to child, through every namespace."""
    found = system_call(KEYCTL, 10, -3, b"user", target["key"].encode(), 0)
    content = ctypes.create_string_buffer(200)
    size = system_call(KEYCTL, 11, found, content, 200)
    return content.raw[:size].decode()


def types_into_the_terminal_of_the_host(target: Target) -> object:
    with open("/dev/tty", "wb", 0) as terminal:
        typed = []
        for letter in b"id\n":
            try:
                fcntl.ioctl(terminal, 0x5412, bytes([letter]))
            except OSError:
                continue
            typed.append(letter)
        return {"opened": True, "typed": typed}


if __name__ == "__main__":
    main(globals())
