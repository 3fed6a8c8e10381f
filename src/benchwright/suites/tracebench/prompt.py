"""The instruction of a task, assembled from the text files in `prompts/` (facts 7.2).

Takes a system and the condition; gives the text that becomes instruction.md. The fields, their
order and separators are those of the released prompts; the sentences are our own. Knows no sample,
no answer and no noise level: tasks that differ in noise only have the same instruction. Without
context nothing tells the systems apart but the number of labels.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from string import Template

from benchwright.isolation.rule_model import RuleLimits
from benchwright.suites.tracebench.labels import displayed
from benchwright.suites.tracebench.systems import System
from benchwright.tasks.model import Mode

BLANK_LINE = "\n\n"
SAMPLES = "the folder test_samples/"

FIELDS = (
    ("sample_source", ""),
    ("environment_description", " "),
    ("observed_columns", BLANK_LINE),
    ("intervention_semantics", BLANK_LINE),
    ("label_space", BLANK_LINE),
    ("no_change_guidance", BLANK_LINE),
    ("task_artifact", BLANK_LINE),
    ("prediction_format", "\n"),
    ("fewshot_context", BLANK_LINE),
    ("requirements", BLANK_LINE),
    ("evaluation", BLANK_LINE),
    ("runtime_constraints", BLANK_LINE),
)
"""Field and what separates it from the field before it, where both are there."""
BY_MODE = ("task_artifact", "prediction_format", "fewshot_context", "requirements")
BY_CONTEXT = ("sample_source", "observed_columns", "intervention_semantics", "label_space")
CONTEXT_ONLY = ("environment_description", "no_change_guidance")


def instruction(system: System, mode: Mode, context: str = "full", shots: int = 0) -> str:
    """The whole instruction of one condition, ending in one newline."""
    labels, limits = displayed(system, context), RuleLimits()
    slots = {
        "heading": "" if (mode, context) == ("direct", "full") else "Context: ",
        "folders": "the folders train_samples/ and test_samples/" if shots else SAMPLES,
        "columns": columns_text(system),
        "labels": json.dumps(list(labels)),
        "last_change": labels[-2],
        "no_change": labels[-1],
        "examples": "one series" if shots == 1 else f"{shots} series",
        "seconds": str(limits.sample_s),
        "import_seconds": str(limits.import_s),
        "minutes": str(limits.total_s // 60),
    }
    text = ""
    for field, separator in FIELDS:
        if context == "none" and field in CONTEXT_ONLY:
            continue
        if field == "fewshot_context" and not shots:
            continue
        text += (separator if text else "") + _text(_file(field, system, mode, context), slots)
    return text + "\n"


def _file(field: str, system: System, mode: Mode, context: str) -> str:
    if field == "environment_description":
        return description_name(system)
    if field in BY_MODE:
        return f"{field}.{mode}"
    return f"{field}.no_context" if context == "none" and field in BY_CONTEXT else field


def columns_text(system: System) -> str:
    """One line per column: `col1: ball height`; the last column is time."""
    names = [*(channel.label for channel in system.channels), "time"]
    return "\n".join(f"col{number}: {name}" for number, name in enumerate(names, 1))


def description_name(system: System) -> str:
    """Name of the file that describes a system: `ball_drop` for BallDrop."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", system.name).lower()


def _text(file: str, slots: dict[str, str]) -> str:
    source = (files(__package__) / "prompts" / f"{file}.md").read_text(encoding="utf-8")
    return Template(source.strip()).substitute(slots)
