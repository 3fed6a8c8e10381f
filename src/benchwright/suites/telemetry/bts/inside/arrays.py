"""The five names of a benign pickle and what they make: types, flat arrays, bytes and text.

Takes what stands on the stack of the machine; gives records of our own. A name is two words; the
function of that name is never looked up. What each needs was measured with NumPy 1.26 and 2.4.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from .refusal import DAMAGED, HOSTILE, Refused

Raw: TypeAlias = "bytes | bytearray | memoryview"

codecs.lookup("utf-32-le")
codecs.lookup("utf-32-be")
codecs.lookup("latin-1")

_TYPE = re.compile(r"(b1|[iu][1248]|f[248]|M8|U([1-9][0-9]{0,2}))")
_UNITS = ("s", "ms", "us", "ns")
_UNITS_READ = "Read are s, ms, us, ns, each by one."
_SIZES = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 and M8"


class Name(NamedTuple):
    """A global that a pickle names; one of NAMES, or the pickle is refused."""

    module: str
    name: str


_MULTIARRAY = ("numpy.core.multiarray", "numpy._core.multiarray")
_NUMERIC = ("numpy.core.numeric", "numpy._core.numeric")
NDARRAY: Final = Name("numpy", "ndarray")
DTYPE: Final = Name("numpy", "dtype")
RECONSTRUCT: Final = frozenset(Name(module, "_reconstruct") for module in _MULTIARRAY)
SCALAR: Final = frozenset(Name(module, "scalar") for module in _MULTIARRAY)
FROM_BUFFER: Final = frozenset(Name(module, "_frombuffer") for module in _NUMERIC)
ENCODE: Final = Name("_codecs", "encode")
BYTES: Final = frozenset((Name("__builtin__", "bytes"), Name("builtins", "bytes")))
"""Protocol 2 writes the bytes of an empty array as a call without arguments."""
NAMES: Final = frozenset((NDARRAY, DTYPE, ENCODE)) | RECONSTRUCT | SCALAR | FROM_BUFFER | BYTES


@dataclass(slots=True)
class Type:
    """A type of numbers, times or text. It is whole once its state has been set."""

    kind: str
    size: int
    """Bytes of one item."""
    order: str = ""
    unit: str = ""

    def text(self) -> str:
        """As NumPy writes it: `<f8`, `|b1`, `<M8[ns]`."""
        order = "|" if self.size == 1 else self.order
        return f"{order}{self.kind}{self.size}" + (f"[{self.unit}]" if self.unit else "")


@dataclass(slots=True)
class Array:
    """A flat array: its type, and its items as bytes once its state has been set."""

    type: Type | None = None
    raw: Raw = b""
    count: int = 0


def called(name: object, arguments: object) -> object:
    """What a call of one of the names gives: a record of ours."""
    if not isinstance(name, Name) or not isinstance(arguments, tuple):
        raise _odd("pickle calls what is no name", name)
    if name in RECONSTRUCT:
        return _blank(arguments)
    if name == DTYPE:
        return _type(arguments)
    if name in FROM_BUFFER:
        return _whole(arguments)
    if name in SCALAR:
        return _text(arguments)
    if name == ENCODE:
        return _encoded(arguments)
    if name in BYTES and not arguments:
        return b""
    raise _odd("pickle calls what makes no array", name)


def set_state(target: object, state: object) -> None:
    """Give a type its byte order and unit, or an array its items; each once."""
    if isinstance(target, Type) and not target.order:
        _set_type(target, state)
    elif isinstance(target, Array) and target.type is None:
        _set_array(target, state)
    else:
        raise _odd("pickle sets the state of something else", target)


def _blank(arguments: tuple[object, ...]) -> Array:
    if len(arguments) != 3 or arguments[:2] != (NDARRAY, (0,)) or not _is_raw(arguments[2], b"b"):
        raise _odd("array is of another class", arguments)
    return Array()


def _type(arguments: tuple[object, ...]) -> Type:
    word = arguments[0] if len(arguments) == 3 else None
    match = _TYPE.fullmatch(word) if isinstance(word, str) else None
    if match is None or arguments[1:] != (False, True):
        shown = word if isinstance(word, str) else kind_of(arguments)
        raise Refused("array is of a type that is not read", shown, f"Read are {_SIZES}.")
    size = int(match[2]) * 4 if match[2] else int(match[1][1:])
    return Type(match[1][0], size)


def _set_type(target: Type, state: object) -> None:
    """(version, order, subtype, names, fields, size, alignment, flags[, unit of time])."""
    fields = state if isinstance(state, tuple) else ()
    plain = (-1, -1, 0) if target.kind != "U" else (target.size, 4, 8)
    timed = target.kind == "M"
    wanted = (4 if timed else 3, None, None, None, *plain)
    if len(fields) != (9 if timed else 8) or (fields[0], *fields[2:8]) != wanted:
        raise _odd("type has fields, a shape or flags", state)
    order = fields[1]
    if order not in (("|",) if target.size == 1 else ("<", ">")):
        raise _odd("type has no byte order", order)
    target.unit = _unit(fields[8]) if timed else ""
    target.order = str(order)


def _unit(metadata: object) -> str:
    """(None or an empty mapping, (unit, 1, 1, 1))."""
    if isinstance(metadata, tuple) and len(metadata) == 2 and metadata[0] in (None, {}):
        parts = metadata[1]
        if isinstance(parts, tuple) and len(parts) == 4:
            for unit in _UNITS:
                if _is_raw(parts[0], unit.encode()) and parts[1:] == (1, 1, 1):
                    return unit
            raise Refused("time has a unit that is not read", _shown(parts[0]), _UNITS_READ)
    raise Refused("time has a unit that is not read", kind_of(metadata), _UNITS_READ)


def _set_array(target: Array, state: object) -> None:
    """(1, shape, type, in Fortran's order, items as bytes)."""
    if not isinstance(state, tuple) or len(state) != 5 or state[0] != 1:
        raise _odd("array has a state of another form", state)
    _, shape, kind, fortran, raw = state
    if not isinstance(fortran, bool):
        raise _odd("array has a state of another form", fortran)
    _fill(target, raw, kind, shape)


def _whole(arguments: tuple[object, ...]) -> Array:
    """(items as bytes, type, shape, order)."""
    if len(arguments) != 4 or arguments[3] not in ("C", "F"):
        raise _odd("array has a state of another form", arguments)
    made = Array()
    _fill(made, arguments[0], arguments[1], arguments[2])
    return made


def _fill(target: Array, raw: object, kind: object, shape: object) -> None:
    if not isinstance(kind, Type) or not kind.order or kind.kind == "U":
        raise _odd("array is of a type that is not read", kind)
    if not isinstance(raw, bytes | bytearray | memoryview):
        raise _odd("array holds objects", raw)
    if not isinstance(shape, tuple) or len(shape) != 1 or type(shape[0]) is not int:
        size = len(shape) if isinstance(shape, tuple) else kind_of(shape)
        hint = "Read are lists of identifier, times and values, each of one dimension."
        raise Refused("array is not flat", f"{size} dimensions", hint)
    if shape[0] * kind.size != len(raw):
        value = f"{shape[0]} items of {kind.size} bytes in {len(raw)}"
        raise Refused("array has another length than it says", value, DAMAGED)
    target.type, target.raw, target.count = kind, raw, shape[0]


def _text(arguments: tuple[object, ...]) -> str:
    kind, raw = arguments if len(arguments) == 2 else (None, None)
    sound = isinstance(kind, Type) and kind.kind == "U" and kind.order
    if not sound or not isinstance(raw, bytes | bytearray | memoryview):
        raise _odd("scalar is no text", arguments)
    assert isinstance(kind, Type)
    try:
        text = bytes(raw).decode("utf-32-le" if kind.order == "<" else "utf-32-be")
    except UnicodeDecodeError as error:
        raise Refused("text is damaged", f"byte {error.start}", DAMAGED) from error
    return text.rstrip("\0")


def _encoded(arguments: tuple[object, ...]) -> bytes:
    text, codec = arguments if len(arguments) == 2 else (None, None)
    if not isinstance(text, str) or codec not in ("latin1", "latin-1"):
        raise _odd("bytes are encoded in another way", arguments)
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError as error:
        raise Refused("text is no bytes", f"character {error.start}", DAMAGED) from error


def kind_of(value: object) -> str:
    """What a value is, in a word; values of others are not shown, only told."""
    if isinstance(value, Name):
        return f"{value.module}.{value.name}"
    if isinstance(value, Type):
        return f"{value.order}{value.kind}{value.size}"
    if isinstance(value, tuple):
        return f"tuple of {len(value)}"
    return type(value).__name__


def _shown(unit: object) -> str:
    raw = bytes(unit[:8]) if isinstance(unit, bytes | bytearray | memoryview) else b""
    return raw.decode("ascii", "backslashreplace")


def _is_raw(value: object, wanted: bytes) -> bool:
    return isinstance(value, bytes | bytearray | memoryview) and bytes(value[:8]) == wanted


def _odd(problem: str, value: object) -> Refused:
    return Refused(problem, kind_of(value), HOSTILE)
