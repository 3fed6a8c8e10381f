"""Reading answers: label matching, `results.json`, and the shortlist score.

Source: facts of tracebench 8.1-8.3, with one tolerance for both submission modes: outer white space
is ignored, and case where it leaves no doubt. An unusable file is a `SubmissionError`; it costs the
episode, where the original skips it (design 5.7).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePosixPath

from benchwright.canonical import Json
from benchwright.errors import SubmissionError
from benchwright.tasks.model import Submission

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes; a results file of ten short lists needs a few thousand."""


def shortlist(labels: Sequence[str], truth: str) -> float:
    """1/m when `truth` is among the m different labels, else 0 (paper 3.5)."""
    if not truth:
        raise ValueError("a sample without truth cannot be scored")
    different = set(labels)
    return 1 / len(different) if truth in different else 0.0


def top1(labels: Sequence[str], truth: str) -> float:
    """1 when the first label is the truth, else 0."""
    return float(bool(labels) and labels[0] == truth)


def resolve_labels(given: object, allowed: Sequence[str]) -> tuple[str, ...]:
    """A ranked answer as allowed labels; text stands for a list of one."""
    items = [given] if isinstance(given, str) else given
    if not isinstance(items, list | tuple) or not items:
        raise _bad("answer is neither a label nor a list of labels", given)
    labels = tuple(_resolve(item, allowed) for item in items)
    if len(set(labels)) != len(labels):
        raise _bad("answer names a label twice", given)
    return labels


def parse_results(data: bytes, submission: Submission) -> dict[str, tuple[str, ...]]:
    """Content of `results.json` as ranked labels by sample file name.

    Keys may be file names, names without suffix, or paths that end in one. Exactly the asked
    samples must be answered. Raises `SubmissionError` for anything else; nothing is repaired.
    """
    if len(data) > LARGEST_FILE:
        raise _bad("file is larger than 4 MiB", len(data))
    table = _load(data)
    answers: dict[str, tuple[str, ...]] = {}
    for key, value in table.items():
        name = _sample_of(key, submission.samples)
        if name in answers:
            raise _bad("sample is answered twice", name)
        answers[name] = resolve_labels(value, submission.labels)
    absent = sorted(set(submission.samples) - set(answers))
    if absent:
        raise _bad(f"{len(absent)} samples have no answer, the first is", absent[0])
    return answers


def _load(data: bytes) -> dict[str, Json]:
    try:
        value = json.loads(data, parse_constant=_no_constant, object_pairs_hook=_no_double)
    except (ValueError, RecursionError) as error:
        raise _bad("file is not JSON", str(error)[:120]) from error
    if not isinstance(value, dict):
        raise _bad("top level is not an object of file name to answer", type(value).__name__)
    return value


def _no_constant(name: str) -> Json:
    raise _bad("file holds a value that JSON does not have", name)


def _no_double(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    table = dict(pairs)
    if len(table) != len(pairs):
        keys = [key for key, _ in pairs]
        raise _bad("key stands twice", next(key for key in keys if keys.count(key) > 1))
    return table


def _sample_of(key: str, samples: Sequence[str]) -> str:
    base = PurePosixPath(key.strip()).name
    for name in samples:
        if base in (name, name.removesuffix(".parquet")):
            return name
    raise _bad("key names no sample of this task", key)


def _resolve(item: object, allowed: Sequence[str]) -> str:
    if not isinstance(item, str) or not item.strip():
        raise _bad("label is not text", item)
    wanted = " ".join(item.split())
    if wanted in allowed:
        return wanted
    alike = [label for label in allowed if label.lower() == wanted.lower()]
    if len(alike) != 1:
        raise _bad("label is not one of the allowed ones", item)
    return alike[0]


def _bad(problem: str, value: object) -> SubmissionError:
    return SubmissionError(
        problem,
        value=value,
        where="submission",
        hint="The answer counts as wrong; the task states the exact form.",
    )
