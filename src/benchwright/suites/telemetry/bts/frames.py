"""The parent's side of reading: what the confined child says, checked before it is believed.

Takes an open archive; gives one `Member` after another, with arrays as they stand in the pickle.
Refusals become one `FormatError` with archive and member.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from benchwright.canonical import Json
from benchwright.errors import FormatError
from benchwright.isolation.confined import Reader, ReaderLimits, ReaderLost, confined
from benchwright.suites.telemetry.bts.limits import ArchiveLimits, Layout

_TYPE = re.compile(r"[<>|]([biu][1248]|f[248])|[<>]M8\[(s|ms|us|ns)\]")
_LONGEST_LINE = 4096
_LONGEST_DIRECTORY = 64 * 1024 * 1024
_AGAIN = "Fetch the archive again, and compare its checksum with the published one."


@dataclass(frozen=True, slots=True)
class Member:
    """One member as it stands in the archive."""

    name: str
    size: int
    """Bytes of the pickle."""
    sha256: str
    protocol: int
    identifier: str
    times: npt.NDArray[Any]
    values: npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Contents:
    """An archive that is being read: its names, and its members, which can be taken once."""

    names: tuple[str, ...]
    left_out: tuple[str, ...]
    members: Iterator[Member]


@contextmanager
def opened(
    source: IO[bytes], path: Path, layout: Layout, limits: ArchiveLimits
) -> Iterator[Contents]:
    """The contents of `source`, called `path` in errors.

    Raises:
        FormatError: the archive or a member is refused, also while members are taken.
        IsolationError: no process can be confined here.
    """
    settings: Json = {
        "members": limits.members,
        "directory": limits.directory_bytes,
        "member": limits.member_bytes,
        "total": limits.total_bytes,
        "ratio": limits.ratio,
        "pattern": layout.member,
        "ignored": list(layout.ignored),
    }
    allowed = ReaderLimits(limits.memory_mb, limits.cpu_s, limits.member_s)
    folder = Path(__file__).parent
    with confined(folder, "inside.main", settings, source, allowed) as reader:
        yield contents(reader, path, limits)


def contents(reader: Reader, path: Path, limits: ArchiveLimits) -> Contents:
    """What a running child says about the archive `path`; FormatError if it makes no sense."""
    talk = _Talk(reader, path, limits)
    with talk.sense():
        head = talk.next(_LONGEST_DIRECTORY)
        names, left_out = (tuple(map(str, head[key])) for key in ("members", "left_out"))
    return Contents(names, left_out, talk.members(names))


class _Talk:
    def __init__(self, reader: Reader, path: Path, limits: ArchiveLimits) -> None:
        self._reader, self._path, self._limits = reader, path, limits
        self._member = ""

    @contextmanager
    def sense(self) -> Iterator[None]:
        """FormatError where the child is lost, or says what this process cannot have asked for."""
        try:
            yield
        except ReaderLost as lost:
            raise self._lost(str(lost)) from lost
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise self._lost("an answer without sense came back") from error

    def next(self, most: int = _LONGEST_LINE) -> dict[str, Any]:
        """The next line of the child; FormatError if it refuses."""
        said = json.loads(self._reader.line(most))
        if said["kind"] == "refused":
            where = f"{self._path}, {said['member']}" if said["member"] else self._path
            raise FormatError(said["problem"], value=said["value"], where=where, hint=said["hint"])
        return dict(said)

    def members(self, names: tuple[str, ...]) -> Iterator[Member]:
        """One member for each name, in that order."""
        for name in names:
            self._member = name
            with self.sense():
                member = self._one(self.next(), name)
            yield member
        self._member = ""
        with self.sense():
            if self.next()["kind"] != "end":
                raise self._lost("more came back than the archive has")

    def _one(self, head: dict[str, Any], name: str) -> Member:
        if head["member"] != name:
            raise self._lost("another member came back")
        times, values = (self._array(*head[key]) for key in ("times", "values"))
        sha256, text = str(head["sha256"]), str(head["identifier"])
        return Member(name, int(head["bytes"]), sha256, int(head["protocol"]), text, times, values)

    def _array(self, kind: str, count: int) -> npt.NDArray[Any]:
        if not _TYPE.fullmatch(kind) or not 0 <= count <= self._limits.member_bytes:
            raise self._lost("an array of another type came back")
        dtype = np.dtype(kind)
        if count * dtype.itemsize > self._limits.member_bytes:
            raise self._lost("an array that is too large came back")
        return np.frombuffer(self._reader.block(count * dtype.itemsize), dtype)

    def _lost(self, reason: str) -> FormatError:
        where = f"{self._path}, {self._member}" if self._member else self._path
        return FormatError("archive cannot be read", value=reason, where=where, hint=_AGAIN)
