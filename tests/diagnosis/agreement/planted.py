"""Raters whose agreement is known because it is planted."""

from __future__ import annotations

from benchwright.diagnosis.agreement.levels import Rated, rated
from benchwright.diagnosis.labels.model import Labels
from benchwright.diagnosis.taxonomy import shipped
from tests.diagnosis.tables.made import labels

TASKS, SYSTEMS = 10, 4


def human() -> list[Labels]:
    """40 trajectories; A.1 in every second task, F.4 in all but one system, C.4 once."""
    return [
        labels(
            f"s{s} t{t}",
            f"{'A.1 ' * (t % 2)}{'F.4 ' * (s != 0)}{'C.4' * (s == t == 0)}",
            rater="human",
            rater_kind="human",
        )
        for s in range(SYSTEMS)
        for t in range(TASKS)
    ]


def judge() -> list[Labels]:
    """Sees A.1 as the human does, misses F.4 of system 1, and B.1 where there is none in task 9."""
    return [
        labels(
            f"s{s} t{t}",
            f"{'A.1 ' * (t % 2)}{'F.4 ' * (s > 1)}{'B.1 ' * (t == 9)}{'C.4~' * (s == t == 0)}",
        )
        for s in range(SYSTEMS)
        for t in range(TASKS)
    ]


def both() -> Rated:
    return rated([*human(), *judge()], shipped())
