"""What the paper states of its own counts: what agrees, what does not, what nobody can tell."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.diagnosis.published.bounds import (
    Bounds,
    Known,
    nearest_fraction,
    printed,
    whole_numbers,
)
from benchwright.diagnosis.published.recompute import Recomputed, recompute
from benchwright.diagnosis.published.stated import Published, published
from benchwright.diagnosis.taxonomy import shipped
from benchwright.errors import SpecError


def found(what: str, stated: Published | None = None) -> Recomputed:
    (only,) = [one for one in recompute(stated) if what in one.what]
    return only


def changed(**parts: Mapping[str, object]) -> Published:
    """The shipped figures with some of them replaced."""
    data = published().model_dump()
    return Published.model_validate({**data, **{k: {**data[k], **v} for k, v in parts.items()}})


def test_f2_and_d7_are_not_among_the_five_most_frequent() -> None:
    """Facts 10.10: six rates stand above 502 of 800, and eight above 486."""
    second, ninth = found("F.2 is among"), found("D.7 is among")
    assert (second.outcome, ninth.outcome) == ("mismatch", "mismatch")
    assert "rank 7 at best" in second.recomputed and "rank 9 at best" in ninth.recomputed


@pytest.mark.parametrize(
    ("what", "outcome", "figure"),
    [
        ("per trajectory", "derived", "15.89"),
        ("R1, R2 and R3 together", "agrees", "92.0 to 92.2 %"),
        ("F.4, F.2 and D.7 together", "agrees", "1,648 of 12,712 = 13.0 %"),
        ("unsupported claims", "agrees", "2,520 of 3,935 to 3,947"),
        ("invented evidence", "agrees", "16.2 to 16.5 %"),
        ("recognising limits", "open", "21.5 to 44.4 %"),
        ("judging results", "open", "1,162 to"),
        ("A.3 and B.6", "derived", "1.5 % at most, 52 hits"),
        ("shortcuts in method", "mismatch", "1,768 of 4,253 to 4,264 = 41.5"),
        ("concealment", "agrees", "1,609 of"),
        ("eight systems", "open", "11,590 to 14,122"),
        ("rates leave one count", "agrees", "one count each"),
    ],
)
def test_every_statement_is_recomputed(what: str, outcome: str, figure: str) -> None:
    one = found(what)
    assert (one.outcome, figure in one.recomputed) == (outcome, True), one


def test_other_figures_would_have_led_to_other_outcomes() -> None:
    assert found("F.2 is among", changed(counts={"F.2": 640})).outcome == "open"
    assert found("F.4, F.2 and D.7", changed(counts={"F.2": 530})).outcome == "mismatch"
    assert found("R1, R2 and R3", changed(pillars={"R3": "32.5"})).outcome == "mismatch"
    assert found("rates leave", changed(counts={"D.7": 490})).outcome == "mismatch"
    assert found("concealment", changed(rates={"E.2": "20.0"})).outcome == "mismatch"
    assert found("recognising", changed(rates={"X.3": "99.0"})).outcome == "mismatch"


def test_figures_of_unknown_patterns_and_pillars_are_refused() -> None:
    with pytest.raises(SpecError, match="unknown pattern"):
        recompute(changed(rates={"A.9": "1.0"}))
    data = published().model_dump()
    del data["pillars"]["R1"]
    with pytest.raises(SpecError, match="without a published share"):
        recompute(Published.model_validate(data))


def test_published_rates_leave_one_count_each() -> None:
    known = Known(published(), shipped())
    counts = {name: known.pattern(name) for name in published().rates}
    assert all(one.low == one.high for one in counts.values())
    assert [int(counts[n].low) for n in ("E.2", "D.4", "C.3", "C.1", "A.5")] == [
        625, 620, 577, 552, 545]  # fmt: skip


@given(st.integers(0, 800))
def test_a_printed_rate_never_excludes_the_count_that_it_came_from(count: int) -> None:
    text = f"{100 * count / 800:.1f}"
    own = whole_numbers(printed(text), 800)
    assert own.low <= count <= own.high


@given(st.fractions(0, 1))
def test_the_nearest_fraction_is_nearest(value: Fraction) -> None:
    best = abs(nearest_fraction(value) - value)
    assert all(abs(Fraction(k, n) - value) >= best for n in range(2, 7) for k in range(1, n))


def test_a_group_is_bounded_by_what_the_rest_of_its_pillar_leaves() -> None:
    known = Known(published(), shipped())
    invented = known.together(["B.1", "E.4", "D.6"], "R1")
    assert (invented.low, invented.high) == (639, 651)
    assert known.determined(["B.1", "E.4", "D.6"], "R1")
    assert not known.determined(["A.1", "B.4", "X.3"], "R2")
    assert Bounds(Fraction(2), Fraction(1)).empty
