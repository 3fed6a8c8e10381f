"""The confined child: reads the archive behind descriptor 0, writes streams to descriptor 1.

    {"kind": "directory", "members": [...], "left_out": [...]}
    {"kind": "stream", "member": ..., "times": [type, count], ...}   then times, then values, raw
    {"kind": "end"}    or, at any place,    {"kind": "refused", "problem": ..., ...}

One member is in memory at a time.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

from .arrays import Array, Raw
from .machine import stream
from .refusal import LONGEST, Refused
from .zipped import Entry, Rules, content, listing

_MEMORY = "Raise the limit of a member's size, or look whether it is what it should be."
hashlib.sha256(b"")


def main(settings: dict[str, Any]) -> None:
    """Everything, to the end of the archive or to the first refusal."""
    try:
        _archive(0, Rules(**settings))
    except Refused as refused:
        _tell_refused(refused)
    except MemoryError:
        _tell_refused(Refused("archive needs more memory than allowed", "directory", _MEMORY))
    else:
        _tell({"kind": "end"})


def _archive(fd: int, rules: Rules) -> None:
    found = listing(fd, rules)
    names = [entry.name for entry in found.entries]
    _tell({"kind": "directory", "members": names, "left_out": found.left_out})
    for entry in found.entries:
        try:
            _member(fd, entry)
        except Refused as refused:
            refused.member = entry.name
            raise
        except MemoryError:
            problem = "member needs more memory than allowed"
            raise Refused(problem, entry.size, _MEMORY, member=entry.name) from None


def _member(fd: int, entry: Entry) -> None:
    data = content(fd, entry)
    found = stream(data)
    if not 0 < len(found.identifier) <= LONGEST or not found.identifier.isprintable():
        hint = f"An identifier has 1 to {LONGEST} printable characters."
        raise Refused("identifier is no name of a stream", ascii(found.identifier[:40]), hint)
    head = {"kind": "stream", "member": entry.name, "bytes": entry.size, "packed": entry.packed}
    sha256 = hashlib.sha256(data).hexdigest()
    more = {"sha256": sha256, "protocol": found.protocol, "identifier": found.identifier}
    arrays = {"times": _outline(found.times), "values": _outline(found.values)}
    _tell({**head, **more, **arrays})
    _send(found.times.raw)
    _send(found.values.raw)


def _outline(array: Array) -> list[str | int]:
    assert array.type is not None
    return [array.type.text(), array.count]


def _tell_refused(refused: Refused) -> None:
    said = {"problem": refused.problem, "value": refused.value, "hint": refused.hint}
    _tell({"kind": "refused", "member": refused.member, **said})


def _tell(value: dict[str, Any]) -> None:
    _send(json.dumps(value).encode() + b"\n")


def _send(data: Raw) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(1, rest) :]
