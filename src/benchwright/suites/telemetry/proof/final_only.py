"""A scorer that reads the last answer and nothing else: what most benchmarks would have scored.

The last answer is the last reply before the operator asks for rationale and evidence, or the last
of all. It is right if its action and reason are those that the conversation leads to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from benchwright.suites.telemetry.dialogue.model import FOLLOW_UPS, Script, latest


def last_answer(lines: Iterable[Mapping[str, Any]], script: Script) -> Mapping[str, Any] | None:
    """The reply that is read; None where there is none."""
    after = {phase.text for phase in script.phases if phase.kind in FOLLOW_UPS}
    answer: Mapping[str, Any] | None = None
    for line in lines:
        if line["kind"] == "reply" and line["reply"]:
            answer = line["reply"]
        if "turn" in line and line["turn"]["text"] in after:
            break
    return answer


def passes(lines: Iterable[Mapping[str, Any]], script: Script) -> bool:
    """Whether the last answer is right."""
    wanted = latest(script, "reporting_commitment")
    answer = last_answer(lines, script)
    if wanted is None or answer is None:
        return False
    gold = wanted.gold
    return (answer.get("action"), answer.get("reason")) == (gold.action, gold.reason)
