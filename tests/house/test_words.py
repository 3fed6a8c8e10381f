"""Committed files name no registry, no machine and no tool of anybody's workplace."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tools.source import ROOT

# Put together from halves, so that this file does not hold what it forbids.
FORBIDDEN = {
    "a registry": [
        "pypi" + r"\.org",
        "python" + "hosted",
        "registry" + r"\.npmjs",
        "--index" + "-url ",
    ],
    "a path of a machine": [
        r"(?<![\w.])/" + "work/",
        r"(?<![}\w])/" + r"root/\.(pyenv|cache|local)",
        "/tmp" + "/w/",
    ],
    "a mirror": ["/opt/" + "wheels", "/opt/" + "pypi", "find" + "-links"],
    "a workplace": [
        "BRIEF" + r"\.md",
        "issues" + r" (show|reply|list)\b",
        r"\bsub-?" + "session",
        "co-?" + "worker",
    ],
}


def committed() -> list[Path]:
    """Files under version control, or every file outside caches where there is no git."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        return [p for name in done.stdout.split("\0") if name and (p := ROOT / name).is_file()]
    hidden = (".venv", ".git", "__pycache__", "demo")
    return [p for p in ROOT.rglob("*") if p.is_file() and not set(hidden) & set(p.parts)]


def text_of(path: Path) -> str:
    return path.read_bytes().decode(errors="ignore")


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_no_committed_file_names(kind: str) -> None:
    pattern = re.compile("|".join(FORBIDDEN[kind]))
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in committed()
        for match in [pattern.search(text_of(path))]
        if match
    ]
    assert found == []


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("a registry", "https://pypi" + ".org/simple"),
        ("a path of a machine", "see /" + "work/main"),
        ("a mirror", "file:///opt/" + "wheels"),
        ("a workplace", "as BRIEF" + ".md says"),
    ],
)
def test_a_planted_word_would_be_found(kind: str, line: str) -> None:
    assert re.search("|".join(FORBIDDEN[kind]), line)


def test_the_lock_holds_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert lines
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.+!]+( ; .+)?", line)] == []


def test_no_real_data_is_committed(shared: Path) -> None:
    real = {p.stat().st_size for p in (shared / "data").rglob("*") if p.stat().st_size > 2_000}
    suspects = [p for p in committed() if p.stat().st_size in real]
    contents = (
        {p.read_bytes() for p in (shared / "data").rglob("*") if p.is_file()} if suspects else set()
    )
    assert [p for p in suspects if p.read_bytes() in contents] == []
