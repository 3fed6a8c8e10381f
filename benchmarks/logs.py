"""The logs bar: real logs multiplied to 200 MB, read in one pass, beside `json.loads` per line.

For each dialect: speed of timeline, files, searches, metrics and ATIF, each in a process of its own
with its memory above the imports. Then histories of files against the truth that the logs hold.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.bar import Bar
from benchmarks.log_copies import long_document, long_lines
from benchmarks.log_fold import FOLDS
from benchmarks.log_truth import histories

LIMIT: Final = 64_000_000
ROOT: Final = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Source:
    """Where a long log of a dialect comes from."""

    dialect: str
    make: Callable[[Path, Path], None]
    """(folder of real logs, file to write)"""
    suffix: str = ".jsonl"


def _lines(pattern: str, once: tuple[bytes, ...] = ()) -> Callable[[Path, Path], None]:
    def make(logs: Path, out: Path) -> None:
        found = sorted(logs.glob(pattern))
        long_lines(found, out, lambda line: not any(mark in line[:200] for mark in once))

    return make


def _document(pattern: str, array: str) -> Callable[[Path, Path], None]:
    def make(logs: Path, out: Path) -> None:
        source = sorted(logs.glob(pattern))[0]
        shutil.copyfile(source, out.with_name(f"small-{out.name}"))
        long_document(source, array, out)

    return make


SOURCES: Final = (
    Source("claude-session", _lines("claude_session/entire_*.jsonl")),
    Source("claude-stream", _lines("claude_stream/trackgentic_mp9*.jsonl", (b'"init"',))),
    Source("codex-rollout", _lines("codex_rollout/agentcmd_*.jsonl", (b'"session_meta"',))),
    Source("codex-exec", _lines("codex_exec/takopi_opencode_codex.jsonl", (b"thread.started",))),
    Source("gemini-stream", _lines("recorded/gemini/stdout.jsonl", (b'"init"', b'"result"'))),
    Source("gemini-chat", _document("recorded/gemini/two_turn*.json", "messages"), ".json"),
    Source("opencode-run", _lines("opencode_run/takopi_opencode_opencode.jsonl")),
    Source("opencode-export", _document("recorded/opencode/export.json", "messages"), ".json"),
    Source("inspect-json", _document("inspect/*_browser.json", "samples"), ".json"),
    Source("atif", _document("atif/terminus_2_hello-world-timeout*.json", "steps"), ".json"),
)


def measure() -> Iterator[Bar]:
    """Speeds and memory of every dialect, then the histories."""
    logs = Path(os.environ.get("BENCHWRIGHT_SHARED", ROOT.parent / "shared")) / "logs"
    if not logs.is_dir():
        yield Bar(
            "logs", "real logs", "not here: name their folder in BENCHWRIGHT_SHARED", "", None
        )
        return
    yield from histories(logs)
    for source in SOURCES:
        with tempfile.TemporaryDirectory(prefix="benchwright-logs-") as folder:
            path = Path(folder) / f"long{source.suffix}"
            source.make(logs, path)
            yield from _speeds(source.dialect, path)


def _speeds(dialect: str, path: Path) -> Iterator[Bar]:
    size = path.stat().st_size
    found = {name: _child(name, path) for name in FOLDS}
    rates = {name: size / 1e6 / result["seconds"] for name, result in found.items()}
    said = ", ".join(f"{name} {rates[name]:.0f}" for name in FOLDS if name != "json")
    yield Bar(
        "logs",
        f"{dialect}, {size / 1e6:.0f} MB: speed",
        f"MB/s: {said}; json.loads {rates['json']:.0f}",
        "",
        None,
    )
    held = {name: result["bytes"] for name, result in found.items() if name != "json"}
    worst = max(held, key=lambda name: held[name])
    figure = ", ".join(f"{name} {value / 1e6:.0f}" for name, value in held.items())
    yield Bar(
        "logs",
        f"{dialect}, {size / 1e6:.0f} MB: memory above the imports",
        f"MB: {figure}",
        "64 MB",
        held[worst] <= LIMIT,
    )


def _child(name: str, path: Path) -> dict[str, Any]:
    small = path.with_name(f"small-{path.name}")
    if not small.exists() and path.suffix == ".jsonl":
        with path.open("rb") as file, small.open("wb") as out:
            shutil.copyfileobj(_Head(file, 400), out)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.log_fold", name, str(path)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    result: dict[str, Any] = json.loads(done.stdout)
    return result


class _Head:
    """The first lines of a file, as a file."""

    def __init__(self, file: Any, lines: int) -> None:
        self._file, self._left = file, lines

    def read(self, _: int = -1) -> bytes:
        self._left -= 1
        return self._file.readline() if self._left >= 0 else b""
