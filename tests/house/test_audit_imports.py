"""The second implementation shares nothing with the first: the standard library and itself only."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tools.source import PACKAGE, Import, imports, python_files

AUDIT = "benchwright.suites.telemetry.audit"
FILES = python_files(PACKAGE / "suites" / "telemetry" / "audit")


def foreign(found: Import) -> bool:
    top = found.imported.split(".")[0]
    own = found.imported == AUDIT or found.imported.startswith(AUDIT + ".")
    return top not in sys.stdlib_module_names and not own


def test_the_audit_imports_the_standard_library_and_itself() -> None:
    every = [found for path in FILES for found in imports(path)]
    assert len(every) > 100
    assert [f"{f.importer}:{f.line} imports {f.imported}" for f in every if foreign(f)] == []


def test_an_import_of_the_builder_would_be_seen() -> None:
    for name in ("benchwright.canonical", "benchwright.suites.telemetry.store.rows", "numpy"):
        assert foreign(Import(f"{AUDIT}.entry", name, 1, top=True))


def test_it_works_where_nothing_else_is_installed(tmp_path: Path) -> None:
    alone = tmp_path / "benchwright" / "suites" / "telemetry" / "audit"
    shutil.copytree(PACKAGE / "suites" / "telemetry" / "audit", alone)
    code = f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; import {AUDIT} as a; print(a.__file__)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout.strip(), done.stderr) == (str(alone / "__init__.py"), "")
