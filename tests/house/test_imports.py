"""Imports point one way (design 1): inside functions and for types too."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tools.source import PACKAGE, Import, imports, module_name, python_files

ORDER = (
    *("errors", "canonical", "storage", "executors", "isolation", "trajectory", "tasks"),
    *("episodes", "scoring", "stats", "running", "checks", "diagnosis", "report", "suites"),
    *("export", "registry", "cli"),
)
LAST = len(ORDER)

# Modules that may import Inspect when they are imported themselves ...
INSPECT_MODULES = ("benchwright.registry", "benchwright.running.inspect_*")
# ... and those that may do so inside a function only.
INSPECT_INSIDE = ("benchwright.trajectory.readers.inspect_eval",)
HEAVY = ("inspect_ai", "pandas", "numba", "duckdb", "plotly", "scipy.stats")

EVERY = [found for path in python_files(PACKAGE) for found in imports(path)]
MODULES = {module_name(path) for path in python_files(PACKAGE)}


def first_level(dotted: str) -> str:
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "benchwright" else ""


def rank(part: str) -> int:
    """Place in the order; `testing` stands outside it, the bare package before it."""
    return ORDER.index(part) if part in ORDER else (LAST if part == "testing" else -1)


def allowed(found: Import) -> bool:
    own, other = first_level(found.importer), first_level(found.imported)
    if other not in ORDER and other != "testing":
        return True
    if own == "__main__":
        return True
    if own == "testing":
        return other != "cli"
    return own == other or rank(other) < rank(own)


def place(found: Import) -> str:
    return f"{found.importer}:{found.line} imports {found.imported}"


def test_every_first_level_name_has_a_place_in_the_order() -> None:
    names = {p.stem for p in PACKAGE.iterdir() if p.suffix == ".py" or any(p.glob("*.py"))}
    assert names - {"__init__", "__main__", "testing", "__pycache__"} <= set(ORDER)


def test_no_module_imports_upward() -> None:
    assert [place(found) for found in EVERY if not allowed(found)] == []


def test_an_upward_import_would_be_seen() -> None:
    planted = Import("benchwright.tasks.model", "benchwright.scoring.model.Score", 1, top=False)
    downward = Import("benchwright.scoring.model", "benchwright.tasks.model.Task", 1, top=True)
    assert not allowed(planted)
    assert allowed(downward)


def test_inspect_is_imported_only_where_it_is_used() -> None:
    users = [found for found in EVERY if found.imported.split(".")[0] == "inspect_ai"]
    strangers = [
        place(found)
        for found in users
        if not any(fnmatch(found.importer, name) for name in INSPECT_MODULES)
        and (found.top or found.importer not in INSPECT_INSIDE)
    ]
    assert strangers == []


def test_modules_that_need_inspect_are_imported_only_when_needed() -> None:
    def needs(name: str) -> bool:
        return any(
            fnmatch(name, pattern + end) for pattern in INSPECT_MODULES for end in ("", ".*")
        )

    eager = [f for f in EVERY if f.top and needs(f.imported) and not needs(f.importer)]
    assert [place(found) for found in eager] == []


def test_private_names_stay_in_their_folder() -> None:
    private = [
        place(found)
        for found in EVERY
        if first_level(found.imported)
        and first_level(found.imported) != first_level(found.importer)
        and any(re.match("_(?!_)", part) for part in found.imported.split("."))
    ]
    assert private == []


def test_relative_imports_are_resolved_by_the_reader(tmp_path: Path) -> None:
    from tools.source import _imported

    node = ast.parse("from ..tasks import model").body[0]
    assert isinstance(node, ast.ImportFrom)
    assert _imported(node, "benchwright.scoring.rows", False) == ["benchwright.tasks.model"]
    assert _imported(node, "benchwright.scoring", True) == ["benchwright.tasks.model"]


@pytest.mark.parametrize("module", ["benchwright", "benchwright.errors", "benchwright.cli"])
def test_importing_it_loads_nothing_heavy(module: str) -> None:
    if module not in MODULES:
        pytest.skip(f"{module} is not there")
    code = f"import sys, {module}; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
