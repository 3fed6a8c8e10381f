"""No pickle does anything; each that is no stream is refused in one line."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from benchwright.errors import FormatError
from benchwright.suites.telemetry.bts import read_archive
from benchwright.suites.telemetry.bts.inside.machine import stream
from benchwright.suites.telemetry.bts.inside.refusal import Refused
from tests.telemetry.bts import hostile
from tests.telemetry.bts.archives import archive

NOWHERE = Path("/nonexistent/sentinel")
QUIET = {**hostile.bombs(), **hostile.foreign(), **hostile.crafted()}
RUNNING = sorted(hostile.running(NOWHERE))


def refusal(data: bytes) -> Refused:
    with pytest.raises(Refused) as caught:
        stream(data)
    return caught.value


@pytest.mark.parametrize("name", sorted(QUIET))
def test_what_is_no_stream_is_refused_with_value_and_next_step(name: str) -> None:
    refused = refusal(QUIET[name])
    assert refused.problem and refused.value and refused.hint.endswith(".")
    assert len(refused.value) <= 120


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("encoded again and again", "pickle makes more bytes than it holds"),
        ("many steps", "pickle has too many steps"),
        ("deep lists", "pickle has too many steps"),
        ("shared lists", "pickle holds no stream"),
        ("bytes by a call", "pickle calls what makes no array"),
        ("huge shape", "array has another length than it says"),
        ("negative shape", "array has another length than it says"),
        ("type set twice", "pickle sets the state of something else"),
        ("array set twice", "pickle sets the state of something else"),
        ("subclass of arrays", "array is of another class"),
        ("values: text items", "array is of a type that is not read"),
        ("values: two dimensions", "array is not flat"),
        ("times: quarter hours", "time has a unit that is not read"),
        ("protocol 4 called 2", "opcode of a later protocol"),
        ("byte behind", "something is left behind the end of the pickle"),
    ],
)
def test_the_reason_is_the_real_one(name: str, said: str) -> None:
    """A later check would refuse most of these too, at a higher price."""
    assert refusal(QUIET[name]).problem == said


@pytest.mark.parametrize("name", RUNNING)
def test_what_would_run_is_refused_and_does_not_run(name: str, tmp_path: Path) -> None:
    sentinel = tmp_path / "ran"
    refusal(hostile.running(sentinel)[name])
    assert not sentinel.exists()


def test_the_same_pickle_does_run_where_it_is_unpickled(tmp_path: Path) -> None:
    for name in ("reduce alone", "global and reduce", "inst", "obj", "stack global"):
        sentinel = tmp_path / name.replace(" ", "-")
        pickle.loads(hostile.running(sentinel)[name])
        assert sentinel.exists()


@pytest.mark.parametrize("protocol", range(2, 6))
def test_a_pickle_that_is_cut_off_anywhere_is_refused(protocol: int) -> None:
    whole = hostile.stream(protocol=protocol)
    assert stream(whole).identifier == hostile.NAME
    for length in range(len(whole)):
        refusal(whole[:length])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("reduce, protocol 4", "names what no array needs: 'pathlib.Path.touch'"),
        ("inst", "instance of a class (opcode 0x69, byte "),
        ("eval", "names what no array needs: 'builtins.eval'"),
    ],
)
def test_an_archive_with_such_a_member_is_one_line(name: str, said: str, tmp_path: Path) -> None:
    sentinel = tmp_path / "ran"
    fine, bad = hostile.stream(), hostile.running(sentinel)[name]
    path = archive(tmp_path / "a.zip", {"s/1.pickle": fine, "s/2.pickle": bad}, stored=True)
    with pytest.raises(FormatError) as caught:
        read_archive(path, tmp_path / "out")
    line = str(caught.value)
    assert said in line and f"{path}, s/2.pickle" in line and "\n" not in line
    assert not sentinel.exists()
    assert list((tmp_path / "out").glob("*")) == []


@pytest.mark.parametrize("name", ["many steps", "deep lists", "long bytes", "huge shape"])
def test_a_bomb_in_an_archive_costs_one_line(name: str, tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"s/1.pickle": QUIET[name]}, stored=True)
    with pytest.raises(FormatError, match=r"a\.zip, s/1\.pickle"):
        read_archive(path, tmp_path / "out")
