"""Logs of several calls against what shells and Python really leave behind: exact is the file.

Beside `test_shell_against_bash`, whose cases are one script each: here a call prepares what a later
one does, as a script that is written and then run, a link, a job in the background. `cases.json`
holds the calls: a script, or the name and text of a file that the writing tool wrote. Those under
`mended` were once wrong and called exact.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from benchwright.trajectory.events import Anchor, Begin, Event
from benchwright.trajectory.files.history import FileChanges
from benchwright.trajectory.files.reconstruct import reconstruct
from benchwright.trajectory.folds import run_folds
from tests.trajectory.files.test_shell_against_bash import SEED, folder, pair

__all__ = ["folder"]

CASES: dict[str, list[list[Any]]] = json.loads(
    Path(__file__).with_name("cases.json").read_text(encoding="utf-8")
)


def happened(steps: list[Any], folder: Path, agent: str = "codex") -> list[Event]:
    """The log of an agent that wrote the files and did the steps, which are done here for real."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    events: list[Event] = [Begin(Anchor(1, 0, 1), "s", agent, cwd=str(folder))]
    for number, step in enumerate([*map(list, SEED.items()), *steps], start=2):
        if isinstance(step, list):
            name, text = step
            (folder / name).write_text(text, encoding="utf-8")
            events += pair(number, "Write", {"file_path": str(folder / name), "content": text}, "")
            continue
        with (folder.parent / "said").open("w+", encoding="utf-8", errors="replace") as said:
            done = subprocess.run(
                ["bash", "-c", step], cwd=folder, env=env, stdout=said, stderr=said, timeout=20,
                stdin=subprocess.DEVNULL, check=False,
            )  # fmt: skip
            said.seek(0)
            text = said.read()
        events += pair(number, "Bash", {"command": step}, text, failed=done.returncode != 0)
    return events


def wrong(steps: list[Any], folder: Path) -> list[tuple[str, str | None, str | None]]:
    """Files of which the answer is called exact, and is not what is there."""
    log = happened(steps, folder)
    fold = FileChanges()
    run_folds(log, fold)
    if any("&" in step for step in steps if isinstance(step, str)):
        time.sleep(0.5)  # jobs in the background come to their end
    left = {str(path) for path in folder.rglob("*") if path.is_file()}
    found = []
    for path in sorted({*fold.paths(), *left}):
        said, real = reconstruct(log, fold.changes, path), Path(path)
        if said.certainty != "exact" or not path.startswith(f"{folder}/") or real.is_dir():
            continue
        held = real.read_bytes().decode("utf-8", "replace") if real.is_file() else None
        if held != (said.text if said.exists else None):
            found.append((path, said.text if said.exists else None, held))
    return found


@pytest.mark.parametrize("steps", CASES["mended"], ids=str)
def test_what_is_called_exact_is_what_is_there(steps: list[Any], folder: Path) -> None:
    assert wrong(steps, folder) == []


@pytest.mark.slow
@pytest.mark.parametrize("steps", CASES["others"], ids=str)
def test_so_it_is_in_many_other_cases(steps: list[Any], folder: Path) -> None:
    assert wrong(steps, folder) == []


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        ([["s.py", "print(1)\n"], "python3 s.py"], "f"),
        ([["s.py", "print(1)\n"], "python3 s.py"], "s.py"),
        ([["s.py", "import json\njson.dump({}, open('out.json', 'w'))\n"], "python3 s.py"], "f"),
        ([["s.py", "open(f'{1 + 1}.csv', 'w').write('x')\n"], "python3 s.py"], "f"),
        ([["s.sh", "echo x > k\n"], "bash s.sh"], "f"),
        ([["s.sh", "ls | head\n"], "bash s.sh"], "s.sh"),
        (["python3 -c 'print(1)'"], "f"),
        (["echo x > f & wait; echo y > f"], "f"),
        (["rm f; touch f"], "f"),
        (["rm g; touch f"], "f"),
        (["ln -s d e; echo x > g"], "f"),
        (["sed -n 's/a/b/p; 3q' f; sed -i 's/g/h/' g"], "f"),
        (["cat g | grep -c e; git status"], "f"),
        (["exec 2> g; true", ["f", "tool\n"]], "f"),
        (["test -f f && echo x > f"], "f"),
        (["git init -q; git config user.name a; git status"], "f"),
        (["export PATH=$HOME/bin:$PATH; cat g"], "f"),
        (["pushd d; popd; echo x > f"], "f"),
    ],
    ids=str,
)
def test_what_cannot_reach_a_file_leaves_it_exact(
    steps: list[Any], name: str, folder: Path
) -> None:
    log = happened(steps, folder)
    fold = FileChanges()
    run_folds(log, fold)
    said = reconstruct(log, fold.changes, str(folder / name))
    held = (folder / name).read_text(encoding="utf-8")
    assert (said.certainty, said.text) == ("exact", held), said.reasons
