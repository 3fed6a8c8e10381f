"""Pickles that do, or try, more than hold a stream; what runs, if any did, makes a file."""

from __future__ import annotations

import collections
import datetime
import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

NAME = "Site_B_c24589e8_a1f3_4529_b409_5a56761c9d20"
TIMES = np.array([1.6e9, 1.6e9 + 600])
VALUES = np.array([1.5, 2.5])


class Touch:
    """Unpickled, it makes a file."""

    def __init__(self, sentinel: Path) -> None:
        self.sentinel = sentinel

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.sentinel,)


class Plain:
    """An instance of a class, by NEWOBJ."""


class Keyed:
    """An instance with keyword arguments, by NEWOBJ_EX from protocol 4 on."""

    def __new__(cls, *, word: str = "") -> Keyed:
        return super().__new__(cls)

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, str]]:
        return (), {"word": "x"}


def text(word: str) -> bytes:
    return b"X" + struct.pack("<I", len(word.encode())) + word.encode()


def stream(times: Any = TIMES, values: Any = VALUES, protocol: int = 4) -> bytes:
    return pickle.dumps([NAME, times, values], protocol)


def running(sentinel: Path) -> dict[str, bytes]:
    """Those that `pickle.loads` would run, or could."""
    shell = f"touch {sentinel}"
    call = text(shell)
    found = {
        f"reduce, protocol {p}": pickle.dumps([NAME, Touch(sentinel), VALUES], p) for p in range(6)
    }
    odd = np.empty(2, dtype=object)
    odd[:] = Touch(sentinel)
    found |= {
        "reduce alone": pickle.dumps(Touch(sentinel), 4),
        "reduce in an object array": stream(values=odd),
        "reduce in an object array, protocol 5": stream(values=odd, protocol=5),
        "global and reduce": b"\x80\x02cposix\nsystem\n" + call + b"\x85R.",
        "stack global": b"\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c"
        + bytes([len(shell)]) + shell.encode() + b"\x85R.",
        "stack global from the memo": b"\x80\x04(\x8c\x06system\x94\x8c\x05posix\x94t"
        + b"h\x01h\x00\x93" + call + b"\x85R\x86.",
        "inst": b"\x80\x02(" + call + b"iposix\nsystem\n.",
        "obj": b"\x80\x02(cposix\nsystem\n" + call + b"o.",
        "eval": b"\x80\x02cbuiltins\neval\n" + text(f"open({str(sentinel)!r}, 'w')") + b"\x85R.",
        "attribute of a known name": b"\x80\x04\x8c\x05numpy\x8c\x15ndarray.__init__.real\x93.",
        "state of a class": b"\x80\x02cnumpy\nndarray\n}" + text("x") + call + b"sb.",
    }  # fmt: skip
    return found


def bombs() -> dict[str, bytes]:
    """Those that would cost memory, time or depth."""
    shared: list[Any] = []
    for _ in range(60):
        shared = [shared, shared]
    again = b"c_codecs\nencode\nq\x00" + text("a" * 60_000) + b"q\x01" + text("latin1") + b"q\x02"
    repeated = b"\x80\x02" + again + b"".join([b"h\x00h\x01h\x02\x86R"] * 90) + b"."
    return {
        "shared lists": pickle.dumps(shared, 4),
        "many steps": b"\x80\x04" + b"N" * 10**6 + b".",
        "deep lists": b"\x80\x04" + b"]" * 10**6 + b"a" * (10**6 - 1) + b".",
        "deep tuples": b"\x80\x02N" + b"\x85" * 10**6 + b".",
        "marks": b"\x80\x02" + b"(" * 10**6 + b".",
        "far memo": b"\x80\x04Nr\xff\xff\xff\xff.",
        "long text": b"\x80\x04\x8d" + struct.pack("<Q", 2**62) + b"a.",
        "long bytes": b"\x80\x04\x8e" + struct.pack("<Q", 2**63 + 5) + b"a.",
        "long bytearray": b"\x80\x05\x96" + struct.pack("<Q", 2**64 - 1) + b"a.",
        "long frame": b"\x80\x04\x95" + struct.pack("<Q", 2**64 - 1) + b"N.",
        "long integer": b"\x80\x02\x8a\xff" + b"\x01" * 255 + b".",
        "longer integer": b"\x80\x02\x8b" + struct.pack("<i", 2**31 - 1) + b"\x01.",
        "long name": b"\x80\x02c" + b"n" * 10**6 + b"\nx\n.",
        "bytes by a call": b"\x80\x02c__builtin__\nbytes\nJ\xff\xff\xff\x7f\x85R.",
        "encoded again and again": repeated,
        "list in itself": b"\x80\x02]q\x00h\x00a.",
        "three times itself": b"\x80\x02]q\x00(h\x00h\x00h\x00e.",
        "huge shape": stream().replace(b"K\x02\x85", b"\x8a\x08" + b"\xff" * 7 + b"\x7f\x85", 1),
    }


def foreign() -> dict[str, bytes]:
    """Well-formed pickles of something else, and types that are not read."""
    zoned = np.array([datetime.datetime(2021, 1, 1, tzinfo=datetime.UTC)] * 2, dtype=object)
    types = {
        "structured": np.zeros(2, dtype=[("a", "f8")]),
        "shaped items": np.zeros(2, dtype=("f8", 2)),
        "complex": np.zeros(2, dtype=complex),
        "long double": np.zeros(2, dtype=np.longdouble),
        "text items": np.array(["a", "b"]),
        "bytes items": np.array([b"a", b"b"]),
        "void": np.zeros(2, dtype="V8"),
        "durations": np.zeros(2, dtype="m8[s]"),
        "metadata": np.zeros(2, dtype=np.dtype("f8", metadata={"a": 1})),
        "two dimensions": np.zeros((2, 1)),
        "no dimension": np.array(1.0),
        "scalar": np.float64(1.0),
        "objects": np.array([1.5, None], dtype=object),
        "masked": np.ma.array([1.0, 2.0]),
        "pandas series": pd.Series([1.0, 2.0]),
        "list of numbers": [1.5, 2.5],
        "mapping": {"a": 1.5},
        "set": {1, 2},
        "another length": np.zeros(3),
    }
    times = {
        "days": np.zeros(2, dtype="M8[D]"),
        "quarter hours": np.zeros(2, dtype="M8[15m]"),
        "no unit": np.zeros(2, dtype="M8"),
        "zoned objects": zoned,
        "pandas index": pd.DatetimeIndex(["2021-01-01"] * 2, tz="UTC"),
    }
    return {
        **{f"values: {name}": stream(values=value) for name, value in types.items()},
        **{f"times: {name}": stream(times=value) for name, value in times.items()},
        "class": pickle.dumps([NAME, Plain(), VALUES], 2),
        "class with keywords": pickle.dumps([NAME, Keyed(), VALUES], 4),
        "mapping of streams": pickle.dumps({"t": TIMES, "v": VALUES}, 4),
        "ordered mapping": pickle.dumps(collections.OrderedDict(a=1), 4),
        "older layout": pickle.dumps(np.zeros((2, 5)), 4),
        "array alone": pickle.dumps(VALUES, 4),
        "two parts": pickle.dumps([NAME, VALUES], 4),
        "identifier is a number": pickle.dumps([7, TIMES, VALUES], 4),
        "buffers elsewhere": pickle.dumps([NAME, TIMES, VALUES], 5, buffer_callback=[].append),
    }


def crafted() -> dict[str, bytes]:
    """Opcodes by hand: what no pickler writes."""
    plain = stream()
    state = b"(K\x03X\x01\x00\x00\x00<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
    kind = b"cnumpy\ndtype\nX\x02\x00\x00\x00f8\x89\x88\x87R" + state
    blank = b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R"
    filled = b"(K\x01K\x01\x85" + kind + b"\x89C\x08" + b"\0" * 8 + b"tb"
    buffer = b"\x80\x05cnumpy.core.numeric\n_frombuffer\n(C\x08" + b"\0" * 8
    return {
        "persistent id": b"\x80\x02" + text("a") + b"Q.",
        "persistent id in text": b"\x80\x02Pabc\n.",
        "extension 1": b"\x80\x02\x82\x01.",
        "extension 2": b"\x80\x02\x83\x01\x00.",
        "extension 4": b"\x80\x02\x84\x01\x00\x00\x00.",
        "another codec": b"\x80\x02c_codecs\nencode\n" + text("aa") + text("hex") + b"\x86R.",
        "type of objects": b"\x80\x02cnumpy\ndtype\nX\x02\x00\x00\x00O8\x89\x88\x87R.",
        "type set twice": b"\x80\x02" + kind + state + b".",
        "array set twice": b"\x80\x03" + blank + 2 * filled + b".",
        "type with a shape": b"\x80\x02cnumpy\ndtype\n" + text("(9999,9999)f8") + b"\x89\x88\x87R.",
        "type by a comma": b"\x80\x02cnumpy\ndtype\n" + text("f8,f8") + b"\x89\x88\x87R.",
        "type without state": buffer + b"cnumpy\ndtype\n" + text("f8") + b"\x89\x88\x87RK\x01\x85"
        + text("C") + b"tR.",
        "negative shape": buffer + kind + b"J\xff\xff\xff\xff\x85" + text("C") + b"tR.",
        "true as shape": buffer + kind + b"\x88\x85" + text("C") + b"tR.",
        "array never filled": plain[:1] + b"\x02]("
        + text(NAME) + 2 * (b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85"
        + b"c_codecs\nencode\n" + text("b") + text("latin1") + b"\x86R\x87R") + b"e.",
        "subclass of arrays": b"\x80\x04cnumpy.core.multiarray\n_reconstruct\ncnumpy\ndtype\n"
        + b"K\x00\x85C\x01b\x87R.",
        "call of no name": b"\x80\x02](K\x01tR.",
        "call of a list": b"\x80\x02])R.",
        "empty stack": b"\x80\x02R.",
        "stop at once": b"\x80\x02.",
        "mark left": b"\x80\x02(.",
        "append to nothing": b"\x80\x02Na.",
        "memo that is not there": b"\x80\x02h\x07.",
        "broken text": b"\x80\x02X\x01\x00\x00\x00\xff.",
        "no opcode": b"\x80\x02\xfe.",
        "set item": b"\x80\x02}NNs.",
        "protocol 0": stream(protocol=0),
        "protocol 1": stream(protocol=1),
        "protocol 6": b"\x80\x06" + plain[2:],
        "protocol 255": b"\x80\xff" + plain[2:],
        "no protocol": plain[2:],
        "protocol 4 called 2": b"\x80\x02" + plain[2:],
        "protocol 4 called 3": b"\x80\x03" + plain[2:],
        "protocol 5 called 4": b"\x80\x04" + stream(protocol=5)[2:],
        "second begin": plain[:2] + plain,
        "two pickles": plain + plain,
        "byte behind": plain + b"\0",
        "empty": b"",
        "one byte": b"\x80",
        "zip archive": b"PK\3\4" + bytes(40),
        "npy file": b"\x93NUMPY\x01\x00",
        "text": b"time,value\n1,2\n",
    }  # fmt: skip
