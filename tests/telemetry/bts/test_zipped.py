"""Contents of members, where a chunk of output ends between the packed bytes."""

from __future__ import annotations

import os
import zipfile
from io import BytesIO

import numpy as np
import pytest

from benchwright.suites.telemetry.bts.inside.zipped import Rules, content, listing

RULES = Rules(9, 10**6, 10**8, 10**8, 5000, r"[0-9]+\.pickle", [])
CHUNK = 1 << 20


def unpacked(data: bytes, how: int) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        archive.writestr("1.pickle", data)
    fd = os.memfd_create("archive")
    try:
        os.write(fd, out.getvalue())
        (entry,) = listing(fd, RULES).entries
        return bytes(content(fd, entry))
    finally:
        os.close(fd)


@pytest.mark.parametrize("more", [-1, 0, 1, 8, 47, 125, 190, 258, 300])
def test_what_waits_inside_the_unpacker_is_fetched(more: int) -> None:
    """After the last packed byte a few matches can still wait for room."""
    data = bytes(CHUNK + more)
    assert unpacked(data, zipfile.ZIP_DEFLATED) == data


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, CHUNK, CHUNK + 1, 3 * CHUNK + 7])
def test_members_of_every_size_come_back(size: int) -> None:
    noise = np.random.Generator(np.random.Philox(1)).bytes(size // 2)
    data = noise + bytes(size - len(noise))
    for how in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
        assert unpacked(data, how) == data
