"""The filter of system calls, run on a small interpreter of its instructions, and in a box."""

from __future__ import annotations

import platform
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.isolation.box import Box
from benchwright.isolation.filter import reading_program, seccomp_program

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOWED, REFUSED = 0x7FFF0000, 0x00050000
X86 = {"read": 0, "socket": 41, "setsockopt": 54, "keyctl": 250, "prlimit64": 302, "io_uring": 425}


def verdict(program: bytes, number: int, arguments: tuple[int, ...] = (), machine: int = 0) -> int:
    """What the kernel would return; every jump must stay inside the program."""
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("=IIQ6Q", number, machine or MACHINES["x86_64"], 0, *padded)
    steps = list(struct.iter_unpack("=HBBI", program))
    place, loaded = 0, 0
    while True:
        code, if_true, if_false, value = steps[place]
        place += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            loaded = struct.unpack_from("=I", data, value)[0]
        else:
            tests = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}
            place += if_true if tests[code] else if_false


PLAIN = seccomp_program("x86_64", alone=False)
ALONE = seccomp_program("x86_64", alone=True)


@pytest.mark.parametrize("program", [PLAIN, ALONE])
def test_ordinary_calls_pass_and_keys_and_rings_do_not(program: bytes) -> None:
    assert verdict(program, X86["read"]) == ALLOWED
    assert verdict(program, X86["keyctl"]) == REFUSED | 1
    assert verdict(program, X86["io_uring"]) == REFUSED | 1


@given(st.integers(0, 60))
def test_only_listed_socket_families_open(family: int) -> None:
    for program, open_ones in ((PLAIN, {1, 2, 10, 16}), (ALONE, {1})):
        wanted = ALLOWED if family in open_ones else REFUSED | 97
        assert verdict(program, X86["socket"], (family, 1, 0)) == wanted


@given(st.integers(0, 3), st.integers(0, 40))
def test_setting_buffers_is_a_silent_no_op_and_all_else_passes(level: int, option: int) -> None:
    buffers = level == 1 and option in (7, 8)
    got = verdict(PLAIN, X86["setsockopt"], (3, level, option))
    assert got == (REFUSED if buffers else ALLOWED)


@given(st.integers(0, 1 << 22))
def test_a_process_that_is_alone_changes_only_itself(pid: int) -> None:
    assert verdict(PLAIN, X86["prlimit64"], (pid,)) == ALLOWED
    assert verdict(ALONE, X86["prlimit64"], (pid,)) == (REFUSED | 1 if pid else ALLOWED)


@given(st.sampled_from(sorted(MACHINES)), st.booleans(), st.integers(0, (1 << 32) - 1))
def test_every_call_of_every_machine_has_a_verdict(machine: str, alone: bool, number: int) -> None:
    program = seccomp_program(machine, alone=alone)
    got = verdict(program, number, machine=MACHINES[machine])
    assert got == ALLOWED or got & REFUSED == REFUSED
    assert verdict(program, number, machine=3) == REFUSED | 38


def test_an_unknown_machine_has_no_filter() -> None:
    assert seccomp_program("m68k", alone=True) == b""
    assert reading_program("m68k") == b""


@pytest.mark.parametrize("machine", sorted(MACHINES))
def test_a_reader_has_fourteen_calls_and_no_memory_that_runs(machine: str) -> None:
    program, number = reading_program(machine), MACHINES[machine]
    passed = [n for n in range(600) if verdict(program, n, machine=number) == ALLOWED]
    memory = 9 if machine == "x86_64" else 222
    assert len(passed) == 14 and memory in passed
    for protection in range(8):
        got = verdict(program, memory, (0, 4096, protection), machine=number)
        assert got == (REFUSED | 1 if protection & 4 else ALLOWED)
    assert verdict(program, passed[0], machine=3) == REFUSED | 38


@given(st.integers(600, (1 << 32) - 1))
def test_a_reader_has_no_call_beyond(number: int) -> None:
    assert verdict(reading_program("x86_64"), number) == REFUSED | 1


async def test_a_box_has_the_filter(box: Box) -> None:
    if platform.machine() not in MACHINES:
        pytest.skip("no filter for this machine")
    done = await box.exec(["grep", "Seccomp:", "/proc/self/status"], timeout_s=10)
    assert done.stdout.split() == [b"Seccomp:", b"2"]
    script = "import socket; socket.socket(socket.AF_VSOCK)"
    done = await box.exec(["python3", "-c", script], timeout_s=10)
    assert b"Address family not supported" in done.stderr
