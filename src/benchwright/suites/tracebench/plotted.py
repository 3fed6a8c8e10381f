"""What channels and labels are called in front of readers, where agents know them otherwise.

Takes channels and tasks; gives axes of plots and words. A published label may name another unit
than that of its numbers; agents get it as it was published, and a plot says what the numbers are.
"""

from __future__ import annotations

from collections.abc import Mapping

from benchwright.report.viewer import Axis
from benchwright.suites.tracebench.labels import shown
from benchwright.suites.tracebench.systems import get_system
from benchwright.suites.tracebench.systems.model import Channel
from benchwright.tasks.model import Task

_QUANTITIES = {"contact impulse (N*s)": "contact force"}
"""What is measured, by published labels that say something else."""


def axis_of(channel: Channel) -> Axis:
    """Quantity and unit of a channel's numbers; the hint has the published label if it differs."""
    if channel.label not in _QUANTITIES:
        return Axis(channel.label, channel.unit)
    quantity, unit = _QUANTITIES[channel.label], channel.unit
    known = f"Agents know the {quantity} by its published label, \u201c{channel.label}\u201d"
    numbers = "impulse per sample over the sampling interval, and the force at rest"
    return Axis(quantity, unit, f"{known}; its numbers are in {unit}: {numbers}.")


def words_of(task: Task) -> Mapping[str, str]:
    """Every label as the agent of `task` knows it, to the label in words, in the system's order."""
    system = get_system(task.axes["system"])
    names = shown(system, task.axes.get("context", "full"))
    return {name: label for label, name in names.items()}
