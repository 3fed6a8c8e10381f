"""The cluster bootstrap: honest where tasks differ, repeatable, unknown at the edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.errors import SpecError
from benchwright.stats.bootstrap import (
    Counts,
    draw_clusters,
    interval,
    parts_of,
    pooled,
    share_of,
)
from benchwright.stats.intervals import clopper_pearson

RATE = share_of(0, 1)


def tasks(hits: list[int], size: int) -> dict[str, Counts]:
    """One cluster per entry: so many hits among `size` trajectories."""
    return {f"t{n}": np.array([h, size], float) for n, h in enumerate(hits)}


def test_intervals_cover_where_independent_draws_do_not() -> None:
    """40 tasks, 8 trajectories each that all do the same: 320 labels are 40 draws.

    The exact interval of 320 independent draws covers the true half about every second time.
    """
    luck = np.random.default_rng(3)
    ours = naive = 0
    for _ in range(300):
        hits = (8 * luck.integers(0, 2, 40)).tolist()
        found = interval(draw_clusters(tasks(hits, 8), replicates=400), RATE)
        assert found is not None
        ours += found[0] <= 0.5 <= found[1]
        low, high = clopper_pearson(sum(hits), 320)
        naive += low <= 0.5 <= high
    assert ours / 300 > 0.90
    assert naive / 300 < 0.65


def test_a_replicate_stays_what_it_was_when_more_are_drawn() -> None:
    counts = tasks([0, 3, 5, 8, 1], 8)
    few, many = draw_clusters(counts, 10), draw_clusters(counts, 25)
    assert np.array_equal(few.again, many.again[:10])
    assert not np.array_equal(few.again, draw_clusters(counts, 10, seed=1).again)


def test_no_interval_where_nothing_is_known_of_the_spread() -> None:
    assert interval(draw_clusters(tasks([3], 8)), RATE) is None
    assert interval(draw_clusters(tasks([0, 0, 0], 8)), RATE) is None
    rare = {f"t{n}": np.array([n == 0, n == 0], float) for n in range(5)}
    assert interval(draw_clusters(rare), lambda s: None if not s[1] else float(s[0])) is None


def test_parts_that_are_drawn_together_add_up() -> None:
    counts = {f"t{n}": np.array([n, 8, 1, 8], float) for n in range(5)}
    draws = draw_clusters(counts, 50)
    first, second = parts_of(draws, 2)
    assert interval(first, RATE) == interval(draws, RATE)
    assert interval(second, RATE) is None
    both = pooled([first, second])
    assert both.total.tolist() == [15, 80]
    assert np.array_equal(both.again[:, 1], np.full(50, 80.0))


def test_without_a_cluster_there_is_nothing_to_draw_from() -> None:
    with pytest.raises(SpecError, match="nothing to draw from"):
        draw_clusters({})


@settings(max_examples=30)
@given(st.lists(st.integers(0, 8), min_size=2, max_size=12), st.randoms())
def test_the_order_of_tasks_is_no_matter_and_bounds_lie_among_the_data(
    hits: list[int], luck: object
) -> None:
    counts = tasks(hits, 8)
    turned = dict(reversed(list(counts.items())))
    first, second = draw_clusters(counts, 200), draw_clusters(turned, 200)
    assert np.array_equal(first.again, second.again)
    assert first.total.tolist() == [sum(hits), 8 * len(hits)]
    found = interval(first, RATE)
    if found is not None:
        assert min(hits) / 8 <= found[0] <= found[1] <= max(hits) / 8
