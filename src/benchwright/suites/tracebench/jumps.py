"""The cheap baseline `jumps`: the text of its rule for one system."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files


def rule_source(system: str, labels: Sequence[str]) -> str:
    """A self-contained rule.py for one system."""
    text = files(__package__).joinpath("jumps_rule.py").read_text()
    return f"SYSTEM = {system!r}\nLABELS = {list(labels)!r}\n\n{text}"
