"""A column holds what a list of whole numbers and unknowns holds."""

from __future__ import annotations

from benchwright.trajectory.columns import Column


def test_a_column_gives_back_every_number() -> None:
    values = [0, None, 1, -1, -2, (1 << 62) - 1, 1 << 62, 1 << 200, -(1 << 70)]
    column = Column()
    for value in values:
        column.append(value)
    assert [column[row] for row in range(len(column))] == values
    column[0], column[7], column[1] = 1 << 90, 5, -7
    assert [column[0], column[7], column[1]] == [1 << 90, 5, -7]
