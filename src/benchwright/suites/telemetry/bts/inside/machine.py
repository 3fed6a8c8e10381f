"""Pickles of one layout, read without unpickling: a text and two flat arrays, nothing else.

Takes the bytes of a member; gives a `Stream`. Thirty-odd opcodes are known, each with the protocol
that brought it; every other one ends the reading, so nothing is imported, called, subclassed or
asked from outside. A benign member needs some 130 steps whatever its length, so a bound on steps
bounds depth, memo and time too. Bytes of arrays are not copied but by protocol 2, which writes them
as text. Opcodes: the comments of Python's `pickletools`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final, NamedTuple

from .arrays import NAMES, Array, Name, Raw, called, kind_of, set_state
from .refusal import DAMAGED, HOSTILE, LONGEST, Refused

MOST_STEPS: Final = 400
PROTOCOLS: Final = range(2, 6)
_LONGEST_NAME = 64
_MARK: Final = object()
_FOREIGN = {
    b"(dp": "protocol 0", b"(lp": "protocol 0", b"PK\3": "another zip archive",
    b"\x93NU": "an .npy file", b"\x1f\x8b\x08": "a gzip file", b"BZh": "a bzip2 file",
}  # fmt: skip
_REFUSED = {
    **{code: "persistent id" for code in b"PQ"},
    **{code: "instance of a class" for code in b"io\x81\x92"},
    **{code: "extension" for code in b"\x82\x83\x84"},
    **{code: "buffer from outside" for code in b"\x97\x98"},
    **{code: "set or mapping with content" for code in b"dsu\x8f\x90\x91"},
    **{code: "value in the text of protocol 0 or of Python 2" for code in b"FILSTUVpg"},
    ord("G"): "number outside an array",
    **{code: "rearranged stack" for code in b"012"},
    0x8B: "integer of any length",
    ord("l"): "list in the text of protocol 0",
}
"""What opcodes of pickle that are never read would make, for people."""


class Stream(NamedTuple):
    """One member's content, as it stands there."""

    protocol: int
    identifier: str
    times: Array
    values: Array


def stream(data: Raw) -> Stream:
    """The stream in a pickle; Refused with the first thing that a stream does not need."""
    machine = _Machine(memoryview(data))
    found = machine.run()
    if not isinstance(found, list | tuple) or len(found) != 3:
        hint = "Read are lists of identifier, times and values."
        raise Refused("pickle holds no stream", _outline(found), hint)
    name, times, values = found
    if not isinstance(name, str) or not isinstance(times, Array) or not isinstance(values, Array):
        kinds = ", ".join(map(kind_of, found))
        hint = "Read are lists of identifier, times and values."
        raise Refused("pickle holds no stream", kinds, hint)
    if not times.type or not values.type:
        raise Refused("array was never filled", "no state", DAMAGED)
    if times.count != values.count:
        raise Refused("arrays differ in length", f"{times.count} and {values.count}", DAMAGED)
    return Stream(machine.protocol, name, times, values)


def _outline(value: object) -> str:
    if isinstance(value, Array):
        return "an array alone"
    return f"{type(value).__name__} of {len(value)}" if isinstance(value, list) else kind_of(value)


class _Machine:
    """The stack, the memo and the place in one pickle."""

    def __init__(self, data: memoryview) -> None:
        self.data, self.at, self.protocol = data, 0, 0
        self.stack: list[object] = []
        self.memo: dict[int, object] = {}
        self.encoded = 0

    def run(self) -> object:
        """Every step up to STOP, which is the last byte."""
        self._begin()
        for _ in range(MOST_STEPS):
            at, code = self.at, self.take(1)[0]
            if code == ord("."):
                return self._end()
            known = _CODES.get(code)
            if known is None:
                raise self._unknown(code, at)
            if known.since > self.protocol:
                value = f"{known.name} in protocol {self.protocol}"
                raise Refused("opcode of a later protocol", f"{value}, byte {at}", HOSTILE)
            known.act(self)
        raise Refused("pickle has too many steps", f"more than {MOST_STEPS}", HOSTILE)

    def take(self, count: int) -> memoryview:
        """The next bytes; no length beyond what is there is believed."""
        if count > len(self.data) - self.at:
            value = f"{count} bytes at {self.at} of {len(self.data)}"
            raise Refused("pickle is cut off", value, DAMAGED)
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, form: str) -> int:
        """The next integer of a fixed width."""
        value: int = struct.unpack(form, self.take(struct.calcsize(form)))[0]
        return value

    def pop(self) -> object:
        """The top of the stack, which is no mark."""
        if not self.stack or self.stack[-1] is _MARK:
            raise Refused("pickle takes what is not there", f"byte {self.at - 1}", DAMAGED)
        return self.stack.pop()

    def pop_to_mark(self) -> list[object]:
        """What stands above the last mark; the mark goes too."""
        found = []
        while self.stack and self.stack[-1] is not _MARK:
            found.append(self.stack.pop())
        if not self.stack:
            raise Refused("pickle takes what is not there", f"byte {self.at - 1}", DAMAGED)
        self.stack.pop()
        return found[::-1]

    def _begin(self) -> None:
        start = bytes(self.data[:3])
        if start[:1] != b"\x80" or len(start) < 2 or start[1] not in PROTOCOLS:
            value = _FOREIGN.get(start, f"begins with {start.hex(' ') or 'nothing'}")
            hint = f"Read are pickles of protocol {PROTOCOLS[0]} to {PROTOCOLS[-1]}."
            raise Refused("member is no pickle of a known protocol", value, hint)
        self.at, self.protocol = 2, start[1]

    def _end(self) -> object:
        found = self.pop()
        if self.stack or self.at != len(self.data):
            value = f"{len(self.data) - self.at} bytes, {len(self.stack)} values"
            raise Refused("something is left behind the end of the pickle", value, HOSTILE)
        return found

    def _unknown(self, code: int, at: int) -> Refused:
        what = "second begin" if code == 0x80 else _REFUSED.get(code, "no opcode")
        value = f"{what} (opcode 0x{code:02x}, byte {at})"
        return Refused("pickle does more than hold arrays", value, HOSTILE)


class _Opcode(NamedTuple):
    name: str
    since: int
    """Protocol that brought it; files of protocol 2 may use what 0 and 1 had."""
    act: Callable[[_Machine], None]


def _frame(machine: _Machine) -> None:
    if machine.number("<Q") > len(machine.data) - machine.at:
        raise Refused("pickle is cut off", f"frame at byte {machine.at - 9}", DAMAGED)


def _constant(value: object) -> Callable[[_Machine], None]:
    return lambda machine: machine.stack.append(value)


def _integer(form: str) -> Callable[[_Machine], None]:
    return lambda machine: machine.stack.append(machine.number(form))


def _long(machine: _Machine) -> None:
    count = machine.number("<B")
    if count > 8:
        raise Refused("integer is too long", f"{count} bytes", HOSTILE)
    machine.stack.append(int.from_bytes(machine.take(count), "little", signed=True))


def _text(form: str) -> Callable[[_Machine], None]:
    def act(machine: _Machine) -> None:
        raw = machine.take(machine.number(form))
        try:
            machine.stack.append(str(raw, "utf-8"))
        except UnicodeDecodeError as error:
            raise Refused("text is damaged", f"byte {machine.at}", DAMAGED) from error

    return act


def _bytes(form: str) -> Callable[[_Machine], None]:
    return lambda machine: machine.stack.append(machine.take(machine.number(form)))


def _tuple(count: int) -> Callable[[_Machine], None]:
    def act(machine: _Machine) -> None:
        machine.stack.append(tuple([machine.pop() for _ in range(count)][::-1]))

    return act


def _marked_tuple(machine: _Machine) -> None:
    machine.stack.append(tuple(machine.pop_to_mark()))


def _empty_list(machine: _Machine) -> None:
    machine.stack.append([])


def _empty_dict(machine: _Machine) -> None:
    machine.stack.append({})


def _extend(machine: _Machine, items: list[object]) -> None:
    target = machine.stack[-1] if machine.stack else None
    if not isinstance(target, list):
        raise Refused("pickle adds to what is no list", kind_of(target), HOSTILE)
    target.extend(items)


def _append(machine: _Machine) -> None:
    _extend(machine, [machine.pop()])


def _appends(machine: _Machine) -> None:
    _extend(machine, machine.pop_to_mark())


def _top(machine: _Machine) -> object:
    value = machine.pop()
    machine.stack.append(value)
    return value


def _put(form: str) -> Callable[[_Machine], None]:
    def act(machine: _Machine) -> None:
        machine.memo[machine.number(form)] = _top(machine)

    return act


def _memoize(machine: _Machine) -> None:
    machine.memo[len(machine.memo)] = _top(machine)


def _get(form: str) -> Callable[[_Machine], None]:
    def act(machine: _Machine) -> None:
        key = machine.number(form)
        if key not in machine.memo:
            raise Refused("pickle refers to what is not there", f"memo {key}", DAMAGED)
        machine.stack.append(machine.memo[key])

    return act


def _global(machine: _Machine) -> None:
    words = []
    for _ in range(2):
        rest = bytes(machine.data[machine.at : machine.at + _LONGEST_NAME])
        end = rest.find(b"\n")
        if end < 0:
            raise Refused("name in the pickle has no end", f"byte {machine.at}", HOSTILE)
        machine.at += end + 1
        words.append(rest[:end].decode("ascii", "backslashreplace"))
    machine.stack.append(_named(words[0], words[1]))


def _stack_global(machine: _Machine) -> None:
    name, module = machine.pop(), machine.pop()
    if not isinstance(name, str) or not isinstance(module, str):
        raise Refused("name in the pickle is no text", kind_of(module), HOSTILE)
    machine.stack.append(_named(module, name))


def _named(module: str, name: str) -> Name:
    found = Name(module, name)
    if found not in NAMES:
        shown = f"{module[:LONGEST]}.{name[:LONGEST]}"
        raise Refused("pickle names what no array needs", shown, HOSTILE)
    return found


def _reduce(machine: _Machine) -> None:
    arguments, name = machine.pop(), machine.pop()
    made = called(name, arguments)
    if isinstance(made, bytes):
        machine.encoded += len(made)
        if machine.encoded > len(machine.data):
            raise Refused("pickle makes more bytes than it holds", machine.encoded, HOSTILE)
    machine.stack.append(made)


def _build(machine: _Machine) -> None:
    state = machine.pop()
    set_state(_top(machine), state)


_CODES: Final = {
    ord("("): _Opcode("MARK", 0, _constant(_MARK)),
    0x95: _Opcode("FRAME", 4, _frame),
    ord("N"): _Opcode("NONE", 0, _constant(None)),
    0x88: _Opcode("NEWTRUE", 2, _constant(True)),
    0x89: _Opcode("NEWFALSE", 2, _constant(False)),
    ord("J"): _Opcode("BININT", 1, _integer("<i")),
    ord("K"): _Opcode("BININT1", 1, _integer("<B")),
    ord("M"): _Opcode("BININT2", 1, _integer("<H")),
    0x8A: _Opcode("LONG1", 2, _long),
    ord("X"): _Opcode("BINUNICODE", 1, _text("<I")),
    0x8C: _Opcode("SHORT_BINUNICODE", 4, _text("<B")),
    0x8D: _Opcode("BINUNICODE8", 4, _text("<Q")),
    ord("C"): _Opcode("SHORT_BINBYTES", 3, _bytes("<B")),
    ord("B"): _Opcode("BINBYTES", 3, _bytes("<I")),
    0x8E: _Opcode("BINBYTES8", 4, _bytes("<Q")),
    0x96: _Opcode("BYTEARRAY8", 5, _bytes("<Q")),
    ord(")"): _Opcode("EMPTY_TUPLE", 1, _constant(())),
    ord("t"): _Opcode("TUPLE", 0, _marked_tuple),
    0x85: _Opcode("TUPLE1", 2, _tuple(1)),
    0x86: _Opcode("TUPLE2", 2, _tuple(2)),
    0x87: _Opcode("TUPLE3", 2, _tuple(3)),
    ord("]"): _Opcode("EMPTY_LIST", 1, _empty_list),
    ord("}"): _Opcode("EMPTY_DICT", 1, _empty_dict),
    ord("a"): _Opcode("APPEND", 0, _append),
    ord("e"): _Opcode("APPENDS", 1, _appends),
    ord("q"): _Opcode("BINPUT", 1, _put("<B")),
    ord("r"): _Opcode("LONG_BINPUT", 1, _put("<I")),
    0x94: _Opcode("MEMOIZE", 4, _memoize),
    ord("h"): _Opcode("BINGET", 1, _get("<B")),
    ord("j"): _Opcode("LONG_BINGET", 1, _get("<I")),
    ord("c"): _Opcode("GLOBAL", 0, _global),
    0x93: _Opcode("STACK_GLOBAL", 4, _stack_global),
    ord("R"): _Opcode("REDUCE", 0, _reduce),
    ord("b"): _Opcode("BUILD", 0, _build),
}
