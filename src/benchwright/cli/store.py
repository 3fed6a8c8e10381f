"""`store`: a corpus as a store, one question to it, or all of them over MCP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright.canonical import canonical_json, plain
from benchwright.cli.output import emit_json, say, working
from benchwright.cli.store_doubts import doubts, lines
from benchwright.errors import SpecError
from benchwright.report.terminal import tame
from benchwright.report.words import counted
from benchwright.storage import nearest
from benchwright.suites.telemetry.corpus.beside import unlisted
from benchwright.suites.telemetry.corpus.load import load_corpus
from benchwright.suites.telemetry.operations import operations
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.session import Operation, answered

_SHOWN = 5


def build(corpus: str, out: Path, data: Path | None, as_json: bool) -> int:
    """Build a store and say what is in it."""
    read = load_corpus(corpus, data)
    with working("read files, build store"):
        store = Store(build_store(read, out))
    ((observations,),) = store.rows('SELECT sum("count") FROM raw_stream_index')
    counts = {
        "streams": len(store.points),
        "unmatched": len(store.unmatched),
        "observations": int(observations or 0),
    }
    beside = unlisted(read)
    if as_json:
        said = {"store": str(out), **counts, "exports": store.marks["exports"]}
        emit_json("store.build", {**said, "unlisted": beside})
        return 0
    say(
        f"{counts['streams']:,} streams with {counts['observations']:,} observations in {out}, "
        f"{counts['unmatched']:,} streams left out"
    )
    if beside:
        named = ", ".join(beside[:_SHOWN]) + (", ..." if len(beside) > _SHOWN else "")
        lie = f"{counted(len(beside), 'file')} beside the listed ones"
        say(tame(f"not in {corpus}, so not read: {lie}: {named}"))
    return 0


def query(folder: Path, name: str, given: list[str], as_json: bool) -> int:
    """Ask one operation; 1 where it refuses."""
    store = Store(folder)
    operation = _operation(store, name)
    found = answered(operation, _arguments(operation, given))
    said = found.model_dump(mode="json")
    beside = doubts(store, said)
    if as_json:
        emit_json("store.query", {"operation": name, "answer": said, "doubts": beside})
    else:
        for key, value in said.items():
            shown = value if isinstance(value, str) else canonical_json(plain(value)).decode()
            say(tame(f"{key}: {shown}"))
        for line in lines(beside):
            say(tame(line))
    return 0 if isinstance(found, operation.result) else 1


def serve(folder: Path) -> int:
    """Serve all operations until standard input ends."""
    from benchwright.suites.telemetry.operations.serve import serve as run

    run(operations(Store(folder)))
    return 0


def _operation(store: Store, name: str) -> Operation:
    known = {operation.name: operation for operation in operations(store)}
    if name not in known:
        raise SpecError(
            "unknown operation", value=name, where="OPERATION", hint=nearest(name, known)
        )
    return known[name]


def _arguments(operation: Operation, given: list[str]) -> dict[str, Any]:
    """`name=value` as plain data; whole numbers where the operation takes them."""
    found: dict[str, Any] = {}
    fields = operation.arguments.model_fields
    for text in given:
        name, equals, value = text.partition("=")
        if name in found:
            raise SpecError(
                "argument is given twice",
                value=name,
                where=operation.name,
                hint="Give it once.",
            )
        if not equals or not name:
            raise SpecError(
                "argument is no name=value",
                value=text,
                where=operation.name,
                hint=f"Names are {', '.join(fields)}.",
            )
        whole = name in fields and fields[name].annotation is int
        found[name] = int(value) if whole and value.lstrip("-").isdigit() else value
    return found
