"""Every part of a row but its provenance is found where it was edited; rows that are none are told.

What counts as provenance is the list in docs/families.md, and nothing else.
"""

from __future__ import annotations

import copy
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchwright.suites.telemetry.audit import audit, contract
from benchwright.suites.telemetry.audit.entry import MALFORMED
from benchwright.suites.telemetry.audit.findings import Report
from benchwright.suites.telemetry.audit.raw.load import streams
from benchwright.suites.telemetry.audit.rows.compare import compare
from benchwright.suites.telemetry.audit.rows.handles import Handles
from benchwright.suites.telemetry.audit.world import World
from tests.telemetry.house import house
from tests.telemetry.sets import Built, build_into

PAGE = Path(__file__).resolve().parents[3] / "docs" / "families.md"
Path_ = tuple[str | int, ...]


@dataclass(frozen=True)
class Ready:
    """A set, its raw files, the audit's world, and what it knows once all rows are compared."""

    built: Built
    data: Path
    world: World
    known: Handles

    def notices(self, task: str, row: dict[str, Any]) -> bool:
        """Whether the audit finds anything in a row."""
        handles = Handles(Report())
        handles.of_question |= self.known.of_question
        handles.questions |= self.known.questions
        try:
            compare(self.world, handles, task, row, turns=True)
        except MALFORMED:
            return True  # a row that is none
        return bool(handles.report.findings)


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Ready:
    folder = tmp_path_factory.mktemp("edited")
    built = build_into(house(folder / "data", most=3), folder / "set")
    corpus = contract.load(built.path / "held" / "shared" / "corpus.toml")
    world = World(corpus, streams(corpus, folder / "data", Report()))
    known = Handles(Report())
    for task, row in built.golds.items():
        compare(world, known, task, row, turns=True)
    assert known.report.findings == []
    return Ready(built, folder / "data", world, known)


def provenance() -> list[re.Pattern[str]]:
    """The list of the page; `*` stands for one name or number."""
    text = PAGE.read_text(encoding="utf-8").split("### What the audit does not look at")[1]
    names = re.findall(r"^\| (`.+`) \|", text.split("\n## ")[0], re.MULTILINE)
    every = [name for line in names for name in re.findall(r"`([^`]+)`", line)]
    assert len(every) > 8
    wild = (re.escape(name).replace(r"\*", r"[^.]+") for name in every)
    return [re.compile(rf"{name}(\..+)?") for name in wild]


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    for name, part in parts:
        yield from leaves(part, (*path, name))
    if not parts or not value:
        yield path


def other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        last = {"0": "1"}.get(value[-1:], "0")
        return value[:-1] + last if re.fullmatch(r"r?[0-9a-f]{12,}", value) else value + "!"
    return {dict: {"x": 1}, list: ["x"]}.get(type(value), "x")


def edited(row: Any, path: Path_) -> dict[str, Any]:
    made = copy.deepcopy(row)
    within = made
    for name in path[:-1]:
        within = within[name]
    within[path[-1]] = other(within[path[-1]])
    assert isinstance(made, dict)
    return made


def test_an_edit_of_any_part_but_provenance_is_noticed(ready: Ready) -> None:
    passed_over, seen, missed = provenance(), set(), set()
    passed_over.append(re.compile("split"))  # compared with the selection, before the row is
    for task, row in ready.built.golds.items():
        for path in leaves(row):
            name = ".".join(map(str, path))
            kind = (row["identity"]["family"], re.sub(r"\.\d+", ".*", name))
            if _surface(row, path) or kind in seen or any(p.fullmatch(name) for p in passed_over):
                continue
            seen.add(kind)
            if not ready.notices(task, edited(row, path)):
                missed.add(kind)
    assert missed == set()
    assert len(seen) > 800


def test_what_the_page_calls_provenance_is_not_looked_at(ready: Ready) -> None:
    (task, row), *_ = ready.built.golds.items()
    for pattern in provenance():
        paths = [p for p in leaves(row) if pattern.fullmatch(".".join(map(str, p)))]
        for path in paths[:1]:
            assert not ready.notices(task, edited(row, path)), path


def _surface(row: Any, path: Path_) -> bool:
    """The three fields of a resolved point that the page passes over too."""
    if path[-1] not in ("count", "coverage", "flags") or "answer" not in path:
        return False
    call = row
    for name in path[: path.index("answer")]:
        call = call[name]
    return bool(call["operation"] == "resolve_point")


REMOVED = ("gold", "duties", "script", "identity", "evidence", "query", "points", "reads")


def test_rows_that_are_none_have_one_problem_each_and_the_others_are_told(
    ready: Ready, tmp_path: Path
) -> None:
    shutil.copytree(ready.built.path / "held", tmp_path / "set" / "held")
    names = sorted(ready.built.golds)
    files = [tmp_path / "set" / "held" / name / "gold.json" for name in names]
    for file, part in zip(files, REMOVED, strict=False):
        row = json.loads(file.read_text())
        del row[part]
        file.write_text(json.dumps(row))
    wrong = {len(REMOVED): b"[1, 2]", len(REMOVED) + 1: b"{", len(REMOVED) + 2: b"[" * 100_000}
    wrong[len(REMOVED) + 3] = b'{"identity": null}'
    wrong[len(REMOVED) + 4] = b"\xff\xfe"
    for place, data in wrong.items():
        files[place].write_bytes(data)
    last = len(REMOVED) + len(wrong)
    row = json.loads(files[last].read_text())
    row["gold"]["reason"] = "another"
    files[last].write_text(json.dumps(row))
    found = audit(tmp_path / "set", ready.data)
    assert [f.row for f in found.findings] == names[: last + 1]
    assert [f.field for f in found.findings] == ["row"] * last + ["gold.reason"]


@pytest.mark.parametrize(
    "name", ["candidates.json", "thresholds.json", "margins.json", "selection.txt"]
)
def test_a_shared_file_that_cannot_be_read_is_a_finding(
    ready: Ready, tmp_path: Path, name: str
) -> None:
    shutil.copytree(ready.built.path / "held", tmp_path / "set" / "held")
    (tmp_path / "set" / "held" / "shared" / name).write_bytes(b"[\xff]")
    found = audit(tmp_path / "set", ready.data)
    assert any(f.row.startswith("held/shared: ") for f in found.findings)
