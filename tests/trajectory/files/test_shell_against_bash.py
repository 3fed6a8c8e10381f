"""What bash really leaves behind, against what is said: an exact answer is the file."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from benchwright.trajectory.events import Anchor, Begin, Call, Event, Result
from benchwright.trajectory.files.history import FileChanges
from benchwright.trajectory.files.reconstruct import reconstruct
from benchwright.trajectory.folds import run_folds

SEED = {"f": "one\ntwo\n", "g": "gee\n", "d/f": "inner\n", "d/h": "aitch\n"}

REDIRECTS = [
    "echo x > f > g", "echo x 1>f 2>g", "echo x > f >&2", "ls nofile 2> f",
    "exec 3> f; echo hi >&3",
    "X=f; echo a > $X", "echo a > *f", "set -C; echo x > f; true", "cat > f <<'E' > g\nx\nE",
    "cat <<E > f\n$(echo q > g)\nE", "echo x &> f", "echo x >| f", "echo 12>f",
]  # fmt: skip
WORDS = [
    "echo * > f", "echo [fg] > f", "echo ~ > f", "echo {a,b} > f", "echo $'\\101' > f",
    "echo $'a\\\\n' > f", 'echo $"hi" > f', "sh -c 'echo \"a\\nb\" > f'", "rm {f,g}", "rm [f]",
    "cp d/* .", "mv d/* .", "echo '*' > f",
]  # fmt: skip
FOLDERS = [
    "cd nofolder; echo x > f", "pushd d; echo x > f; popd; echo y > f", "cd d; cd -; echo x > f",
    "cd -P d; echo x > f", "builtin cd d; echo x > f", "bash -c 'cd d'; echo y > f",
    "(cd d; ls); (echo x > f)", "cd d | echo x > f", "cd d & echo x > f; wait",
    "if cd d; then echo x > f; fi; echo y > g", "for x in d; do cd $x; done; echo x > f",
    "env -C d tee f <<< x", "env -C d bash -c 'echo x > f'", "cd d extra; echo x > f",
    "eval 'cd d'; echo x > f", "cd $PWD/d; echo x > f", "cd d && echo x > f", "(cd d; echo x > f)",
]  # fmt: skip
FLOW = [
    "false && echo x > f; true", "[[ -f nofile ]] && echo x > f; true",
    "grep nothing f && rm f; true", "exit 0; echo x > f", "(exit 0; echo x > f)",
    "bash -c 'exit 0; echo x > f'", "bash -nc 'echo x > f'", "set -n; echo x > f",
    "echo() { builtin echo no; }; echo x > f", "timeout 0.01 sh -c 'sleep 1; echo x > f'; true",
    "test -s f && mv f k; true", "! true && echo x > f; true", "(set -e; false; echo x > f); true",
    "bash -ec 'false; echo x > f'; true", "trap 'rm -f k' EXIT; echo x > k",
    "cat 3<<'E' > f\nx\nE", "function cd { :; }; cd d; echo x > f", "echo a=~ > f",
    "echo x > nofolder/k; true", "mkdir -p e && echo x > e/f; true",
]  # fmt: skip
PROGRAMS = [
    "cp -n f g", "mv -n f g", "cp -u f g", "cp -l f k; echo more >> f", "mv f f; true",
    "cp f nofolder/x; true", "rm -i f < /dev/null", "sort -o f g", "uniq f g",
    "awk 'BEGIN{print 1 > \"f\"}'", "find . -name f -fprint g", "echo 'echo q > f' | bash",
    "echo f | xargs -I{} sh -c 'echo q > {}'", "mv f g", "cp f d",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "w" / "d").mkdir(parents=True)
    for name, text in SEED.items():
        (tmp_path / "w" / name).write_text(text, encoding="utf-8")
    return tmp_path / "w"


def ran(script: str, folder: Path) -> list[Event]:
    """The log of an agent that wrote the files and ran the script, which runs here for real."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=env, capture_output=True, text=True, timeout=20,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    events: list[Event] = [Begin(Anchor(1, 0, 1), "s", "claude-code", cwd=str(folder))]
    for number, (name, text) in enumerate(SEED.items(), start=2):
        wrote = {"file_path": str(folder / name), "content": text}
        events += pair(number, "Write", wrote, "")
    said = done.stdout + done.stderr
    return events + pair(9, "Bash", {"command": script}, said, failed=done.returncode != 0)


def pair(
    number: int, name: str, arguments: dict[str, str], said: str, *, failed: bool = False
) -> list[Event]:
    anchor, key = Anchor(number, number, number + 1), f"c{number}"
    call = Call(anchor, key, name, "shell" if name == "Bash" else "write", arguments)
    return [call, Result(anchor, key, "failed" if failed else "ok", said)]


@pytest.mark.parametrize("script", [*REDIRECTS, *WORDS, *FOLDERS, *FLOW, *PROGRAMS])
def test_what_is_called_exact_is_what_bash_left(script: str, folder: Path) -> None:
    log = ran(script, folder)
    fold = FileChanges()
    run_folds(log, fold)
    left = {str(p) for p in folder.rglob("*") if p.is_file()}
    for path in sorted({*fold.paths(), *left}):
        said, real = reconstruct(log, fold.changes, path), Path(path)
        if said.certainty == "exact" and path.startswith(str(folder)) and not real.is_dir():
            held = real.read_text(encoding="utf-8") if real.is_file() else None
            assert (path, said.text if said.exists else None) == (path, held)


@pytest.mark.parametrize(
    ("script", "name"),
    [
        ("echo x > f", "f"), ("cd d && echo x > f", "d/f"), ("(cd d; echo x > f)", "d/f"),
        ("mkdir -p e && echo x > e/f; true", "e/f"), ("pushd d; popd; echo x > f", "f"),
        ("cat > f <<'E'\nx $y\nE", "f"), ("mv f g", "g"), ("echo '*' > f", "f"),
        ("echo x > d/\\\nf", "d/f"), ("echo a\\\nb > f", "f"), ("cp -rf \\\n g f", "f"),
        ("python3 -m tarfile -l k.tar; true", "f"),
    ],
)  # fmt: skip
def test_plain_scripts_stay_exact(script: str, name: str, folder: Path) -> None:
    log = ran(script, folder)
    fold = FileChanges()
    run_folds(log, fold)
    said = reconstruct(log, fold.changes, str(folder / name))
    assert (said.certainty, said.text) == ("exact", (folder / name).read_text(encoding="utf-8"))
