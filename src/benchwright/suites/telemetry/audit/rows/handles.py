"""Handles of results, as far as docs/telemetry.md fixes them: one handle for one question and data.

The page says of what a handle is a digest and not in which form, so no handle can be computed here.
What follows from the page is compared: the form of the text, one handle wherever the same question
is answered from the same readings, and another one wherever question or readings are others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from benchwright.suites.telemetry.audit.canonical import canonical
from benchwright.suites.telemetry.audit.findings import Report
from benchwright.suites.telemetry.audit.rows.look import Call

FORM = re.compile(r"r[0-9a-f]{12}")


class Handles:
    """What is known of the handles of one set."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.of_question: dict[str, str] = {}
        self.questions: dict[str, str] = {}

    def compare(self, task: str, where: str, handle: Any, call: Call) -> None:
        """One call's handle against all that came before it."""
        formed = isinstance(handle, str) and bool(FORM.fullmatch(handle))
        self.report.compare("handles", task, f"{where}.form", formed, True)
        read = [[read["stream"], read["content"]] for read in call.reads]
        question = canonical([call.operation, call.arguments, call.answer.get("error"), read])
        known = self.of_question.setdefault(question, handle)
        self.report.compare("handles", task, f"{where}.same", handle, known)
        first = self.questions.setdefault(handle, question)
        self.report.compare("handles", task, f"{where}.other", first, question)

    def listed(self, task: str, where: str, stated: Sequence[str], call: Any) -> None:
        """The handles that count for a call: its own first, none twice."""
        own = call["answer"].get("handle")
        self.report.compare("handles", task, f"{where}.own", stated[:1], [own])
        self.report.compare("handles", task, f"{where}.once", len(stated), len({*stated}))
