"""Damage anywhere is a refusal or a readable stream, never another error, and runs nothing."""

from __future__ import annotations

import os
import pickle
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.errors import FormatError
from benchwright.suites.telemetry.bts import members
from benchwright.suites.telemetry.bts.inside.machine import Stream, stream
from benchwright.suites.telemetry.bts.inside.refusal import Refused
from benchwright.suites.telemetry.bts.inside.zipped import Rules, content, listing
from tests.telemetry.bts import hostile
from tests.telemetry.bts.archives import archive
from tests.telemetry.bts.compare import same

SENTINEL = Path(tempfile.gettempdir(), f"benchwright-ran-{os.getpid()}")
SEEDS = [hostile.stream(protocol=p) for p in (2, 3, 4, 5)]
ARMED = [*hostile.running(SENTINEL).values(), *hostile.crafted().values()]
RULES = Rules(50, 10**6, 10**6, 10**7, 200, r"(?:[\w.-]+/)*[0-9]+\.pickle", [])


@st.composite
def damaged(draw: st.DrawFn, whole: list[bytes]) -> bytes:
    """A file with bytes replaced, left out or put in."""
    data = bytearray(draw(st.sampled_from(whole)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        how = draw(st.sampled_from(["flip", "set", "cut", "insert", "repeat"]))
        if how == "flip" and data:
            data[at] ^= 1 << draw(st.integers(0, 7))
        elif how == "set" and data:
            data[at] = draw(st.integers(0, 255))
        elif how == "cut":
            del data[at : at + draw(st.integers(1, 9))]
        elif how == "insert":
            data[at:at] = draw(st.binary(min_size=1, max_size=6))
        else:
            data[at:at] = data[at : at + draw(st.integers(1, 40))]
    return bytes(data)


def read(data: bytes) -> Stream | None:
    try:
        found = stream(data)
    except Refused:
        return None
    assert found.times.type and found.values.type
    assert len(found.times.raw) == found.times.count * found.times.type.size
    return found


@settings(max_examples=800)
@given(damaged(SEEDS + ARMED))
def test_a_damaged_pickle_is_refused_or_is_a_stream(data: bytes) -> None:
    read(data)
    assert not SENTINEL.exists()


@settings(max_examples=500)
@given(st.binary(max_size=200).map(lambda tail: b"\x80\x04" + tail))
def test_any_bytes_are_refused_or_a_stream(data: bytes) -> None:
    read(data)


@given(damaged(SEEDS))
def test_what_is_still_a_stream_is_the_one_that_pickle_reads(data: bytes) -> None:
    """Names of benign files only: what this reader accepts is safe to hand to pickle here."""
    found = read(data)
    if found is not None:
        name, times, values = pickle.loads(data)
        assert found.identifier == name
        assert same(found.times, times) and same(found.values, values)


def zip_bytes(folder: Path) -> list[bytes]:
    names = {f"s/{i}.pickle": data for i, data in enumerate(SEEDS)}
    return [
        archive(folder / f"{stored}.zip", names, stored=stored).read_bytes()
        for stored in (True, False)
    ]


@pytest.fixture(scope="module")
def zips(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    return zip_bytes(tmp_path_factory.mktemp("zips"))


@settings(max_examples=400)
@given(data=st.data())
def test_a_damaged_archive_is_refused_or_read(zips: list[bytes], data: st.DataObject) -> None:
    fd = os.memfd_create("archive")
    try:
        os.write(fd, data.draw(damaged(zips)))
        for entry in listing(fd, RULES).entries:
            read(bytes(content(fd, entry)))
    except Refused:
        pass
    finally:
        os.close(fd)


@settings(max_examples=12)
@given(data=st.data())
def test_the_confined_reader_ends_in_one_line_too(
    zips: list[bytes], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "a.zip"
    path.write_bytes(data.draw(damaged(zips)))
    try:
        assert [m.identifier for m in members(path)]
    except FormatError as error:
        assert "reading process" not in str(error)
