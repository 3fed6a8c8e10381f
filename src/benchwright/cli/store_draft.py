"""`store draft`: a corpus file from a folder of CSV files."""

from __future__ import annotations

from pathlib import Path

from benchwright.cli.output import emit_json, say, working
from benchwright.report.terminal import tame
from benchwright.report.words import counted
from benchwright.suites.telemetry.drafting import draft, write_draft


def run(folder: Path, out: Path | None, as_json: bool) -> int:
    """Draft, write, and say what is in it and what to do next."""
    with working(f"read {folder}"):
        made = draft(folder, out)
    write_draft(made)
    table = made.table.path if made.table is not None and made.table.text is not None else None
    if as_json:
        emit_json("store.draft", {
            "corpus": str(made.out),
            "points": table,
            "files": made.files,
            "sources": made.sources,
            "streams": made.streams,
            "checks": made.checks,
            "left_out": dict(made.left),
        })  # fmt: skip
        return 0
    say(
        f"{made.out}: {counted(made.streams, 'stream')} of {counted(made.files, 'file')} in "
        f"{counted(made.sources, 'source')}, {counted(made.checks, 'remark')} to check"
    )
    if table is not None:
        say(tame(f"table of points written beside it: {table}"))
    for path, reason in made.left:
        say(tame(f"left out: {path}: {reason}"))
    say(f"next: grep -A3 CHECK {made.out}; then benchwright store build {made.out} --out STORE")
    return 0
