"""A zip archive read strictly: one directory at the very end, plain names, honest sizes.

Takes a descriptor that can be read at any place; gives entries and their contents. Whatever two zip
programs could understand differently is refused, and so is whatever could cost more than the limits
that are given. Layout of the records: APPNOTE 6.3, sections 4.3 and 4.4.
"""

from __future__ import annotations

import fnmatch
import os
import re
import stat
import struct
import zlib
from typing import NamedTuple

from .refusal import DAMAGED, HOSTILE, Refused

_END = struct.Struct("<4s4H2IH")
_END_64 = struct.Struct("<4sQ2H2I4Q")
_LOCATOR = struct.Struct("<4sIQI")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_LOCAL = struct.Struct("<4s5H3I2H")
_FULL_16, _FULL_32 = 0xFFFF, 0xFFFFFFFF
_LONGEST_COMMENT = 65_535
_SEALED = 0x1 | 0x20 | 0x40 | 0x2000
"""Flags: encrypted, patched, strongly encrypted, directory hidden."""
_SIZES_FOLLOW, _TEXT = 0x8, 0x800
_STORED, _DEFLATED = 0, 8
_MADE_ON_UNIX = 3
_CHUNK = 1 << 20
_PACKED = 1 << 16
"""Packed bytes taken at a time: what does not fit the output is copied again."""
_PLAIN = re.compile(r"[\w.+ ()@=,-]+(/[\w.+ ()@=,-]+)*/?", re.ASCII)


class Rules(NamedTuple):
    """Limits in bytes and counts, the pattern of members, names that are left unread."""

    members: int
    directory: int
    member: int
    total: int
    ratio: int
    pattern: str
    ignored: list[str]


class Entry(NamedTuple):
    """One member: where its packed bytes are, and what they must become."""

    name: str
    offset: int
    packed: int
    size: int
    crc: int
    method: int
    flags: int


class Listing(NamedTuple):
    """Members in the order of their bytes, and the names that the rules leave out."""

    entries: list[Entry]
    left_out: list[str]


def listing(fd: int, rules: Rules) -> Listing:
    """Every member of the archive behind `fd`; Refused with the first thing that is wrong."""
    size = os.lseek(fd, 0, os.SEEK_END)
    start, length, count = _directory(fd, size)
    if count > rules.members:
        raise Refused("archive has too many members", count, f"At most {rules.members} are read.")
    if length > rules.directory or length < count * _CENTRAL.size:
        raise Refused("directory of the archive has a wrong size", length, HOSTILE)
    found = _entries(_read(fd, start, length), count)
    _check_names(found)
    files = [entry for entry in found if not entry.name.endswith("/")]
    left_out = {e.name for e in files if any(fnmatch.fnmatchcase(e.name, p) for p in rules.ignored)}
    wanted = [entry for entry in files if entry.name not in left_out]
    for entry in wanted:
        _check_member(entry, rules)
    total = sum(entry.size for entry in wanted)
    if total > rules.total:
        raise Refused("archive is too large unpacked", total, f"At most {rules.total} bytes.")
    return Listing(_placed(fd, found, wanted, start), sorted(left_out))


def content(fd: int, entry: Entry) -> bytearray:
    """The bytes of a member, which are as many as it says and have the checksum that it says."""
    out = bytearray()
    inflate = zlib.decompressobj(-zlib.MAX_WBITS) if entry.method == _DEFLATED else None
    at, end = entry.offset, entry.offset + entry.packed
    while at < end:
        part = _read(fd, at, min(_PACKED, end - at))
        at += len(part)
        while part:
            out += part if inflate is None else _inflated(inflate, part, entry)
            part = b"" if inflate is None else inflate.unconsumed_tail
            if len(out) > entry.size:
                raise _of(entry, "member is larger than it says", entry.size, HOSTILE)
    if inflate is not None:
        out += _inflated(inflate, b"", entry)
    if inflate is not None and (not inflate.eof or inflate.unused_data):
        raise _of(entry, "packed bytes of the member do not end where they should", at, DAMAGED)
    if len(out) != entry.size or zlib.crc32(out) != entry.crc:
        raise _of(entry, "member differs from its checksum", f"{zlib.crc32(out):08x}", DAMAGED)
    return out


def _inflated(inflate: zlib._Decompress, part: bytes, entry: Entry) -> bytes:
    try:
        return inflate.decompress(part, _CHUNK)
    except zlib.error as error:
        raise _of(entry, "packed bytes of the member are damaged", error, DAMAGED) from error


def _directory(fd: int, size: int) -> tuple[int, int, int]:
    """Start and length of the central directory, and how many entries it has."""
    tail_at = max(0, size - _END.size - _LONGEST_COMMENT)
    tail = _read(fd, tail_at, size - tail_at)
    at = tail_at + tail.rfind(b"PK\5\6")
    if at < tail_at or size - at < _END.size:
        hint = f"{DAMAGED} If it comes in numbered parts, join them first."
        raise Refused("file does not end as a zip archive", f"{size} bytes", hint)
    if size - at > _END.size:
        value = f"{size - at - _END.size} bytes"
        raise Refused("archive has a comment or bytes behind its end", value, HOSTILE)
    _, disk, first, here, count, length, start, _ = _END.unpack(tail[-_END.size :])
    if _FULL_16 in (here, count) or _FULL_32 in (length, start):
        return _directory_64(fd, at)
    if disk or first or here != count:
        raise Refused("archive is one part of several", disk, "Join the parts first.")
    return _placed_directory(start, length, count, at)


def _directory_64(fd: int, end: int) -> tuple[int, int, int]:
    at = end - _LOCATOR.size - _END_64.size
    if at < 0:
        raise Refused("large archive has no large directory", f"byte {end}", DAMAGED)
    record = _read(fd, at, _END_64.size + _LOCATOR.size)
    mark, room, _, _, disk, first, here, count, length, start = _END_64.unpack_from(record)
    found, there, where, disks = _LOCATOR.unpack_from(record, _END_64.size)
    if (mark, found, where, room) != (b"PK\6\6", b"PK\6\7", at, _END_64.size - 12):
        raise Refused("large directory of the archive is damaged", f"byte {at}", DAMAGED)
    if disk or first or there or disks > 1 or here != count:
        raise Refused("archive is one part of several", disk, "Join the parts first.")
    return _placed_directory(start, length, count, at)


def _placed_directory(start: int, length: int, count: int, end: int) -> tuple[int, int, int]:
    if start + length != end:
        value = f"{start} + {length}, not {end}"
        raise Refused("directory of the archive is not where it should be", value, HOSTILE)
    return start, length, count


def _entries(data: bytes, count: int) -> list[Entry]:
    found: list[Entry] = []
    at = 0
    for _ in range(count):
        if at + _CENTRAL.size > len(data):
            raise Refused("directory of the archive is cut off", f"entry {len(found)}", DAMAGED)
        fields = _CENTRAL.unpack_from(data, at)
        lengths = fields[10:13]
        name_at = at + _CENTRAL.size
        extra_at = name_at + lengths[0]
        at = name_at + sum(lengths)
        if fields[0] != b"PK\1\2" or at > len(data):
            raise Refused("directory of the archive is damaged", f"entry {len(found)}", DAMAGED)
        extra = data[extra_at : extra_at + lengths[1]]
        found.append(_entry(fields, data[name_at:extra_at], extra))
    if at != len(data):
        raise Refused("directory of the archive has bytes behind it", len(data) - at, HOSTILE)
    return found


def _entry(fields: tuple[int, ...], raw: bytes, extra: bytes) -> Entry:
    name = _name(raw)
    made_by, flags, method, crc = fields[1] >> 8, fields[3], fields[4], fields[7]
    packed, size, offset = _wide(extra, fields[8], fields[9], fields[16], name)
    mode = fields[15] >> 16
    kind = stat.S_IFMT(mode)
    entry = Entry(name, offset, packed, size, crc, method, flags)
    if made_by == _MADE_ON_UNIX and kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        what = "a link" if stat.S_ISLNK(mode) else "no regular file"
        raise _of(entry, "member is not a file", what, HOSTILE)
    if fields[13]:
        raise _of(entry, "member lies in another part of the archive", fields[13], DAMAGED)
    return entry


def _wide(extra: bytes, packed: int, size: int, offset: int, name: str) -> list[int]:
    """Packed size, size and offset; those that need 64 bits stand in an extra field of kind 1."""
    wanted = [value == _FULL_32 for value in (size, packed, offset)]
    at, block = 0, b""
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        block = extra[at + 4 : at + 4 + length] if kind == 1 else block
        at += 4 + length
    if sum(wanted) * 8 > len(block):
        raise Refused("large member has no large sizes", name, DAMAGED, member=name)
    wide = iter(struct.unpack_from(f"<{sum(wanted)}Q", block))
    values = [
        next(wide) if big else small
        for big, small in zip(wanted, (size, packed, offset), strict=True)
    ]
    return [values[1], values[0], values[2]]


def _name(raw: bytes) -> str:
    name = raw.decode("ascii", "backslashreplace")
    parts = name.split("/")
    if not _PLAIN.fullmatch(name) or ".." in parts or "." in parts or len(name) > 255:
        hint = "Only plain names of letters, digits and folders below the archive are read."
        raise Refused("name of a member is not plain", name, hint)
    return name


def _check_names(found: list[Entry]) -> None:
    seen: set[str] = set()
    for entry in found:
        name = entry.name.rstrip("/").lower()
        if name in seen:
            raise _of(entry, "name stands twice in the archive", entry.name, HOSTILE)
        seen.add(name)
        if entry.name.endswith("/") and entry.size:
            raise _of(entry, "folder in the archive has bytes", entry.size, HOSTILE)


def _check_member(entry: Entry, rules: Rules) -> None:
    if entry.flags & _SEALED:
        raise _of(entry, "member is encrypted", f"flags {entry.flags:#06x}", "Decrypt it first.")
    if entry.method not in (_STORED, _DEFLATED):
        hint = "Only stored and deflated members are read; pack the archive again."
        raise _of(entry, "member is packed in another way", f"method {entry.method}", hint)
    if not re.fullmatch(rules.pattern, entry.name):
        nested = entry.name.lower().endswith((".zip", ".gz", ".tar", ".7z", ".bz2", ".xz"))
        problem = "archive holds another archive" if nested else "member is no stream by its name"
        hint = f"Members look like {rules.pattern}; name others in `ignored`."
        raise _of(entry, problem, entry.name, hint)
    if entry.size > rules.member:
        raise _of(entry, "member is too large", entry.size, f"At most {rules.member} bytes.")
    if entry.size > rules.ratio * max(entry.packed, 1):
        ratio = f"{entry.size} bytes from {entry.packed}"
        raise _of(entry, "member is packed too tightly", ratio, f"At most {rules.ratio} to 1.")
    if entry.method == _STORED and entry.size != entry.packed:
        raise _of(entry, "stored member has two sizes", entry.packed, DAMAGED)


def _placed(fd: int, found: list[Entry], wanted: list[Entry], end: int) -> list[Entry]:
    """`wanted` with the places of their packed bytes; no two entries may share a byte."""
    chosen = {entry.name for entry in wanted}
    placed, free = [], 0
    for entry in sorted(found, key=lambda entry: entry.offset):
        start = _start(fd, entry, end)
        if entry.offset < free or start + entry.packed > end:
            raise _of(entry, "member shares bytes with another", f"byte {entry.offset}", HOSTILE)
        free = start + entry.packed
        if entry.name in chosen:
            placed.append(entry._replace(offset=start))
    return placed


def _start(fd: int, entry: Entry, end: int) -> int:
    """Where the packed bytes begin; the header before them says what the directory says."""
    if entry.offset + _LOCAL.size > end:
        raise _of(entry, "member begins outside the archive", entry.offset, DAMAGED)
    mark, _, flags, method, _, _, crc, packed, size, names, extra = _LOCAL.unpack(
        _read(fd, entry.offset, _LOCAL.size)
    )
    start = int(entry.offset + _LOCAL.size + names + extra)
    said = (crc, packed, size)
    known = (entry.crc, entry.packed, entry.size)
    pairs = zip(said, known, strict=True)
    agree = all(a in (b, _FULL_32) for a, b in pairs) or flags & _SIZES_FOLLOW
    same = (mark, flags & ~_TEXT, method) == (b"PK\3\4", entry.flags & ~_TEXT, entry.method)
    if start > end or not (same and agree):
        raise _of(entry, "member differs from the directory", f"byte {entry.offset}", HOSTILE)
    if _read(fd, entry.offset + _LOCAL.size, names) != entry.name.encode():
        raise _of(entry, "member has two names", f"byte {entry.offset}", HOSTILE)
    return start


def _of(entry: Entry, problem: str, value: object, hint: str) -> Refused:
    return Refused(problem, value, hint, member=entry.name)


def _read(fd: int, at: int, count: int) -> bytes:
    parts, left = [], count
    while left > 0:
        part = os.pread(fd, min(left, _CHUNK), at)
        if not part:
            raise Refused("archive is cut off", f"byte {at}", DAMAGED)
        parts.append(part)
        at, left = at + len(part), left - len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)
