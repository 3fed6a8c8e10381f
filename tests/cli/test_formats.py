"""No name means two things: no file is called as a document of `--json`; former names open."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import typer

from benchwright.cli import app
from benchwright.episodes.folder import RunFolder
from benchwright.report.page import Page
from benchwright.report.site import Site
from benchwright.storage import read_json
from benchwright.tasks.taskset import HeldSet
from tools.source import PACKAGE, ROOT

FORMER = Path(__file__).parent / "former"
"""Files that say the names which they had before; as they were written then."""
PLANNED = {"compare", "diagnose", "store", "export"}
"""Verbs that are still to come."""
NAME = re.compile(r"\bbenchwright\.([a-z-]+)/\d+")


def verbs() -> set[str]:
    return {*getattr(typer.main.get_command(app), "commands", {})} | PLANNED


def test_no_file_has_the_name_of_a_verb() -> None:
    texts = (p.read_text() for p in PACKAGE.rglob("*") if p.suffix in (".py", ".toml"))
    written = {name for text in texts for name in NAME.findall(text)}
    listed = set(NAME.findall((ROOT / "docs" / "formats.md").read_text().split("## Output")[0]))
    assert {"run", "build", "report", "agents"} <= verbs()
    assert len(listed) > 20 and (written | listed) & verbs() == set()


def test_files_that_say_their_former_names_are_read() -> None:
    assert RunFolder(FORMER).record is not None
    assert HeldSet(FORMER / "held").build is not None
    names = [(FORMER / path).read_text() for path in ("run.toml", "held/shared/build.toml")]
    assert ["benchwright.run/1" in names[0], "benchwright.build/1" in names[1]] == [True, True]


def test_a_report_that_says_its_former_name_is_replaced(tmp_path: Path) -> None:
    out = shutil.copytree(FORMER / "report", tmp_path / "report")
    assert read_json(out / "report.json") == {"format": "benchwright.report/1"}
    site = Site(out, "again")
    site.add(Page("index.html", "t", []))
    site.close()
    assert read_json(out / "report.json") == {"format": "benchwright.report-record/1"}
