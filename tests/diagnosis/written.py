"""A document that follows the skeleton, about an episode that really has what it points to."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

from benchwright.diagnosis.documents.skeleton import CHECKLIST, CORE, FULL, Floors, Part

_SYLLABLES = [a + b for a in "bkrtmsnlvdpghzcf" for b in "aeio"]
WORDS = {"grounding": "ABDE", "depth": "F", "integrity": "C", "robustness": "X"}


@dataclass(frozen=True)
class Folder:
    """An episode: artifacts, a log of a run, a trajectory."""

    root: Path

    @property
    def artifacts(self) -> Path:
        return self.root / "artifacts"

    @property
    def log(self) -> Path:
        return self.root / "train.jsonl"

    @property
    def code(self) -> list[str]:
        return (self.artifacts / "agent_code" / "fit.py").read_text().splitlines()


def episode(root: Path) -> Folder:
    """Write an episode below `root`: code, a report, a decision, a log, a trajectory."""
    draw = random.Random(5)
    made = Folder(root)
    (made.artifacts / "agent_code").mkdir(parents=True)
    code = [f"{name(draw)} = fit_{name(draw)}(rows, scale={draw.random():.6f})" for _ in range(60)]
    (made.artifacts / "agent_code" / "fit.py").write_text("\n".join(code) + "\n")
    report = "\n\n".join(prose(draw, 900) for _ in range(12))
    (made.artifacts / "report.md").write_text(f"# Report\n\n{report}\n")
    said = f'It said "{prose(draw, 700)}" — naïve,\nand\t{prose(draw, 2500)}'
    (made.artifacts / "decision.json").write_text(json.dumps({"conclusion": said}))
    lines = [
        json.dumps({"type": "out", "text": f'loss "{draw.random():.5f}"\tø'}) for _ in range(50)
    ]
    made.log.write_text("\n".join(lines) + "\n")
    steps = [
        {"step_id": n, "source": "agent", "message": prose(draw, 60)} for n in range(1, 9)
    ]  # fmt: skip
    steps[3]["observation"] = {"results": [{"content": "handle h-7f3a91c2 with mean 21.437"}]}
    (root / "trajectory.json").write_text(json.dumps({"steps": steps}))
    return made


def name(draw: random.Random) -> str:
    return "".join(draw.choices(_SYLLABLES, k=4))


def prose(draw: random.Random, length: int) -> str:
    """Sentences of made-up words, about so many characters."""
    words: list[str] = []
    left = length
    while left > 0:
        words.append(name(draw))
        left -= len(words[-1]) + 1
    return " ".join(words).capitalize() + "."


def issue(draw: random.Random, number: int, part: Part, code: list[str]) -> str:
    """One numbered paragraph with pointers that lead somewhere, a quotation and its trailer."""
    lines = draw.sample(range(1, 61), 3)
    places = ", ".join(f"`agent_code/fit.py:{line}`" for line in lines)
    quoted = f"`agent_code/fit.py:{lines[0]}` reads `{code[lines[0] - 1]}`"
    word = next(word for word, stages in WORDS.items() if part.stage in stages)
    seen = f"{quoted}; see {places} and step {draw.randint(1, 8)}."
    body = f"{prose(draw, 200)} {seen} {prose(draw, 130)}"
    return f"{number}. {body} [stage: {part.stage} | root cause: {word}]"


def document(folder: Folder, floors: Floors = FULL, seed: int = 1) -> str:
    """The whole document; the core verdict as the quotation that the skeleton shows."""
    draw = random.Random(seed)
    text = [f"# {prose(draw, 60)}"]
    for part in floors.parts:
        text.append(_part(draw, part, folder))
    return "\n\n".join(text) + "\n"


def _part(draw: random.Random, part: Part, folder: Folder) -> str:
    if part.title == CORE:
        return f"> {prose(draw, part.characters + 20)}"
    head = f"## {part.title}\n\n"
    if part.title == CHECKLIST:
        rows = [f"| {prose(draw, 90)} | {draw.random():.4f} | pass |" for _ in range(part.rows + 2)]
        return head + "| claim | value | mark |\n|---|---|---|\n" + "\n".join(rows)
    issues = [issue(draw, n, part, folder.code) for n in range(1, part.issues + 1)]
    return head + prose(draw, part.characters + 20) + "\n\n" + "\n\n".join(issues)
