"""`log`: what an agent's log holds, whichever agent wrote it."""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.cli import log_print
from benchwright.cli.output import emit_json, say
from benchwright.errors import FormatError, SpecError
from benchwright.report.terminal import tame
from benchwright.storage import replacing
from benchwright.trajectory.files.history import FileChanges
from benchwright.trajectory.files.reconstruct import matching, reconstruct
from benchwright.trajectory.folds import run_folds
from benchwright.trajectory.log import Log, open_log
from benchwright.trajectory.searches import Searches
from benchwright.trajectory.spoken import spoken
from benchwright.trajectory.timeline import Timeline


def timeline(path: Path, dialect: str | None, as_json: bool) -> int:
    """What happened, one line each."""
    log, fold = opened(path, dialect), Timeline()
    run_folds(log, fold)
    if as_json:
        emit("timeline", log, {"entries": fold.entries})
    else:
        log_print.timeline(log, fold.entries)
        print_notes(log)
    return 0


def files(path: Path, dialect: str | None, as_json: bool) -> int:
    """Which files were changed, by which calls, and how each call ended."""
    log, fold = opened(path, dialect), FileChanges()
    run_folds(log, fold)
    if as_json:
        emit("files", log, {"paths": fold.changed(), "changes": fold.changes})
    else:
        log_print.files(log, fold)
        print_notes(log)
    return 0


def rebuild(
    path: Path,
    name: str,
    dialect: str | None,
    before: int | None,
    workspace: Path | None,
    as_json: bool,
) -> int:
    """What a file held; exit 1 where that is not in the log, or the name fits several files.

    before: a line number, to stop at calls of that line or later; workspace: the real folder at
    the end, which wins where it has the file. Not both.
    """
    if before is not None and workspace is not None:
        raise SpecError(
            "the folder at the end says nothing about a line before it",
            value=before,
            where="--before with --workspace",
            hint="Leave one of the two options out.",
        )
    if before is not None and before < 1:
        raise SpecError(
            "no line has such a number",
            value=before,
            where="--before",
            hint="Lines of a log are numbered from 1.",
        )
    if workspace is not None and not workspace.is_dir():
        raise SpecError(
            "no folder of the workspace",
            value=str(workspace),
            where="--workspace",
            hint="Give the folder that the agent left, or leave the option out.",
        )
    log, fold, name = opened(path, dialect), FileChanges(), _utf8(name)
    run_folds(log, fold)
    paths = fold.paths()
    found = matching(paths, name)
    if not found and workspace is not None:
        found = [name]
    if len(found) != 1:
        return _no_single(log, name, found, fold.changed(), as_json)
    answer = reconstruct(log, fold.changes, found[0], before=before, workspace=workspace)
    if as_json:
        emit("reconstruct", log, {"answer": answer})
    else:
        log_print.answer(answer)
    return 0 if answer.certainty != "unavailable" and answer.exists is not False else 1


def searches(path: Path, dialect: str | None, local: bool, as_json: bool) -> int:
    """What the agent looked up, where, and what came back."""
    log, fold = opened(path, dialect), Searches(local=local)
    run_folds(log, fold)
    if as_json:
        emit("searches", log, {"searches": fold.searches})
    else:
        log_print.searches(log, fold.searches)
        print_notes(log)
    return 0


def words(path: Path, dialect: str | None, everyone: bool, as_json: bool) -> int:
    """What was said, whole."""
    log = opened(path, dialect)
    if as_json:
        emit("text", log, {"messages": list(spoken(log, everyone=everyone))})
        return 0
    count = log_print.messages(spoken(log, everyone=everyone))
    if not count:
        print(f"no words in this log ({log.dialect.title})", file=sys.stderr)
    print_notes(log)
    return 0


def atif(path: Path, dialect: str | None, out: Path | None, as_json: bool = False) -> int:
    """The log as ATIF v1.8: one document, or one a line where the log holds several runs.

    As JSON: where it was written, how many documents there are, and what ATIF cannot hold.
    """
    from benchwright.trajectory.to_atif.convert import write_atif

    if as_json and out is None:
        raise SpecError(
            "ATIF and the document about it would both go to stdout",
            value="--json",
            where="--out",
            hint="Name a file for the ATIF with --out, or leave --json out.",
        )
    if out is not None and out.is_dir():
        raise SpecError(
            "output is a folder", value=str(out), where="--out", hint="Name a file in it."
        )
    log = opened(path, dialect)
    if out is None:
        conversion = write_atif(log, sys.stdout)
        if conversion.documents:
            say("")
    else:
        if out.exists() and out.samefile(path):
            raise SpecError(
                "output is the log itself",
                value=str(out),
                where="--out",
                hint="Choose another file; logs are never changed.",
            )
        with tempfile.TemporaryFile() as kept:
            text = io.TextIOWrapper(kept, encoding="utf-8", errors="replace")
            conversion = write_atif(log, text)
            text.write("\n")
            text.flush()
            kept.seek(0)
            if conversion.documents:
                with replacing(out) as file:
                    shutil.copyfileobj(kept, file)
    if as_json:
        written = _utf8(str(out)) if conversion.documents else None
        told = {"out": written, "documents": conversion.documents, "losses": conversion.losses}
        emit("atif", log, told)
        return 0 if conversion.documents else 1
    for loss in conversion.losses:
        print(f"not in ATIF: {loss.count} x {loss.what}", file=sys.stderr)
    if not conversion.documents:
        print("the log holds no step: nothing was written", file=sys.stderr)
    print_notes(log)
    return 0 if conversion.documents else 1


def opened(path: Path, dialect: str | None) -> Log:
    """The log; where a dialect is named that it does not look like, stderr says so."""
    log = open_log(path, dialect)
    if dialect is not None:
        try:
            seen = open_log(path).dialect.name
        except FormatError:
            seen = dialect
        if seen != dialect:
            print(f"note: read as {dialect}, it looks like {seen}", file=sys.stderr)
    return log


def _utf8(name: str) -> str:
    """A name from the command line, with a sign for bytes that are no text."""
    return os.fsencode(name).decode("utf-8", "replace")


def emit(verb: str, log: Log, data: Mapping[str, Any]) -> None:
    """One JSON document with the dialect, what was skipped, and `data`."""
    notes = {kind: count for kind, count in sorted(log.notes.counts.items())}
    emit_json(
        f"log.{verb}",
        {"log": _utf8(str(log.path)), "dialect": log.dialect.name, "notes": notes, **data},
    )


def _no_single(
    log: Log, name: str, found: Sequence[str], changed: Iterable[str], as_json: bool
) -> int:
    if as_json:
        emit("reconstruct", log, {"answer": None, "name": name, "fits": list(found)})
    elif found:
        print(f"{name} fits {len(found)} files; name one of them:", file=sys.stderr)
        for path in found:
            say(tame(path))
    else:
        _never_changed(log, name, list(changed))
    return 1


def _never_changed(log: Log, name: str, changed: Sequence[str]) -> None:
    if not changed:
        print(
            f"{tame(name)} was never changed in this log, and no other file was by name; commands "
            f"that can change any: benchwright log files {tame(_utf8(str(log.path)))}",
            file=sys.stderr,
        )
        return
    print(f"{tame(name)} was never changed in this log; changed were:", file=sys.stderr)
    for path in changed[:40]:
        say(tame(path))
    if len(changed) > 40:
        print(f"and {len(changed) - 40} more", file=sys.stderr)


def print_notes(log: Log) -> None:
    """What was skipped, on stderr."""
    for line in log.notes.lines():
        print(f"note: {tame(line)}", file=sys.stderr)
