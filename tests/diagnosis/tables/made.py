"""Labels of several systems and tasks, written as words: `A.1 B.1~` is a hit and a partial."""

from __future__ import annotations

from typing import Any

from benchwright.diagnosis.labels.model import Label, Labels, Subject
from benchwright.diagnosis.tables.corpus import Corpus, corpus
from benchwright.diagnosis.tables.grid import Grid, Value
from benchwright.diagnosis.taxonomy import shipped
from benchwright.trajectory.evidence import Evidence


def label(word: str, *places: tuple[str, str]) -> Label:
    """One label: `A.1`, `A.1~` in part, `3:A.1` of issue 3, `3:` of an issue that fits none."""
    issue, colon, name = word.rpartition(":")
    degree: Any = "partial" if name.endswith("~") else "hit"
    evidence = tuple(Evidence(source, at) for source, at in places)
    return Label(name.rstrip("~") or None, degree, int(issue) if colon else None, None, evidence,
                 f"because of {word}")  # fmt: skip


def labels(subject: str, words: str, rater: str = "judge", **more: Any) -> Labels:
    """`subject` is system and task, as in `s1 t1`; more may set kind, domain and verdict."""
    system, _, task = subject.partition(" ")
    about = Subject(subject, task, system, kind=more.pop("kind", ""), domain=more.pop("domain", ""))
    own = tuple(label(word) for word in words.split())
    stated = {"taxonomy": "arft-45", "rater_kind": "judge", "verdict": None, **more}
    return Labels(subject=about, rater=rater, labels=own, **stated)


def small() -> Corpus:
    """Two systems, three tasks, one trajectory that only another rater has labelled."""
    every = [
        labels("s1 t1", "A.1 F.4 F.4 B.1~", kind="open", domain="physics", verdict="valid"),
        labels("s2 t1", "A.1 F.4 B.1", kind="open", domain="physics", verdict="valid"),
        labels("s1 t2", "A.1 A.1~ C.4", kind="target", verdict="invalid"),
        labels("s2 t2", "", kind="target", verdict="no_delivery"),
        labels("s1 t3", "F.4", kind="open"),
        labels("s2 t3", "F.4", rater="human", kind="open"),
    ]
    return corpus(every, shipped(), "judge")


def cell(grid: Grid, column: str, *keys: Value) -> Value:
    """The cell of the only row whose first columns hold `keys`."""
    place = [one.title for one in grid.columns].index(column)
    (row,) = [row for row in grid.rows if row[: len(keys)] == keys]
    return row[place]
