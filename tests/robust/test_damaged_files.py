"""Files that are cut, emptied, replaced by something else or gone: an answer or one line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchwright.errors import FormatError
from benchwright.scoring.artifacts import COLLECTED_FORMAT, artifact_in
from benchwright.scoring.rows import read_rows
from benchwright.storage import write_json
from benchwright.suites.tracebench.pools.build import POOL_FORMAT, open_pool
from tests.cli.commands import START
from tests.robust.conftest import Damaged, call
from tests.robust.test_mutated_files import FILES, structure

DEEP = 100_000


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def cut(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


DAMAGES: dict[str, Callable[[Path], object]] = {
    "gone": Path.unlink,
    "a folder": folder,
    "a dangling link": dangling,
    "empty": lambda path: path.write_bytes(b""),
    "cut in half": cut,
    "no text": lambda path: path.write_bytes(b"\xff\xfe\x00" * 50),
    "a list": lambda path: path.write_bytes(b"[]"),
    "lists without end": lambda path: path.write_bytes(b"[" * DEEP),
    "objects without end": lambda path: path.write_bytes(b'{"a":' * DEEP),
    "keys without end": lambda path: path.write_bytes(b"a" + b".a" * 5000 + b" = 1"),
    "a number without end": lambda path: path.write_bytes(b"a = 0x" + b"f" * 5000),
}


NAMES = [name for name, (_, quick, _) in FILES.items() if quick]


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_file_gives_an_answer_or_one_line(damaged: Damaged, name: str) -> None:
    """Every file sees every second kind of damage, and its neighbour in the list the others."""
    place, quick, _ = FILES[name]
    path = place(damaged)
    lines = [verb(damaged) for verb in quick]
    mine = [*DAMAGES.items()][NAMES.index(name) % 2 :: 2]
    for number, (kind, damage) in enumerate(mine):
        damage(path)
        damaged.seal()
        said = call(*lines[number % len(lines)])
        assert said.code in (0, 1, 2), kind
        if said.code == 2:
            assert said.err.startswith("benchwright: ") and said.err.count("\n") == 1, said.err
        damaged.restore()


@pytest.mark.parametrize("half", ["tasks", "held"])
def test_a_set_without_one_of_its_halves_is_not_sound(damaged: Damaged, half: str) -> None:
    moved = damaged.tasks.parent / "moved"
    os.rename(damaged.tasks / half, moved)
    try:
        said = call(*structure(damaged))
        (damaged.tasks / half).write_text("", encoding="utf-8")
        again = call(*structure(damaged))
        (damaged.tasks / half).unlink()
    finally:
        os.rename(moved, damaged.tasks / half)
    told = {"tasks": (1, "folder of the set is missing"), "held": (2, "no held half")}[half]
    for answer in (said, again):
        assert answer.code == told[0] and told[1] in answer.out + answer.err


@pytest.mark.parametrize("part", [0.0, 0.3, 0.9])
def test_score_rows_that_are_cut_are_one_line_and_derived_again(
    damaged: Damaged, part: float
) -> None:
    path = damaged.run / "rows.parquet"
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    with pytest.raises(FormatError, match=r"no score rows: .*rows\.parquet\).* benchwright score"):
        read_rows(damaged.run)
    assert call("score", damaged.run).code == 0
    assert path.read_bytes() == data


COLLECTED = {
    "no format": {"files": {}},
    "no files": {"format": COLLECTED_FORMAT},
    "a list": {"format": COLLECTED_FORMAT, "files": []},
    "a size that is text": {"format": COLLECTED_FORMAT, "files": {"rule.py": {"size": "3"}}},
    "half a digest": {"format": COLLECTED_FORMAT, "files": {"x": {"size": 3, "sha256": "0"}}},
}


@pytest.mark.parametrize("content", COLLECTED.values(), ids=COLLECTED)
def test_a_damaged_list_of_what_was_collected_is_one_line(tmp_path: Path, content: object) -> None:
    write_json(tmp_path / "collected.json", content)
    with pytest.raises(FormatError, match=r"collected\.json"):
        artifact_in(tmp_path, "rule.py")


POOLS = {
    "no policy": {"format": POOL_FORMAT, "digest": "0" * 64},
    "a policy that is text": {"format": POOL_FORMAT, "digest": "0" * 64, "policy": "mine"},
    "half a digest": {"format": POOL_FORMAT, "digest": "0", "policy": {}},
}


@pytest.mark.parametrize("content", POOLS.values(), ids=POOLS)
def test_a_damaged_pool_is_one_line(tmp_path: Path, content: object) -> None:
    write_json(tmp_path / "pool.json", content)
    with pytest.raises(FormatError, match=r"pool\.json"):
        open_pool(tmp_path)


def test_an_answer_does_not_depend_on_the_locale(damaged: Damaged, tmp_path: Path) -> None:
    """Words of a table and of a page hold signs that ASCII has not."""
    poor = {
        "LC_ALL": "C",
        "PYTHONIOENCODING": "ascii",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    }
    lines = (("show", damaged.run), ("report", damaged.run, "--out", tmp_path / "page"))
    for line in lines:
        done = subprocess.run(
            [sys.executable, "-c", START, *map(str, line)],
            env={**os.environ, **poor}, capture_output=True, check=True,
        )  # fmt: skip
        assert done.stderr == b""
        assert done.stdout.decode() == call(*line).out
    assert "·" in call("show", damaged.run).out
    shutil.rmtree(tmp_path / "page")


def test_a_path_that_is_no_text_is_one_line(damaged: Damaged, tmp_path: Path) -> None:
    """A folder's name may be any bytes; the documents of --json and run.toml are UTF-8."""
    odd = tmp_path / os.fsdecode(b"odd-\xff")
    shutil.copytree(damaged.tasks, odd)
    said = call("check", odd, "--only", "structure", "--sandbox", "none", "--json")
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1 and "UTF-8" in said.err
