"""Hostile rule files: how one is put together, run, and read."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchwright.isolation.rule import Answer, Frame, RuleLimits, run_rule
from tests.safety.host import INSIDE, gone

LIMITS = RuleLimits(
    sample_s=2, cpu_s=1, import_s=20, total_s=120, data_mb=512, memory_mb=1024, processes=40
)
COLUMNS = ("col1", "col2", "col3", "col4")


def attacks_in(module: str) -> list[str]:
    """Names of the attacks of one file: its functions of one `df`."""
    tree = ast.parse((INSIDE / f"{module}.py").read_text())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [f.name for f in functions if [a.arg for a in f.args.args] == ["df"]]


def sections(name: str) -> dict[str, str]:
    """Programs by name, from a text in which `=== name` stands above each."""
    parts = (INSIDE / f"{name}.txt").read_text().split("=== ")[1:]
    return {title: code for title, _, code in (part.partition("\n") for part in parts)}


def frame(number: int) -> Frame:
    return Frame(f"s{number}", COLUMNS, np.full((50, 4), number, dtype=np.float32))


def hostile_rule(module: str, order: Sequence[str]) -> str:
    """One file: the attacks, then the choice which sample makes which."""
    text = "".join((INSIDE / f"{name}.py").read_text() for name in (module, "rule"))
    text = text.replace("from __future__ import annotations\n", "")
    text = text.replace("ORDER: list[str] = []", f"ORDER = {list(order)!r}")
    return f"from __future__ import annotations\n{text}"


def run(text: str, count: int, folder: Path, *, alike: bool = False, **limits: int) -> list[Answer]:
    """All answers of one rule, in the order of the samples; `alike`: all frames are the same."""
    file = folder / "rule.py"
    file.write_text(text)
    try:
        answers = list(
            run_rule(
                file,
                (replace(frame(0 if alike else i), name=f"s{i}") for i in range(count)),
                replace(LIMITS, **limits),
            )
        )
    finally:
        file.unlink()
    assert [answer.name for answer in answers] == [f"s{i}" for i in range(count)]
    check_form(answers)
    return answers


def check_form(answers: Sequence[Answer]) -> None:
    """Every answer is labels or a reason, both plain text and short."""
    for answer in answers:
        assert (answer.labels is None) != (answer.error is None), answer
        for text in answer.labels or (answer.error,):
            assert type(text) is str
            assert len(text) <= 70_000


def is_plain(answer: Answer, number: int) -> bool:
    return answer.labels is not None and answer.labels[0] == f"plain {number}"


def nothing_lives(answers: Sequence[Answer]) -> bool:
    """Whether every box that a plain answer names is gone."""
    plain = [a.labels for a in answers if a.labels and a.labels[0].startswith("plain ")]
    return all(gone(name, float(seen_at)) for _, name, seen_at in plain)
