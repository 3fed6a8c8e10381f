from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import FormatError, SpecError
from benchwright.storage import (
    check_format,
    exchange,
    link_or_write,
    read_json,
    read_toml,
    safe_join,
    write_bytes,
    write_json,
    write_text,
    write_toml,
)


def test_a_file_is_written_with_its_parents_and_readable_by_all(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "f.txt"
    write_text(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    assert path.stat().st_mode & 0o777 == 0o644
    assert os.listdir(path.parent) == ["f.txt"]


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_the_umask_says_who_may_read(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        write_text(tmp_path / "f.txt", "text")
    finally:
        os.umask(before)
    assert (tmp_path / "f.txt").stat().st_mode & 0o777 == mode


def test_a_value_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    write_json(path, {"old": 1})
    with pytest.raises(FormatError):
        write_json(path, {"new": float("nan")})
    assert read_json(path) == {"old": 1}
    assert os.listdir(tmp_path) == ["f.json"]


def test_a_write_that_fails_half_way_leaves_the_old_file_and_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_bytes(path, b"old")
    with pytest.raises(TypeError):
        write_bytes(path, "text, not bytes")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["f"]


def test_a_target_that_cannot_be_replaced_leaves_nothing_beside(tmp_path: Path) -> None:
    (tmp_path / "f" / "inside").mkdir(parents=True)
    with pytest.raises(OSError):
        write_bytes(tmp_path / "f", b"new")
    assert os.listdir(tmp_path) == ["f"]


def test_a_pipe_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SpecError, match="only files are replaced"):
        write_bytes(tmp_path / "pipe", b"new")
    assert (tmp_path / "pipe").is_fifo()
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_second_name_is_the_same_file(tmp_path: Path) -> None:
    write_bytes(tmp_path / "a", b"data")
    link_or_write(tmp_path / "a", tmp_path / "folder" / "b", b"data")
    assert (tmp_path / "folder" / "b").samefile(tmp_path / "a")


def test_where_no_second_name_can_be_had_there_is_a_file_of_its_own(tmp_path: Path) -> None:
    link_or_write(tmp_path / "absent", tmp_path / "b", b"data")
    (tmp_path / "folder").mkdir()
    link_or_write(tmp_path / "folder", tmp_path / "c", b"data")  # folders have one name only
    assert [(tmp_path / name).read_bytes() for name in "bc"] == [b"data", b"data"]


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    path, contents = tmp_path / "f", (b"a" * 200_000, b"b" * 300_000)
    write_bytes(path, contents[0])
    seen: set[bytes] = set()
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for turn in range(40):
        write_bytes(path, contents[turn % 2])
    stop.set()
    reader.join()
    assert seen
    assert seen <= set(contents)


def test_json_ends_with_a_line_end_and_is_canonical(tmp_path: Path) -> None:
    write_json(tmp_path / "f", {"b": 2.0, "a": None})
    assert (tmp_path / "f").read_bytes() == b'{"a":null,"b":2}\n'


def test_toml_leaves_out_what_is_absent(tmp_path: Path) -> None:
    write_toml(tmp_path / "f", {"format": "benchwright.x/1", "none": None, "n": 2})
    assert read_toml(tmp_path / "f", form="benchwright.x/1") == {
        "format": "benchwright.x/1",
        "n": 2,
    }


@pytest.mark.parametrize("reader", [read_json, read_toml])
@pytest.mark.parametrize("data", [b"{", b"\xff\xfe", b"= 1"])
def test_a_damaged_file_is_one_line_with_its_place(
    tmp_path: Path, reader: type, data: bytes
) -> None:
    path = tmp_path / "f"
    path.write_bytes(data)
    with pytest.raises(FormatError) as caught:
        reader(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_a_format_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="No such file"):
        read_json(tmp_path / "none")


@given(st.integers(1, 50), st.integers(1, 50))
def test_exactly_the_newer_numbers_are_refused(written: int, known: int) -> None:
    value = {"format": f"benchwright.x/{written}", "unknown key": 1}
    if written <= known:
        check_format(value, f"benchwright.x/{known}", Path("f"))
    else:
        with pytest.raises(FormatError, match="newer benchwright"):
            check_format(value, f"benchwright.x/{known}", Path("f"))


@pytest.mark.parametrize(
    "value",
    [{}, [], None, {"format": "benchwright.y/1"}, {"format": "benchwright.x"}, {"format": 1}],
)
def test_another_format_is_refused(value: object) -> None:
    with pytest.raises(FormatError, match=r"expected a benchwright\.x file"):
        check_format(value, "benchwright.x/1", Path("f"))


names = st.text("ab.-_é ", min_size=1, max_size=6).filter(
    lambda n: set(n) != {"."} and n.strip(".")
)


@given(st.lists(names, min_size=1, max_size=3))
def test_a_plain_name_stays_in_its_folder(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    root = tmp_path_factory.mktemp("root")
    joined = safe_join(root, "/".join(parts))
    assert joined.is_relative_to(root)
    assert joined == root.joinpath(*parts)


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/../../x", "a/..", "/etc/passwd", "a\0b"]
)
def test_a_name_that_could_leave_its_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SpecError, match="leaves its folder"):
        safe_join(tmp_path, name)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "link").symlink_to(tmp_path)
    with pytest.raises(SpecError, match="leaves its folder"):
        safe_join(tmp_path / "root", "link/secret")


def test_a_link_inside_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert safe_join(tmp_path, "link/file") == tmp_path / "link" / "file"


def test_folders_that_are_exchanged_are_there_at_every_moment(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    over, missed = threading.Event(), []

    def watch() -> None:
        while not over.is_set():
            missed.extend(n for n in ("one", "two") if not (tmp_path / n).is_dir())

    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(301):
        exchange(tmp_path / "one", tmp_path / "two")
    over.set()
    watcher.join()
    assert missed == []
    assert (tmp_path / "one" / "file").read_text() == "two"
    assert (tmp_path / "two" / "file").read_text() == "one"


def test_an_exchange_that_cannot_be_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "one", tmp_path / "none")
    assert [p.name for p in tmp_path.iterdir()] == ["one"]
