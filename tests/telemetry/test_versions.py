"""The same exports under other Pythons and other DuckDBs, as far as any are named.

BENCHWRIGHT_PYTHONS: interpreters that have the extra `telemetry`; BENCHWRIGHT_DUCKDBS: folders with
another duckdb, as `pip install --target` makes them. Both are lists like PATH.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = """
import json, sys
from pathlib import Path
import duckdb
from benchwright.suites.telemetry.corpus.load import load_corpus
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.open import Store
store = Store(build_store(load_corpus("demo"), Path(sys.argv[1])))
version = [sys.version.split()[0], duckdb.__version__]
print(json.dumps({"version": version, "exports": store.marks["exports"]}))
"""
NAMED = {name: os.environ.get(name, "") for name in ("BENCHWRIGHT_PYTHONS", "BENCHWRIGHT_DUCKDBS")}


def built(python: str, duckdb: str, root: Path, out: Path) -> dict[str, object]:
    path = ":".join(filter(None, [duckdb, str(root / "src")]))
    done = subprocess.run(
        [python, "-c", BUILD, str(out)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", NAMED)
def test_every_named_version_gives_the_same_exports(kind: str, root: Path, tmp_path: Path) -> None:
    others = [entry for entry in NAMED[kind].split(os.pathsep) if entry]
    if not others:
        pytest.skip(f"no other version here: name some in {kind}")
    own = built(sys.executable, "", root, tmp_path / "own")
    for number, entry in enumerate(others):
        python, duckdb = (entry, "") if kind == "BENCHWRIGHT_PYTHONS" else (sys.executable, entry)
        other = built(python, duckdb, root, tmp_path / str(number))
        assert other["version"] != own["version"]
        assert other["exports"] == own["exports"]
