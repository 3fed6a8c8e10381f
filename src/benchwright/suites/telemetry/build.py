"""`build`: a corpus becomes a task set: a store, rows, and the selection that they came from.

Takes a checked corpus; gives a `TaskSet`. The same files and rules give the same ids and golds, on
any machine; nothing is drawn. Knows no agent and no score.

    held/shared/corpus.toml       the corpus file, as it was read
    held/shared/selection.txt     the selection manifest
    held/shared/candidates.json   how many questions there were, and what became of them
    held/shared/preflight.json    rows that were dropped and why; what conversations hold
    held/shared/thresholds.json   margins.json: numbers of the training part
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchwright.canonical import Json, canonical_json, digest, digest_bytes
from benchwright.errors import SpecError
from benchwright.executors import open_executor
from benchwright.storage import read_text, read_toml
from benchwright.suites.telemetry.contract.holdout import refuse_outside, refuse_unknown
from benchwright.suites.telemetry.contract.model import read_contract
from benchwright.suites.telemetry.corpus.load import Corpus, load_corpus, parse_corpus
from benchwright.suites.telemetry.episode import Made, instruction_of, made
from benchwright.suites.telemetry.families.enumerate import Enumerated, enumerated
from benchwright.suites.telemetry.families.manifest import (
    manifest_lines,
    read_manifest,
    refuse_other,
)
from benchwright.suites.telemetry.families.model import VARIANTS
from benchwright.suites.telemetry.families.select import SPLITS, Chosen
from benchwright.suites.telemetry.families.selected import Selected, selected
from benchwright.suites.telemetry.preflighted import flown
from benchwright.suites.telemetry.rows.model import ACTIONS
from benchwright.suites.telemetry.rows.row import bench_of
from benchwright.suites.telemetry.store.build import build_store
from benchwright.suites.telemetry.store.open import Store
from benchwright.suites.telemetry.store.scanned import checksums
from benchwright.suites.telemetry.store.thresholds import Threshold
from benchwright.tasks.model import Submission, TaskLimits
from benchwright.tasks.taskset import BUILD_FORMAT, HeldSet, TaskSet
from benchwright.tasks.writer import CANARY, NewTask, SetWriter, refuse_taken

CORPUS_FILE, SELECTION_FILE = "corpus.toml", "selection.txt"
REPLY, SAY = "reply", "say"
"""The tool by which an agent replies to its operator."""
_PART = 80
"""Rows that are made in one piece."""
_LIMITS = TaskLimits(wall_s=1800, messages=200)


def load_spec(name: str) -> Corpus:
    """The corpus that a spec names: a shipped one, or a file."""
    return load_corpus(name)


def build(corpus: Corpus, out: Path, executor: Executor) -> TaskSet:
    """Build the set of a corpus; its frozen selection, if it has one, must be made again.

    Raises:
        SpecError: the files are not as the corpus says.
        FormatError: the selection differs from the frozen one.
        TaskSetError: `out` exists and holds something else.
    """
    return _build(corpus, out, frozen_selection(corpus), executor)


def rebuild(tasks: TaskSet, held: HeldSet, out: Path) -> TaskSet:
    """The same set again, from the corpus file and the selection that it keeps, and the data."""
    frozen = read_manifest(read_text(held.shared(SELECTION_FILE)))
    with open_executor("processes") as executor:
        return _build(corpus_of(held), out, frozen, executor)


def corpus_of(held: HeldSet) -> Corpus:
    """The corpus that a set was built from, with its data where they were then."""
    where = held.shared(CORPUS_FILE)
    data = read_toml(held.path / "shared" / "build.toml", form=BUILD_FORMAT)["data"]
    return parse_corpus(read_toml(where), where, Path(str(data)))


def frozen_selection(corpus: Corpus) -> list[str] | None:
    """Lines of the manifest beside a corpus file; None where there is none."""
    path = Path(corpus.where).with_suffix(".selection.txt")
    return read_manifest(read_text(path)) if path.is_file() else None


def _build(corpus: Corpus, out: Path, frozen: Sequence[str] | None, executor: Executor) -> TaskSet:
    _refuse_no_rows(corpus)
    spec = _spec(corpus)
    writer = SetWriter(out, suite="telemetry", spec=spec, marks={})
    try:
        store = Store(build_store(corpus, writer.place("store")))
        refuse_idle(store, corpus.where)
        found = enumerated(store)
        chosen = selected(found, store.contract.dev_every)
        lines = manifest_lines(chosen.chosen)
        if not chosen.chosen:
            raise _nothing("no question can be asked of these data", "family", corpus)
        if frozen is not None:
            refuse_other(lines, frozen, f"{corpus.where}: selection")
        marks = _marks(corpus, store, lines)
        refuse_taken(out, suite="telemetry", spec=spec, marks=marks)
        writer.marks = marks
        every = _every(chosen.chosen, writer.place("store"), executor)
        sound = [one for one in every if not one.issues]
        if not sound:
            codes = sorted({issue.code for one in every for issue in one.issues})
            raise _nothing("preflight dropped every row", ", ".join(codes), corpus)
        for one in sound:
            writer.add(task_of(one, corpus, store))
        _share(writer, corpus, store, found, chosen, lines)
        writer.share("preflight.json", _document(flown(every)))
        files = checksums(writer.place("store"))
        return writer.close(build={**_record(corpus, chosen), "store": files})
    except BaseException:
        writer.abandon()
        raise


def _refuse_no_rows(corpus: Corpus) -> None:
    """Before anything is read or written."""
    families = read_contract(corpus.contract, corpus.where).family
    wanted = [f.quota for f in families]
    wanted += [f.negative for f in families if len(VARIANTS[f.name]) > 1]
    if not any(getattr(quota, split) for quota in wanted for split in SPLITS):
        why = "every quota is 0" if families else "no family"
        raise _nothing("contract asks for no row", why, corpus)


def _nothing(problem: str, value: str, corpus: Corpus) -> SpecError:
    return SpecError(
        problem,
        value=value,
        where=f"{corpus.where}: contract.family",
        hint="Ask for rows (quota, negative), or for families that fit the data.",
    )


def refuse_idle(store: Store, where: str) -> None:
    """Refuse a held-out part that holds nothing out.

    Raises:
        SpecError: a value that no point has, or a window outside of the data.
    """
    refuse_unknown(store.contract, store.points.values(), where)
    if store.points:
        extents = [store.extent(stream) for stream in store.points]
        span = min(e.first for e in extents), max(e.last for e in extents)
        refuse_outside(store.contract, span, store.zone, where)


def _record(corpus: Corpus, chosen: Selected) -> dict[str, Json]:
    """What is no part of the set: where its data are, and why it has not more rows."""
    said = {"seed": "telemetry draws no seed", "salt": "telemetry draws no salt"}
    return {**said, "data": str(corpus.data.absolute()), "account": list(chosen.accounts)}


def _every(chosen: Sequence[Chosen], store: Path, executor: Executor) -> list[Made]:
    """Rows and conversations of all candidates, in order; parts of them in processes."""
    parts = [chosen[at : at + _PART] for at in range(0, len(chosen), _PART)]
    jobs = [executor.submit(_made_part, part, store) for part in parts]
    return [one for job in jobs for one in job.result()]


def _made_part(chosen: Sequence[Chosen], store: Path) -> list[Made]:
    bench = bench_of(Store(store))
    return [made(one, bench) for one in chosen]


def _spec(corpus: Corpus) -> dict[str, Json]:
    file = corpus.file
    said = {"corpus": file.name, "title": file.title}
    return {**said, "licence": file.licence, "privacy": file.privacy}


def _marks(corpus: Corpus, store: Store, lines: Sequence[str]) -> dict[str, Json]:
    return {
        "public": corpus.file.generate is not None,
        "rules": corpus.rules,
        "contract": store.contract.digest,
        "store": digest(store.marks["exports"]),
        "selection": digest_bytes("\n".join(lines).encode()),
    }


def cluster_of(stream: str, store: Store) -> str:
    """What stands for a stream where agents may look: equal for equal streams, and no way back.

    The secret is the digest of how all points are described, which no reading changes; who has it
    has the metadata as well.
    """
    secret = bytes.fromhex(store.marks["exports"]["points"])
    return f"stream-{hmac.new(secret, stream.encode(), hashlib.sha256).hexdigest()[:12]}"


def task_of(one: Made, corpus: Corpus, store: Store) -> NewTask:
    """A row as a task: what an agent reads, and its gold."""
    row, contract = one.row, store.contract
    return NewTask(
        slug=f"{corpus.name}-{row.family.replace('_', '-')}",
        cluster=cluster_of(str(row.points[0]["stream"]), store),
        # Two questions can begin with the same words; what is withheld tells them apart.
        axes={
            "corpus": corpus.name,
            "family": row.family,
            "split": row.split,
            "row": digest({"row": row.key})[:12],
        },
        instruction=instruction_of(one.script, contract),
        files={},
        submission=Submission(
            "dialogue", REPLY if contract.channel == "reply" else SAY, ACTIONS, ()
        ),
        limits=_LIMITS,
        gold=one.document(),
    )


def _share(
    writer: SetWriter,
    corpus: Corpus,
    store: Store,
    found: Enumerated,
    chosen: Selected,
    lines: Sequence[str],
) -> None:
    text = "".join(
        line for line in read_text(Path(corpus.where)).splitlines(True) if CANARY not in line
    )
    writer.share(CORPUS_FILE, f"# {CANARY}\n{text}".encode())
    writer.share(SELECTION_FILE, "\n".join([f"# {CANARY}", *lines, ""]).encode())
    writer.share("candidates.json", _document({"families": chosen.table}))
    writer.share("thresholds.json", _document(_thresholds(store.thresholds)))
    writer.share("margins.json", _document(_thresholds(found.margins)))


def _thresholds(every: Iterable[Threshold]) -> dict[str, Any]:
    listed = [asdict(one) for one in every]
    return {"thresholds": listed, "digest": digest(listed)}


def _document(content: Mapping[str, Any]) -> bytes:
    return canonical_json({**content, "canary": CANARY}) + b"\n"
