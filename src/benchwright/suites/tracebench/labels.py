"""How labels are called in front of an agent: by their words, or without context as `label_0`, ...

Without context the labels are numbered in their sorted order and the one for no change comes last
(facts 6.6). Everything inside keeps the words; only prompts, submissions, golds and the answers of
labelled examples use the shown names.
"""

from __future__ import annotations

from typing import Final

from benchwright.suites.tracebench.systems import System

CONTEXTS: Final = ("full", "none")


def shown(system: System, context: str) -> dict[str, str]:
    """Every label of a system to what an agent reads instead, in the order of the system."""
    if context == "full":
        return {label: label for label in system.labels}
    numbers = {label: number for number, label in enumerate(_sorted(system))}
    return {label: f"label_{numbers[label]}" for label in system.labels}


def displayed(system: System, context: str) -> tuple[str, ...]:
    """The labels as a prompt lists them; the one for no change stands last."""
    names = shown(system, context)
    ordered = system.labels if context == "full" else _sorted(system)
    return tuple(names[label] for label in ordered)


def _sorted(system: System) -> list[str]:
    return [*sorted(system.labels[:-1]), system.labels[-1]]
