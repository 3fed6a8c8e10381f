"""Histories of files against the truth that Claude's logs hold in the structured results of tools.

The truth is read by a parser of its own, a few lines on plain JSON: after a successful write the
text that was written, after a successful edit the stated text before with the edit applied.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.bar import Bar
from benchwright.trajectory.files.history import FileChanges
from benchwright.trajectory.files.reconstruct import reconstruct
from benchwright.trajectory.folds import run_folds
from benchwright.trajectory.log import open_log


def truths(path: Path) -> dict[str, tuple[str, int]]:
    """Text of each file after its last successful change, and the line of that change's result."""
    found: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        result = record.get("toolUseResult", record.get("tool_use_result"))
        if isinstance(result, dict) and isinstance(result.get("filePath"), str):
            text = _after(result)
            if text is None:
                found.pop(result["filePath"], None)
            else:
                found[result["filePath"]] = (text, number)
    return found


def _after(result: dict[str, Any]) -> str | None:
    if "content" in result and "oldString" not in result:
        content = result["content"]
        return content if isinstance(content, str) else None
    before = result.get("originalFile", result.get("originalFileContents"))
    if not isinstance(before, str) or result.get("userModified"):
        return None
    for edit in result.get("edits") or [result]:
        old = edit.get("oldString", edit.get("old_string"))
        new = edit.get("newString", edit.get("new_string"))
        if not isinstance(old, str) or not isinstance(new, str) or (old and old not in before):
            return None
        every = edit.get("replaceAll", edit.get("replace_all"))
        before = before.replace(old, new) if every else before.replace(old, new, 1)
    return str(before)


def histories(logs: Path) -> Iterator[Bar]:
    """How many are exact and right, and whether any is wrong and called exact."""
    verdicts = Counter[str]()
    for path in sorted([*logs.glob("claude_*/*.jsonl"), *logs.glob("recorded/claude/*.jsonl")]):
        truth = truths(path)
        if not truth:
            continue
        log, fold = open_log(path), FileChanges()
        run_folds(log, fold)
        for name, (text, line) in truth.items():
            answer = reconstruct(log, fold.changes, name, before=line + 1)
            right = "right" if answer.text == text else "wrong"
            unknown = answer.certainty == "unavailable"
            verdicts[answer.certainty if unknown else f"{answer.certainty} and {right}"] += 1
    total = sum(verdicts.values())
    exact = verdicts["exact and right"]
    said = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    yield Bar(
        "logs",
        f"{total} histories of files whose truth is in the log",
        f"{exact / max(total, 1):.1%} exact and right; {said}",
        "90 % exact, none wrong and called exact",
        exact >= 0.9 * total > 0 and not verdicts["exact and wrong"],
    )
