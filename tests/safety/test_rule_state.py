"""No sample of a rule learns anything of another: every one of them is the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchwright.errors import SubmissionError
from benchwright.isolation.rule import Answer, Frame, run_rule
from tests.safety.host import INSIDE
from tests.safety.rules import COLUMNS, LIMITS, attacks_in, run, sections

CHANNELS = attacks_in("rule_channels")
SAMPLES = 4
IMPORTS = sections("imports")
TAKEOVERS = sections("takeovers")
ASK = """
def predict(df):
    try:
        seen = globals()[CHANNELS[int(df["col1"].iloc[0]) % len(CHANNELS)]](df)
    except OSError as error:
        return [f"first, refused: {error}"]
    return [f"saw {seen}" if seen else "first"]
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[Answer]:
    """Every channel asked by several samples of one rule."""
    text = f"{(INSIDE / 'rule_channels.py').read_text()}\nCHANNELS = {CHANNELS!r}\n{ASK}"
    return run(text, SAMPLES * len(CHANNELS), tmp_path_factory.mktemp("channels"))


@pytest.mark.parametrize("name", CHANNELS)
def test_a_sample_finds_no_mark_of_another(answers: Sequence[Answer], name: str) -> None:
    place = CHANNELS.index(name)
    own = answers[place :: len(CHANNELS)]
    assert len(own) == SAMPLES
    assert [a for a in own if a.labels is not None and not a.labels[0].startswith("first")] == []
    assert any(a.labels for a in own), own[0].error


HUNTER = """
import os
MASKED = {masked!r}

def predict(df):
    own = df["col1"].to_numpy()[:1].tobytes()
    wanted = [bytes(b ^ 0x5A for b in value) for value in MASKED]
    wanted = [value for value in wanted if value[:8] != own]
    seen = []
    for pid in ("self", str(os.getppid())):
        try:
            maps, memory = open(f"/proc/{{pid}}/maps"), open(f"/proc/{{pid}}/mem", "rb", 0)
        except OSError:
            continue
        for line in maps:
            if " rw" not in line:
                continue
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            try:
                memory.seek(start)
                content = memory.read(end - start)
            except (OSError, OverflowError, ValueError):
                continue
            seen += [pid for value in wanted for _ in range(content.count(value * 3))]
    return [f"saw {{len(seen)}} in {{sorted(set(seen))}}" if seen else "first"]
"""


def test_no_memory_holds_the_values_of_another_sample(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(6, 1, 1)) * np.ones((6, 500, 4))
    masked = [bytes(b ^ 0x5A for b in value[0, 0].tobytes()) for value in values]
    file = tmp_path / "rule.py"
    file.write_text(HUNTER.format(masked=masked))
    frames = (Frame(f"s{i}", COLUMNS, value) for i, value in enumerate(values))
    patient = replace(LIMITS, sample_s=30, cpu_s=30)
    answers = list(run_rule(file, frames, patient))
    assert [(a.labels, a.error) for a in answers] == [(("first",), None)] * 6


@pytest.mark.parametrize("code", IMPORTS.values(), ids=IMPORTS)
def test_an_import_that_attacks_costs_this_rule_only(tmp_path: Path, code: str) -> None:
    """At the import no sample is there to be known: one answer for all of them gains nothing."""
    answers = run(f"{code}\n", 2, tmp_path, import_s=3, total_s=20)
    assert {a.labels for a in answers} in ({None}, {("x",)}, {("forged",)})


@pytest.mark.parametrize(
    "content", [b"", b"\x00" * 100, b"\xff\xfe", b"# coding: utf-7\n+AGk-", b"x = " + b"(" * 5000]
)
def test_a_file_that_is_no_program_is_an_answer_not_an_accident(
    tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "rule.py"
    file.write_bytes(content)
    assert all(answer.error for answer in answers_or_refusal(file))


@pytest.mark.parametrize("kind", ["missing", "folder", "too large", "link to a secret"])
def test_a_path_that_is_no_rule_is_refused(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "rule.py"
    if kind == "folder":
        file.mkdir()
    elif kind == "too large":
        file.write_bytes(b"#" * (100 << 20))
    elif kind == "link to a secret":
        file.symlink_to("/etc/shadow")
    assert all(answer.error for answer in answers_or_refusal(file))


def answers_or_refusal(file: Path) -> list[Answer]:
    frames = [Frame("s0", COLUMNS, np.zeros((5, 4), dtype=np.float32))]
    try:
        return list(run_rule(file, frames, LIMITS))
    except SubmissionError:
        return []


@pytest.mark.parametrize("code", TAKEOVERS.values(), ids=TAKEOVERS)
def test_every_call_of_a_rule_looks_like_its_first(tmp_path: Path, code: str) -> None:
    text = f"{code}\ndef predict(df):\n  return [f'call {{count()}}']\n"
    answers = run(text, 4, tmp_path, alike=True)
    assert len({a.labels for a in answers if a.labels is not None}) <= 1, answers
