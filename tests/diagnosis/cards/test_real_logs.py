"""Logs of real programs, which name themselves everywhere, as cards: no name of a maker is left."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from pathlib import Path

from benchwright.canonical import canonical_json
from benchwright.diagnosis.cards.mask import mask_for
from benchwright.errors import FormatError
from benchwright.report.cards import card_page
from benchwright.report.story import tell
from benchwright.trajectory.log import open_log
from benchwright.trajectory.to_atif.convert import write_atif

FOLDERS = ("claude_session", "claude_stream", "codex_exec", "gemini_session", "opencode_run")
LARGEST = 200_000
GIVEN_AWAY = re.compile(
    r"claude|anthropic|sonnet|haiku|\bopus\b|openai|chatgpt|codex|gpt-?\d|gemini|google|deepseek"
    r"|opencode|qwen|mistral|kimi|copilot|\bcursor",
    re.IGNORECASE,
)


def documents(log: Path) -> list[dict[str, object]]:
    """The runs of a log in ATIF."""
    out = io.StringIO()
    write_atif(open_log(log), out)
    text = out.getvalue()
    lines = text.splitlines() if text.count("\n") > 1 else [text]
    return [json.loads(line) for line in lines if line.strip()]


def test_no_maker_or_program_is_named_on_a_card_of_a_real_log(shared: Path) -> None:
    mask, named, left = mask_for([]), Counter[str](), []
    for folder in FOLDERS:
        for log in sorted((shared / "logs" / folder).rglob("*.json*")):
            if log.stat().st_size > LARGEST:
                continue
            try:
                found = documents(log)
            except (FormatError, json.JSONDecodeError):
                continue
            for document in found:
                named[folder] += len(GIVEN_AWAY.findall(json.dumps(document)))
                page = card_page(1, "the task", tell(document, log), [], mask)
                text = canonical_json(page.blocks).decode()
                left += [(log.name, m.group()) for m in GIVEN_AWAY.finditer(text)]
    assert left == []
    assert sum(named.values()) > 500 and len([f for f in FOLDERS if named[f]]) >= 4
