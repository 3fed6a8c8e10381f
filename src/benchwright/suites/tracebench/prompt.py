"""The instruction of a task, assembled from the text files in `prompts/` (facts 7.2).

Takes a system and a submission mode; gives the text that becomes instruction.md. The fields, their
order and separators are those of the released prompts; the sentences are our own. Knows no sample,
no answer and no noise level: tasks that differ in noise only have the same instruction.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from string import Template

from benchwright.isolation.rule_model import RuleLimits
from benchwright.suites.tracebench.systems import System
from benchwright.tasks.model import Mode

BLANK_LINE = "\n\n"

FIELDS = (
    ("sample_source", "{mode}", " "),
    ("environment_description", "", BLANK_LINE),
    ("observed_columns", "", BLANK_LINE),
    ("intervention_semantics", "", BLANK_LINE),
    ("label_space", "", BLANK_LINE),
    ("no_change_guidance", "", BLANK_LINE),
    ("task_artifact", "{mode}", "\n"),
    ("prediction_format", "{mode}", BLANK_LINE),
    ("requirements", "{mode}", BLANK_LINE),
    ("evaluation", "", BLANK_LINE),
    ("runtime_constraints", "", ""),
)
"""Field, variant of its file, and what separates it from the next one."""


def instruction(system: System, mode: Mode) -> str:
    """The whole instruction, with context and without examples, ending in one newline."""
    slots = {
        "columns": columns_text(system),
        "labels": json.dumps(list(system.labels)),
        "no_change": system.labels[-1],
        "seconds": str(RuleLimits().sample_s),
    }
    parts = []
    for field, variant, separator in FIELDS:
        name = description_name(system) if field == "environment_description" else field
        parts += [_text(name, variant.format(mode=mode), slots), separator]
    return "".join(parts) + "\n"


def columns_text(system: System) -> str:
    """One line per column: `col1: ball height`; the last column is time."""
    names = [*(channel.label for channel in system.channels), "time"]
    return "\n".join(f"col{number}: {name}" for number, name in enumerate(names, 1))


def description_name(system: System) -> str:
    """Name of the file that describes a system: `ball_drop` for BallDrop."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", system.name).lower()


def _text(name: str, variant: str, slots: dict[str, str]) -> str:
    file = ".".join(part for part in (name, variant, "md") if part)
    source = (files(__package__) / "prompts" / file).read_text(encoding="utf-8")
    return Template(source.strip()).substitute(slots)
