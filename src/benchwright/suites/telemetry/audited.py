"""`check --only audit`: the second implementation, on the raw files of a set.

Takes a task set; gives what the audit counted and every place where it disagrees. The audit itself
imports nothing but the standard library and knows nothing of how rows were made; here its files are
laid out for it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchwright.checks.model import Found, Note, Problem, Subject
from benchwright.errors import BenchwrightError
from benchwright.suites.telemetry.audit import UnusableInput, audit
from benchwright.suites.telemetry.build import corpus_of
from benchwright.suites.telemetry.corpus.generated.make import with_files
from benchwright.suites.telemetry.corpus.load import Corpus

NAME = "audit"


def check_audit(subject: Subject) -> Found:
    """Compute every identity, threshold, selection and gold again, from the raw files."""
    with tempfile.TemporaryDirectory(prefix="benchwright-audit-") as folder:
        try:
            raw = raw_files(corpus_of(subject.held), Path(folder))
        except BenchwrightError as error:
            return [Problem(NAME, "raw files", str(error), "Put the files back where they were.")]
        try:
            report = audit(subject.tasks.path, raw)
        except UnusableInput as error:
            return [Note(NAME, f"the audit cannot read this: {error}", skipped=True)]
    problems: Found = [
        Problem(
            NAME, f.row, f"{f.field}: stated {f.stated}, found {f.found}", "Build the set again."
        )
        for f in report.findings
    ]
    if problems:
        return problems
    told = ", ".join(f"{count:,} {kind}" for kind, count in sorted(report.counts.items()))
    return [Note(NAME, f"found the same from the raw files: {told}")]


def raw_files(corpus: Corpus, folder: Path) -> Path:
    """A folder with every file of a corpus under the name that the corpus gives it, verified."""
    made = with_files(corpus, folder / "generated")
    named = {path: sha for source in made.file.source for path, sha in source.files.items()}
    named |= made.file.metadata.files if made.file.metadata else {}
    raw = folder / "raw"
    for name, sha256 in named.items():
        target = raw / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(made.find(name, sha256).absolute())
    return raw
