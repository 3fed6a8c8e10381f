"""A pickle read as data: text, lists and flat arrays; nothing that it names is looked up or called.

`pickletools.genops` only splits the bytes into opcodes. This module runs the few opcodes that such
files need over plain values of its own. A name in the file becomes a `Name`, a pair of texts, and
"calling" one of six known names builds a value here; every other name and opcode is refused.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

MOST_STEPS = 400


class RefusedPickle(ValueError):
    """The bytes are no list of text and two flat arrays."""


@dataclass(frozen=True, slots=True)
class Name:
    """A module and a name in it, as two texts."""

    module: str
    name: str


@dataclass(slots=True)
class Kind:
    """The type of an array's items: letter and size ("f8"), byte order, unit of datetimes."""

    code: str
    order: str = "<"
    unit: str = ""


@dataclass(slots=True)
class Flat:
    """A flat array: raw bytes and the type of its items."""

    raw: bytes = b""
    kind: Kind | None = None
    length: int = 0


class _Mark:
    """Where a list, a tuple or a set of arguments begins."""


@dataclass(slots=True)
class Machine:
    """Stack and memory of one pickle."""

    stack: list[Any] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)

    def pop(self) -> Any:
        """The last value; refuses an empty stack."""
        if not self.stack:
            raise RefusedPickle("the stack is empty")
        return self.stack.pop()

    def to_mark(self) -> list[Any]:
        """Everything above the last mark."""
        taken = []
        while not isinstance(value := self.pop(), _Mark):
            taken.append(value)
        return taken[::-1]


NUMPY_ARRAYS = ("numpy.core.multiarray", "numpy._core.multiarray")
NUMPY_BUFFERS = ("numpy.core.numeric", "numpy._core.numeric")


def _call(name: Any, arguments: Any) -> Any:
    """What one of the known names makes of its arguments."""
    if not isinstance(name, Name) or not isinstance(arguments, tuple):
        raise RefusedPickle("something that is no name is called")
    match (name.module, name.name, arguments):
        case (module, "_reconstruct", (Name("numpy", "ndarray"), (0,), bytes())) if (
            module in NUMPY_ARRAYS
        ):
            return Flat()
        case ("numpy", "dtype", (str() as code, _, _)):
            return Kind(code)
        case (
            module,
            "_frombuffer",
            (bytes() | bytearray() as raw, Kind() as kind, (int() as n,), _),
        ) if module in NUMPY_BUFFERS:
            return Flat(bytes(raw), kind, n)
        case ("_codecs", "encode", (str() as text, "latin1")):
            return text.encode("latin1")
        case ("builtins" | "__builtin__", "bytes", ()):
            return b""
    raise RefusedPickle(f"{name.module}.{name.name} is called")


def _build(machine: Machine) -> None:
    state, made = machine.pop(), machine.stack[-1] if machine.stack else None
    match (made, state):
        case (Kind(), (int(), str() as order, None, *_)):
            made.order = order
            unit = state[-1]
            if isinstance(unit, tuple) and len(unit) == 2:
                made.unit = _unit(unit[1])
        case (Flat(), (int(), (int() as length,), Kind() as kind, _, bytes() | bytearray() as raw)):
            made.raw, made.kind, made.length = bytes(raw), kind, length
        case _:
            raise RefusedPickle("a state that no flat array has")


def _unit(parts: Any) -> str:
    match parts:
        case (bytes() as unit, 1, 1, 1):
            return unit.decode("ascii")
        case (str() as unit, 1, 1, 1):
            return unit
    raise RefusedPickle("a unit of time that is not one of s, ms, us, ns")


def _tuple(count: int) -> Callable[[Machine, Any], None]:
    def make(machine: Machine, _: Any) -> None:
        taken = [machine.pop() for _ in range(count)]
        machine.stack.append(tuple(taken[::-1]))

    return make


def _reduce(machine: Machine, _: Any) -> None:
    arguments, name = machine.pop(), machine.pop()
    machine.stack.append(_call(name, arguments))


def _global(machine: Machine, argument: str) -> None:
    machine.stack.append(Name(*argument.split(" ", 1)))


def _stack_global(machine: Machine, _: Any) -> None:
    name, module = machine.pop(), machine.pop()
    if not (isinstance(name, str) and isinstance(module, str)):
        raise RefusedPickle("a name that is no text")
    machine.stack.append(Name(module, name))


def _append(machine: Machine, values: list[Any]) -> None:
    if not machine.stack or not isinstance(machine.stack[-1], list):
        raise RefusedPickle("values are appended to what is no list")
    machine.stack[-1].extend(values)


def _remember(machine: Machine, place: int) -> None:
    machine.memo[place] = machine.stack[-1] if machine.stack else None


def _recall(machine: Machine, place: int) -> None:
    if place not in machine.memo:
        raise RefusedPickle("memory that nothing was put into")
    machine.stack.append(machine.memo[place])


def _push(machine: Machine, value: Any) -> None:
    machine.stack.append(value)


def _nothing(machine: Machine, argument: Any) -> None:
    """Frames and the protocol number say nothing about the content."""


_PUSHED = (
    *("BININT", "BININT1", "BININT2", "INT", "LONG1", "LONG"),
    *("SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "UNICODE"),
    *("SHORT_BINBYTES", "BINBYTES", "BINBYTES8", "BYTEARRAY8"),
)
STEPS: dict[str, Callable[[Machine, Any], None]] = {
    **dict.fromkeys(_PUSHED, _push),
    **dict.fromkeys(("PROTO", "FRAME"), _nothing),
    **dict.fromkeys(("BINPUT", "LONG_BINPUT", "PUT"), _remember),
    **dict.fromkeys(("BINGET", "LONG_BINGET", "GET"), _recall),
    "MEMOIZE": lambda m, _: _remember(m, len(m.memo)),
    "NONE": lambda m, _: m.stack.append(None),
    "NEWTRUE": lambda m, _: m.stack.append(True),
    "NEWFALSE": lambda m, _: m.stack.append(False),
    "MARK": lambda m, _: m.stack.append(_Mark()),
    "EMPTY_LIST": lambda m, _: m.stack.append([]),
    "EMPTY_TUPLE": lambda m, _: m.stack.append(()),
    "EMPTY_DICT": lambda m, _: m.stack.append({}),
    "TUPLE": lambda m, _: m.stack.append(tuple(m.to_mark())),
    "TUPLE1": _tuple(1),
    "TUPLE2": _tuple(2),
    "TUPLE3": _tuple(3),
    "APPEND": lambda m, _: _append(m, [m.pop()]),
    "APPENDS": lambda m, _: _append(m, m.to_mark()),
    "GLOBAL": _global,
    "STACK_GLOBAL": _stack_global,
    "REDUCE": _reduce,
    "BUILD": lambda m, _: _build(m),
}


def read(data: bytes) -> tuple[str, Flat, Flat]:
    """Identifier, times and values of one member; refuses everything else with `RefusedPickle`."""
    machine = Machine()
    try:
        for count, (opcode, argument, _) in enumerate(pickletools.genops(data)):
            if count > MOST_STEPS:
                raise RefusedPickle(f"more than {MOST_STEPS} steps")
            if opcode.name == "STOP":
                break
            step = STEPS.get(opcode.name)
            if step is None:
                raise RefusedPickle(f"the opcode {opcode.name}")
            step(machine, argument)
    except (ValueError, TypeError, UnicodeError) as error:
        raise RefusedPickle(str(error)) from error
    match machine.stack:
        case [
            [str() as name, Flat() as times, Flat() as values]
            | (str() as name, Flat() as times, Flat() as values)
        ]:
            return name, times, values
    raise RefusedPickle("no list of text and two flat arrays")
