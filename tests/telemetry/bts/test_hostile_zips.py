"""Archives that two programs could read differently, or that cost too much, are refused."""

from __future__ import annotations

import stat
import struct
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from benchwright.errors import FormatError
from benchwright.suites.telemetry.bts import ArchiveLimits, Layout, members, read_archive
from tests.telemetry.bts import hostile
from tests.telemetry.bts.archives import archive

FINE = hostile.stream()
NAME = "Site_B/0001.pickle"


def zipped(**members: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in (members or {NAME: FINE}).items():
            made.writestr(name, data)
    return out.getvalue()


def patched(at: Callable[[bytes], int], form: str, value: int, data: bytes = b"") -> bytes:
    """One field of the archive's records overwritten."""
    made = bytearray(data or zipped())
    struct.pack_into(form, made, at(bytes(made)), value)
    return bytes(made)


def central(offset: int) -> Callable[[bytes], int]:
    return lambda data: data.index(b"PK\1\2") + offset


def local(offset: int) -> Callable[[bytes], int]:
    return lambda data: data.index(b"PK\3\4") + offset


def end(offset: int) -> Callable[[bytes], int]:
    return lambda data: data.rindex(b"PK\5\6") + offset


def special(kind: int) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        info = zipfile.ZipInfo(NAME)
        info.create_system, info.external_attr = 3, (kind | 0o777) << 16
        made.writestr(info, b"/etc/passwd")
    return out.getvalue()


def packed(method: int) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        made.writestr(NAME, FINE)
    return out.getvalue()


def twice() -> bytes:
    out = BytesIO()
    with pytest.warns(UserWarning), zipfile.ZipFile(out, "w") as made:
        made.writestr(NAME, FINE)
        made.writestr(NAME, FINE)
    return out.getvalue()


def shared() -> bytes:
    """The second entry of the directory leads into the bytes of the first."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("s/2.pickle", FINE)
        inner = out.getvalue()
        made.writestr("s/1.pickle", inner)
        where = made.getinfo("s/1.pickle").header_offset + 30 + len("s/1.pickle")
    data = bytearray(out.getvalue())
    struct.pack_into("<I", data, central(42)(bytes(data)), where)
    return bytes(data)


def two_names() -> bytes:
    return zipped().replace(NAME.encode(), b"Site_B/0002.pickle", 1)


def broken(data: bytes) -> bytes:
    """A byte in the middle of the first member's packed bytes is another."""
    made = bytearray(data)
    made[30 + len(NAME) + 100] ^= 0x10
    return bytes(made)


SAMPLES: dict[str, tuple[Callable[[], bytes], str]] = {
    "climbing name": (lambda: zipped(**{"../1.pickle": FINE}), "name of a member is not plain"),
    "climbing inside": (lambda: zipped(**{"a/../1.pickle": FINE}), "not plain"),
    "absolute name": (lambda: zipped(**{"/1.pickle": FINE}), "not plain"),
    "name of a drive": (lambda: zipped(**{"C:1.pickle": FINE}), "not plain"),
    "backslashes": (lambda: zipped(**{"..\\1.pickle": FINE}), "not plain"),
    "name with a newline": (lambda: zipped(**{"a\n1.pickle": FINE}), "not plain"),
    "name of other letters": (lambda: zipped(**{"ä/1.pickle": FINE}), "not plain"),
    "name that stands twice": (twice, "name stands twice"),
    "name twice but for case": (
        lambda: zipped(**{"a/1.pickle": FINE, "A/1.pickle": FINE}), "name stands twice"),
    "file and folder": (
        lambda: zipped(**{"a/1.pickle": FINE, "a/1.pickle/": b""}), "name stands twice"),
    "folder with bytes": (lambda: zipped(**{"a/": FINE}), "folder in the archive has bytes"),
    "link": (lambda: special(stat.S_IFLNK), "member is not a file: 'a link'"),
    "device": (lambda: special(stat.S_IFCHR), "member is not a file: 'no regular file'"),
    "encrypted": (lambda: patched(central(8), "<H", 1), "member is encrypted"),
    "strongly encrypted": (lambda: patched(central(8), "<H", 0x41), "member is encrypted"),
    "hidden directory": (lambda: patched(central(8), "<H", 0x2000), "member is encrypted"),
    "bzip2": (lambda: packed(zipfile.ZIP_BZIP2), "member is packed in another way: 'method 12'"),
    "lzma": (lambda: packed(zipfile.ZIP_LZMA), "member is packed in another way: 'method 14'"),
    "archive inside": (lambda: zipped(**{"a/1.zip": zipped()}), "archive holds another archive"),
    "archive called a pickle": (lambda: zipped(**{NAME: zipped()}), "another zip archive"),
    "something else": (lambda: zipped(**{"a/readme.txt": b"x"}), "no stream by its name"),
    "wrong checksum": (lambda: patched(central(16), "<I", 1, patched(local(14), "<I", 1)),
                       "member differs from its checksum"),
    "stored, wrong byte": (lambda: broken(packed(zipfile.ZIP_STORED)), "from its checksum"),
    "checksums differ": (lambda: patched(local(14), "<I", 1), "differs from the directory"),
    "method differs": (lambda: patched(local(8), "<H", 0), "differs from the directory"),
    "two names": (two_names, "member has two names"),
    "size too small": (lambda: patched(central(24), "<I", 5, patched(local(22), "<I", 5)),
                       "member is larger than it says"),
    "size too large": (lambda: patched(central(24), "<I", 9999, patched(local(22), "<I", 9999)),
                       "member differs from its checksum"),
    "packed size too small": (
        lambda: patched(central(20), "<I", 50, patched(local(18), "<I", 50)),
        "do not end where they should"),
    "packed size beyond": (lambda: patched(central(20), "<I", 9**7, patched(local(18), "<I", 9**7)),
                           "shares bytes"),
    "shared bytes": (shared, "member shares bytes with another"),
    "bytes in front": (lambda: b"#!/bin/sh\n" + zipped(), "not where it should be"),
    "bytes behind": (lambda: zipped() + b"x", "comment or bytes behind its end: '1 bytes'"),
    "second archive behind": (lambda: zipped() + zipped(), "not where it should be"),
    "several disks": (lambda: patched(end(4), "<H", 1), "one part of several"),
    "member on another disk": (lambda: patched(central(34), "<H", 1), "another part"),
    "more entries than said": (lambda: patched(end(10), "<H", 9, patched(end(8), "<H", 9)),
                               "wrong size"),
    "fewer entries than there": (lambda: patched(end(10), "<H", 0, patched(end(8), "<H", 0)),
                                 "bytes behind it"),
    "large sizes without a field": (lambda: patched(central(24), "<I", 2**32 - 1), "no large si"),
    "large directory without one": (lambda: patched(end(12), "<I", 2**32 - 1), "large directory"),
    "no archive": (lambda: b"hello", "does not end as a zip archive"),
    "nothing": (lambda: b"", "does not end as a zip archive"),
    "first half": (lambda: zipped()[:200], "does not end as a zip archive"),
    "npz": (lambda: zipped(**{"a.npy": b"\x93NUMPY"}), "no stream by its name"),
}  # fmt: skip


def refusal(path: Path, limits: ArchiveLimits | None = None) -> str:
    with pytest.raises(FormatError) as caught:
        list(members(path, limits))
    line = str(caught.value)
    assert "\n" not in line and str(path) in line and line.endswith((".", "first."))
    return line


@pytest.mark.parametrize("name", SAMPLES)
def test_a_hostile_archive_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    make, said = SAMPLES[name]
    path = tmp_path / "a.zip"
    path.write_bytes(make())
    assert said in refusal(path)


LIMITS = {
    "too many members": (ArchiveLimits(members=2), "archive has too many members: 3"),
    "directory too large": (ArchiveLimits(directory_bytes=100), "directory of the archive has"),
    "member too large": (ArchiveLimits(member_bytes=100), "member is too large"),
    "total too large": (ArchiveLimits(total_bytes=500), "archive is too large unpacked"),
}


@pytest.mark.parametrize("name", LIMITS)
def test_what_costs_more_than_the_limits_is_refused(name: str, tmp_path: Path) -> None:
    limits, said = LIMITS[name]
    path = archive(tmp_path / "a.zip", {f"s/{i}.pickle": FINE for i in range(3)})
    assert said.split(":")[0] in refusal(path, limits)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"s/1.pickle": bytes(10**7)})
    assert "member is packed too tightly: '10000000 bytes from" in refusal(path)


def test_a_directory_of_a_million_entries_is_refused_at_its_size(tmp_path: Path) -> None:
    entry = struct.pack("<4s6H3I5H2I", b"PK\1\2", *[0] * 16)
    whole = entry * 400_000
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 20_000, 20_000, len(whole), 0, 0)
    path = tmp_path / "a.zip"
    path.write_bytes(whole + end)
    assert "directory of the archive has a wrong size" in refusal(path)


def test_memory_that_ends_is_told_as_such(tmp_path: Path) -> None:
    size = 9 * 10**7
    data = b"\x80\x02X" + struct.pack("<I", size) + b"a" * size + b"."
    path = archive(tmp_path / "a.zip", {"s/1.pickle": data}, stored=True)
    assert "pickle holds no stream: 'str'" in refusal(path, ArchiveLimits(member_bytes=10**8))
    line = refusal(path, ArchiveLimits(member_bytes=10**8, memory_mb=150))
    assert "member needs more memory than allowed: '90000008'" in line


def test_names_that_are_ignored_are_listed_and_not_read(tmp_path: Path) -> None:
    extra = {"__MACOSX/s/._1.pickle": b"x" * 10, "notes.txt": b"hello"}
    path = archive(tmp_path / "a.zip", {"s/": b"", "s/1.pickle": FINE, **extra})
    layout = Layout(ignored=("__MACOSX/*", "*.txt"))
    made = read_archive(path, tmp_path / "out", layout=layout)
    assert made.lineage.left_out == ("__MACOSX/s/._1.pickle", "notes.txt")
    assert [stream.member for stream in made.lineage.streams] == ["s/1.pickle"]


class Pipe(BytesIO):
    """What cannot be sought: sizes then follow the packed bytes."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: int) -> int:
        raise OSError


def test_an_archive_whose_sizes_follow_its_members_is_read(tmp_path: Path) -> None:
    out = Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(NAME, FINE)
    (tmp_path / "a.zip").write_bytes(out.getvalue())
    assert [m.identifier for m in members(tmp_path / "a.zip")] == [hostile.NAME]


def test_an_archive_with_large_records_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as made, made.open(NAME, "w", force_zip64=True) as file:
        file.write(FINE)
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\5\6")
    _, _, _, here, count, length, start, _ = struct.unpack_from("<4s4H2IH", data, at)
    record = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, here, count, length, start)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, at, 1)
    struct.pack_into("<4s4H2I", data, at, b"PK\5\6", 0, 0, *[0xFFFF] * 2, *[0xFFFFFFFF] * 2)
    path.write_bytes(data[:at] + record + locator + data[at:])
    assert [m.identifier for m in members(path)] == [hostile.NAME]
