"""Built sets and raw files for the audit, and what is known to differ for now."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchwright.suites.telemetry.corpus.generated.make import with_files
from benchwright.suites.telemetry.corpus.load import load_corpus


def build(name: str, folder: Path) -> Path:
    """A shipped set, built by the command line."""
    line = [sys.executable, "-m", "benchwright", "build", f"telemetry/{name}", "--out", str(folder)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return folder


def generated(name: str, folder: Path, real: Path | None = None) -> Path:
    """The generated files of a corpus, with its real ones linked beside them."""
    folder.mkdir()
    corpus = load_corpus(name) if real is None else load_corpus(name, real)
    with_files(corpus, folder)
    if real is not None:
        for path in real.iterdir():
            (folder / path.name).symlink_to(path)
    return folder


def gold(folder: Path, task: str) -> dict[str, Any]:
    """The stated row of a task."""
    found: dict[str, Any] = json.loads((folder / "held" / task / "gold.json").read_text())
    return found


def tasks(folder: Path, family: str, variant: str = "usual") -> list[str]:
    """Tasks of a family and variant, by name."""
    every = sorted(p.parent.name for p in (folder / "held").glob("*/gold.json"))
    wanted = (family, variant)
    identities = ((task, gold(folder, task)["identity"]) for task in every)
    return [task for task, i in identities if (i["family"], i["variant"]) == wanted]
