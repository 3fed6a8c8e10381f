"""Folders that a killed process left are removed by the next of the same name, and no others."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

from benchwright.storage import Partial

_WITHOUT_DESCRIPTORS = """
import os, resource, sys
from pathlib import Path
from benchwright.storage import Partial
from benchwright.storage.partial import _made
place = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
made = Partial(place)
made.remove()
held = []
try:
    while True:
        held.append(os.dup(0))
except OSError:
    pass
try:
    _made(place.parent, ".out.partial-")
except OSError as error:
    print(error.errno)
"""
_HOLDS = """
import sys
from pathlib import Path
from benchwright.storage import Partial
made = Partial(Path(sys.argv[1]))
(made.path / "half.txt").write_text("half")
print(made.path, flush=True)
sys.stdin.read()
"""


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_a_killed_process_left_is_removed_by_the_next_of_its_name(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDS, str(tmp_path / "out")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    theirs = Path(process.stdout.readline().strip())
    first = Partial(tmp_path / "out")
    assert theirs.is_dir(), "its process lives"
    process.kill()
    process.communicate()
    second = Partial(tmp_path / "out")
    assert left(tmp_path) == sorted([first.path.name, second.path.name])
    first.remove()
    second.remove()
    assert left(tmp_path) == []


def test_a_folder_is_kept_while_this_process_works_in_it(tmp_path: Path) -> None:
    first, second = Partial(tmp_path / "out"), Partial(tmp_path / "out")
    assert first.path != second.path
    assert first.path.is_dir() and second.path.is_dir()
    first.release()
    Partial(tmp_path / "out").remove()
    assert not first.path.exists(), "nobody locks it any more"
    assert second.path.is_dir()
    second.remove()


def test_folders_of_other_names_and_files_stay(tmp_path: Path) -> None:
    (tmp_path / ".out2.partial-abc").mkdir()
    (tmp_path / ".out.partial-file").write_text("no folder")
    (tmp_path / ".out.partial-link").symlink_to(tmp_path / ".out2.partial-abc")
    Partial(tmp_path / "out").remove()
    assert left(tmp_path) == [".out.partial-file", ".out.partial-link", ".out2.partial-abc"]


def test_without_descriptors_it_is_an_error_and_nothing_is_left(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-c", _WITHOUT_DESCRIPTORS, str(tmp_path / "out")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (said.stdout, said.stderr) == (f"{errno.EMFILE}\n", "")
    assert left(tmp_path) == []
