"""The parent believes nothing that the child says: a child that lies costs one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import FormatError
from benchwright.isolation.confined import ReaderLimits, confined
from benchwright.suites.telemetry.bts import ArchiveLimits
from benchwright.suites.telemetry.bts.frames import contents

LIAR = """
import os

def main(said):
    for line in said:
        os.write(1, line.encode() + b"\\n")
"""
DIRECTORY = '{"kind": "directory", "members": ["1"], "left_out": []}'


def member(**changes: Any) -> str:
    honest = {
        "kind": "stream", "member": "1", "bytes": 5, "sha256": "a", "protocol": 4,
        "identifier": "x", "times": ["<f8", 0], "values": ["<f8", 0],
    }  # fmt: skip
    return json.dumps({k: v for k, v in {**honest, **changes}.items() if v is not None})


END = '{"kind": "end"}'
LIES = {
    "nothing": [],
    "no JSON": ["hello"],
    "a list": ["[]"],
    "a number": ["1"],
    "deep": ["[" * 100_000],
    "no members": ['{"kind": "directory"}'],
    "members are a number": ['{"kind": "directory", "members": 1, "left_out": []}'],
    "no kind": [DIRECTORY, "{}"],
    "another member": [DIRECTORY, member(member="2"), END],
    "no identifier": [DIRECTORY, member(identifier=None), END],
    "type of objects": [DIRECTORY, member(times=["|O8", 1]), END],
    "type with a shape": [DIRECTORY, member(times=["(9,9)<f8", 1]), END],
    "negative count": [DIRECTORY, member(times=["<f8", -1]), END],
    "text as count": [DIRECTORY, member(times=["<f8", "1"]), END],
    "huge count": [DIRECTORY, member(times=["<f8", 10**18]), END],
    "large count": [DIRECTORY, member(times=["<f8", 5 * 10**7]), END],
    "more than it sends": [DIRECTORY, member(times=["<f8", 1000]), END],
    "one part": [DIRECTORY, member(times=["<f8"]), END],
    "size is text": [DIRECTORY, member(bytes="many"), END],
    "one member more": [DIRECTORY, member(), member(), END],
    "no end": [DIRECTORY, member()],
    "long line": [DIRECTORY, member(identifier="x" * 10_000), END],
    "refusal without parts": ['{"kind": "refused"}'],
}


def heard(folder: Path, said: list[str]) -> list[str]:
    (folder / "liar.py").write_text(LIAR)
    (folder / "a.zip").write_bytes(b"")
    with (
        (folder / "a.zip").open("rb") as source,
        confined(folder, "liar", list(said), source, ReaderLimits()) as reader,
    ):
        found = contents(reader, folder / "a.zip", ArchiveLimits())
        return [one.identifier for one in found.members]


def test_an_honest_child_is_believed(tmp_path: Path) -> None:
    assert heard(tmp_path, [DIRECTORY, member(), END]) == ["x"]


@pytest.mark.parametrize("name", LIES)
def test_a_child_that_lies_costs_one_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="archive cannot be read") as caught:
        heard(tmp_path, LIES[name])
    assert str(tmp_path / "a.zip") in str(caught.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("large count", "an array that is too large came back"),
        ("huge count", "an array of another type came back"),
        ("type of objects", "an array of another type came back"),
        ("another member", "another member came back"),
        ("one member more", "more came back than the archive has"),
        ("no end", "the reading process ended with code 0"),
    ],
)
def test_the_lie_is_told_before_it_costs_anything(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        heard(tmp_path, LIES[name])
    assert caught.value.value == said
