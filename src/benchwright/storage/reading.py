"""Decoding files: strict JSON and TOML, and the format and number that a file names.

Takes paths; gives plain values. JSON is read as its standard has it: UTF-8, every key once, no NaN
and no infinity. TOML is read without dates, and with integers of 64 bits, as its standard asks.
What cannot be read is one `FormatError` with the file and, where it has one, the place inside.
"""

from __future__ import annotations

import json
import math
import re
import stat
import tomllib
from datetime import date, time
from pathlib import Path
from typing import Any

from benchwright.errors import FormatError

_RESTORE = "Correct it there, or restore the file from where it came."
_PATH = "Check the path, or restore the file from where it came."
_DEEPEST = 100
_INTEGERS = range(-(2**63), 2**63)
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""Escapes that stand for half a character; two that belong together are one, and fine."""
_POSITION = re.compile(r"^(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.S)


def read_bytes(path: Path) -> bytes:
    """Content of a regular file; nothing else is opened, so no device or pipe can hold us up."""
    try:
        kind = path.stat().st_mode
        if stat.S_ISREG(kind):
            return path.read_bytes()
        found = "a folder" if stat.S_ISDIR(kind) else "no regular file"
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or str(error)
    raise FormatError("file cannot be read", value=found, where=path, hint=_PATH)


def read_text(path: Path) -> str:
    """A UTF-8 text file."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"byte 0x{data[error.start]:02x}"
        raise _refused("file is not UTF-8 text", byte, f"{path}, line {line}") from error


def read_json(path: Path, *, form: str | None = None) -> Any:
    """A machine's file; with `form` ("benchwright.episode/1") its format and number are checked."""
    value = _json(read_text(path), path)
    if form is not None:
        check_format(value, form, path)
    return value


def read_json_lines(path: Path, *, form: str) -> list[tuple[Any, str]]:
    """The JSON document of every line that is not empty, with its place; each names its format."""
    found = _lines(path)
    for value, where in found:
        check_format(value, form, where)
    return found


def read_headed_lines(path: Path, *, form: str) -> list[tuple[Any, str]]:
    """As `read_json_lines`, of a file whose first line alone names the format and holds no more."""
    head, *found = _lines(path) or [(None, f"{path}, line 1")]
    check_format(head[0], form, head[1])
    return found


def _lines(path: Path) -> list[tuple[Any, str]]:
    lines = enumerate(read_text(path).split("\n"), start=1)
    return [
        (_json(line, path, number), f"{path}, line {number}")
        for number, line in lines
        if line.strip()
    ]


def read_toml(path: Path, *, form: str | None = None) -> dict[str, Any]:
    """A TOML file; with `form` its format and number are checked."""
    try:
        value = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise _no_toml(error, path) from error
    except (ValueError, RecursionError) as error:
        raise _refused("file is not TOML", _brief(error), path) from error
    _check_toml(value, path)
    if form is not None:
        check_format(value, form, path)
    return value


FORMER = {
    "benchwright.run-record": "benchwright.run",
    "benchwright.build-record": "benchwright.build",
    "benchwright.report-record": "benchwright.report",
}
"""What these files were called while the documents of `--json` had the same names; still read."""


def check_format(value: object, form: str, where: object) -> None:
    """Refuse another format, and a number above the one that this version writes."""
    found = value.get("format") if isinstance(value, dict) else None
    name, _, number = form.partition("/")
    found_name, _, found_number = found.partition("/") if isinstance(found, str) else ("", "", "")
    former = FORMER.get(name, name)
    if found_name not in (name, former) or not re.fullmatch("[1-9][0-9]{0,8}", found_number):
        raise FormatError(
            f"expected a {name} file",
            value=found,
            where=where,
            hint="Name the right file or folder.",
        )
    if int(found_number) > int(number):
        raise FormatError(
            "file was written by a newer benchwright",
            value=found,
            where=where,
            hint=f"Upgrade benchwright; this version reads up to {form}.",
        )


def _json(text: str, path: Path, line: int = 1) -> Any:
    try:
        value = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_finite
        )
        if _HALF.search(text.encode()):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        where = f"{path}, line {line + error.lineno - 1}, column {error.colno}"
        raise _refused("file is not JSON", error.msg if text.strip() else "empty", where) from error
    except UnicodeEncodeError as error:
        raise _refused("file holds half a character", _brief(error), path) from error
    except (ValueError, RecursionError) as error:
        raise _refused("file is not JSON", _brief(error), f"{path}, line {line}") from error
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key stands twice: {next(k for k in keys if keys.count(k) > 1)}")
    return table


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"number is too large: {text[:40]}")
    return value


def _no_toml(error: tomllib.TOMLDecodeError, path: Path) -> FormatError:
    found = _POSITION.match(str(error))
    if found is None:
        return _refused("file is not TOML", str(error), path)
    said, line, column = found.groups()
    place = f"line {line}, column {column}" if line else "end of file"
    return _refused("file is not TOML", said, f"{path}, {place}")


def _check_toml(value: object, path: Path) -> None:
    """What TOML can say and our files cannot: dates, integers beyond 64 bits, endless nesting."""
    level = [("", value)]
    for _ in range(_DEEPEST):
        for key, item in level:
            if isinstance(item, date | time):
                raise _refused("value is a date or a time", str(item), f"{path}: {key}")
            if isinstance(item, int) and item not in _INTEGERS:
                raise _refused("integer has more than 64 bits", hex(item)[:20], f"{path}: {key}")
        level = [below for key, item in level for below in _inside(key, item)]
        if not level:
            return
    raise _refused("file is nested too deeply", f"more than {_DEEPEST} levels", path)


def _inside(key: str, value: object) -> list[tuple[str, object]]:
    if isinstance(value, dict):
        return [(f"{key}.{name}".lstrip("."), item) for name, item in value.items()]
    if isinstance(value, list):
        return [(f"{key}[{index}]", item) for index, item in enumerate(value)]
    return []


def _brief(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return str(error)[:160]


def _refused(problem: str, value: object, where: object) -> FormatError:
    return FormatError(problem, value=value, where=where, hint=_RESTORE)
