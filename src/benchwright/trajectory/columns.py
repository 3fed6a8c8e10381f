"""Columns of whole numbers, 8 bytes each, for folds that keep some figures of every answer."""

from __future__ import annotations

from array import array

_NONE, _LARGE = -1, -2
_MOST = 1 << 62


class Column:
    """Whole numbers, or None where unknown; what does not fit into 8 bytes stands apart."""

    __slots__ = ("_large", "_values")

    def __init__(self) -> None:
        self._values = array("q")
        self._large: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, row: int) -> int | None:
        value = self._values[row]
        if value >= 0:
            return value
        return None if value == _NONE else self._large[row]

    def __setitem__(self, row: int, value: int | None) -> None:
        self._values[row] = self._kept(row, value)

    def append(self, value: int | None) -> None:
        """One more row."""
        self._values.append(self._kept(len(self._values), value))

    def _kept(self, row: int, value: int | None) -> int:
        if value is None:
            return _NONE
        if 0 <= value < _MOST:
            return value
        self._large[row] = value
        return _LARGE
