"""What must not tell the class of a sample either: the sizes of files and the order of listings.

Takes how the samples of one system are listed; gives one view with a table: split, position,
position as a share, and the size at each noise level.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from benchwright.checks.shortcuts.view import View
from benchwright.suites.tracebench.audited import Listed
from benchwright.suites.tracebench.recipes import Recipe


def listing_view(system: str, listed: Mapping[str, Listed], recipes: Mapping[str, Recipe]) -> View:
    """Sizes and order of all samples of one system."""
    levels = sorted({level for one in listed.values() for level in one.sizes})
    splits = sorted({one.split for one in listed.values()})
    table = [
        [
            *(splits.index(one.split), one.place, one.place / one.of),
            *(one.sizes.get(level, np.nan) for level in levels),
        ]
        for one in listed.values()
    ]
    return View(
        where=system,
        name="sizes and order of files",
        samples=tuple(listed),
        labels=tuple(recipes[name].label for name in listed),
        groups=tuple(recipes[name].configuration for name in listed),
        data=np.array(table, np.float64),
        detail=f"{len(listed)} samples",
    )
