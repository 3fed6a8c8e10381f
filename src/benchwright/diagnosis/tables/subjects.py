"""One trajectory is of one task, system and suite, whoever labels it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from benchwright.diagnosis.labels.model import Labels
from benchwright.errors import SpecError

FIXED: Final = ("task", "system", "suite")
"""What clusters and columns of tables are made of."""


def refuse_conflicts(every: Iterable[Labels]) -> None:
    """Nothing, or a refusal of the first trajectory of which two labellings state otherwise.

    What is empty is not known and differs from nothing.

    Raises:
        SpecError: it names the trajectory, the field, both values and both raters.
    """
    stated: dict[tuple[str, str], Labels] = {}
    for labels in every:
        own = labels.subject
        for field in FIXED:
            if not getattr(own, field):
                continue
            first = stated.setdefault((own.id, field), labels)
            one, other = (str(getattr(x.subject, field)) for x in (first, labels))
            if one != other:
                raise SpecError(
                    f"{field} of trajectory {own.id} differs between labels",
                    value=f"{one}, {other}",
                    where=f"labels by {first.rater} and by {labels.rater}",
                    hint=f"Correct subject.{field} in one of the two files, or empty it there.",
                )
