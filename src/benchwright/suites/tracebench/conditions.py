"""How the axes of tracebench are read: in which order, and a condition as a short phrase."""

from __future__ import annotations

from collections.abc import Mapping

from benchwright.report.results import Layout
from benchwright.report.words import counted

_MODES = {"direct": "direct answer", "programmatic": "answer by rule"}


def condition_words(axes: Mapping[str, str]) -> str:
    """A condition as a short phrase: `low noise · direct answer`."""
    words = [f"{axes['noise']} noise", mode_words(axes["mode"])]
    if axes.get("context", "full") != "full":
        words.append("without context")
    if axes.get("shots", "0") != "0":
        number = int(axes["shots"])
        words.append(f"{counted(number, 'example')} per class")
    return " · ".join(words)


def mode_words(mode: str) -> str:
    """What an agent hands in, as a short phrase."""
    return _MODES.get(mode, mode)


def context_words(axes: Mapping[str, str]) -> tuple[str, str]:
    """What a confusion without context is headed by; nothing for the usual one."""
    if axes["context"] == "full":
        return "", ""
    return "without context", (
        "Agents were not told what the system is and knew these labels as label_0, label_1 and so "
        "on; here they stand in words."
    )


LAYOUT = Layout(
    column="system",
    conditions=("noise", "mode", "context", "shots"),
    words=condition_words,
    apart=("context",),
    apart_words=context_words,
    order={"noise": ("none", "low", "high"), "mode": ("direct", "programmatic")},
)
