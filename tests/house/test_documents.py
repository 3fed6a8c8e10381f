"""What the documents mention exists, and what they promise to list is listed whole."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from benchwright.episodes.model import EndKind, Owner
from benchwright.scoring.model import ScoreRow
from tools.source import PACKAGE, ROOT

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
README = (ROOT / "README.md").read_text()
FORMAT = re.compile(r'"(benchwright\.[a-z-]+/\d+)"')


def parts_of_the_package() -> set[str]:
    folders = {f"{p.name}/" for p in PACKAGE.iterdir() if any(p.glob("*.py"))}
    return folders | {p.stem for p in PACKAGE.glob("[!_]*.py")}


def formats() -> set[str]:
    texts = (p.read_text() for p in PACKAGE.rglob("*") if p.suffix in (".py", ".toml"))
    return {name for text in texts for name in FORMAT.findall(text)}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_every_link_leads_to_a_file(path: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text())
    near = [link for link in links if not link.startswith("http")]
    assert [link for link in near if not (path.parent / link).exists()] == []


def test_the_readme_lists_every_part_of_the_package() -> None:
    listed = set(re.findall(r"`([a-z_]+/?)`", README.split("## What is in each folder")[1]))
    assert parts_of_the_package() - listed - {"testing"} == set()


def test_every_part_that_the_readme_lists_is_there() -> None:
    rows = [line for line in README.splitlines() if line.startswith("| `")]
    listed = {name for row in rows for name in re.findall(r"`([a-z_]+/?)`", row.split("|")[1])}
    assert listed - parts_of_the_package() == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_every_test_that_a_document_names_exists(path: Path) -> None:
    named = set(re.findall(r"`((?:tests|benchmarks|tools)/[\w/.]+)`", path.read_text()))
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_every_format_is_in_the_list_of_formats() -> None:
    listed = (ROOT / "docs" / "formats.md").read_text()
    assert sorted(name for name in formats() if f"`{name}`" not in listed) == []


def test_every_listed_format_is_written_or_read_somewhere() -> None:
    text = (ROOT / "docs" / "formats.md").read_text()
    assert set(re.findall(r"`(benchwright\.[a-z-]+/\d+)`", text)) - formats() == set()


def test_the_page_on_episodes_tells_every_end_owner_and_status() -> None:
    text = (ROOT / "docs" / "episodes.md").read_text()
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("|")]
    told = {word for cell in rows for word in re.findall(r"`(\w+)`", cell)}
    status = get_args(get_type_hints(ScoreRow)["status"])
    assert told == {*get_args(EndKind), *get_args(Owner), *status}


def test_the_changelog_begins_with_what_is_not_released() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert headings[0] == "Unreleased"


def test_every_requirement_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.match(r"[\w.-]+", line)[0].lower() for line in wanted}  # type: ignore[index]
    locked = {line.split("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert names - locked == set()


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path)]
    subprocess.run([*command, str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("benchwright/")}
    source = {
        p.relative_to(PACKAGE.parent).as_posix()
        for p in PACKAGE.rglob("*")
        if p.is_file() and "__pycache__" not in p.parts
    }
    assert packed == source


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_every_test_function_that_a_document_names_exists(path: Path) -> None:
    named = set(re.findall(r"(tests/[\w/]+\.py)::(test_\w+)", path.read_text()))
    absent = [
        f"{file}::{name}"
        for file, name in sorted(named)
        if not (ROOT / file).exists() or f"def {name}(" not in (ROOT / file).read_text()
    ]
    assert absent == []


DIAGNOSIS = tuple(
    ("R", first, last)
    for first, last in ((18, 22), (29, 31), (33, 33), (35, 36), (40, 45), (50, 63), (65, 66))
)


def test_the_coverage_list_has_every_row_of_this_version() -> None:
    ranges = (("T", 1, 66), ("T", 78, 78), ("T", 82, 83), ("B", 1, 80), *DIAGNOSIS)
    wanted = {f"{paper}{n}" for paper, first, last in ranges for n in range(first, last + 1)}
    listed = re.findall(r"^\| ([TBR]\d+) \|", (ROOT / "docs" / "coverage.md").read_text(), re.M)
    assert sorted(listed) == sorted(wanted)
