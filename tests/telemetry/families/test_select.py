"""Selection: caps and quotas, cells in turn, every n-th to dev; nothing but keys decides."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from benchwright.suites.telemetry.contract.model import Caps
from benchwright.suites.telemetry.contract.periods import Window
from benchwright.suites.telemetry.families.model import Candidate, Traits, draw, key_of
from benchwright.suites.telemetry.families.select import by_split, choose

NO_CAPS = Caps(cell=None, stream=None, winner=None, offset_bucket=None)


def candidate(
    number: int, cell: str = "", part: str = "rest", **traits: str | tuple[str, ...]
) -> Candidate:
    """A candidate whose key comes from its number alone."""
    identity = {"number": number}
    said = Traits(**{"streams": (), **traits})
    return Candidate(identity, key_of(identity), "S", Window(0, 1), part, (cell,), said)


LETTERS = st.sampled_from("abc")
CANDIDATES = st.lists(
    st.builds(
        lambda cell, part, streams, winner, bucket: (cell, part, streams, winner, bucket),
        LETTERS,
        st.sampled_from(["rest", "test"]),
        st.sets(LETTERS, max_size=2),
        st.none() | LETTERS,
        st.none() | LETTERS,
    ),
    max_size=40,
).map(
    lambda many: [
        candidate(i, cell, part, streams=tuple(sorted(s)), winner=w, bucket=b)
        for i, (cell, part, s, w, b) in enumerate(many)
    ]
)
LIMIT = st.none() | st.integers(1, 4)
CAPS = st.builds(Caps, cell=LIMIT, stream=LIMIT, winner=LIMIT, offset_bucket=LIMIT)


def counted(chosen: list[Candidate]) -> dict[str, Counter[object]]:
    """What caps limit, counted by hand."""
    return {
        "cell": Counter(c.cell for c in chosen),
        "stream": Counter(s for c in chosen for s in c.traits.streams),
        "winner": Counter(c.traits.winner for c in chosen if c.traits.winner),
        "offset_bucket": Counter(c.traits.bucket for c in chosen if c.traits.bucket),
    }


def fits(chosen: list[Candidate], caps: Caps) -> bool:
    limits = caps.model_dump()
    return all(
        limits[name] is None or number <= limits[name]
        for name, numbers in counted(chosen).items()
        for number in numbers.values()
    )


@given(CANDIDATES, st.integers(0, 12), CAPS)
def test_no_cap_and_no_quota_is_ever_exceeded(
    candidates: list[Candidate], quota: int, caps: Caps
) -> None:
    chosen = choose(candidates, quota, caps)
    assert len(chosen) <= quota and fits(chosen, caps)
    assert len({c.key for c in chosen}) == len(chosen)


@given(CANDIDATES, st.integers(0, 12), CAPS)
def test_a_quota_is_missed_only_where_every_other_candidate_is_beyond_a_cap(
    candidates: list[Candidate], quota: int, caps: Caps
) -> None:
    chosen = choose(candidates, quota, caps)
    if len(chosen) < quota:
        left = [c for c in candidates if c not in chosen]
        assert not any(fits([*chosen, one], caps) for one in left)


@given(CANDIDATES, st.integers(0, 50))
def test_without_caps_a_quota_is_reached_while_there_are_candidates(
    candidates: list[Candidate], quota: int
) -> None:
    assert len(choose(candidates, quota, NO_CAPS)) == min(quota, len(candidates))


@given(CANDIDATES, st.integers(1, 12))
def test_cells_give_in_turn(candidates: list[Candidate], quota: int) -> None:
    chosen, there = choose(candidates, quota, NO_CAPS), Counter(c.cell for c in candidates)
    taken = Counter(c.cell for c in chosen)
    # Two cells differ by more than one only where the smaller has no more to give.
    for cell in there:
        assert taken[cell] == there[cell] or taken[cell] >= max(taken.values()) - 1
    order = list(dict.fromkeys(c.cell for c in candidates))
    assert [c.cell for c in chosen[: len(order)]] == order[:quota]


def test_rounds_by_hand() -> None:
    told = [("a", "x"), ("a", "x"), ("b", "x"), ("a", "y"), ("b", "y"), ("a", "z")]
    many = [candidate(i, cell, streams=(s,)) for i, (cell, s) in enumerate(told)]
    caps = Caps(cell=2, stream=1, winner=None, offset_bucket=None)
    # a gives 0; b passes over 2, whose stream has been had, and gives 4; a passes 1 and 3, gives 5.
    assert [c.identity["number"] for c in choose(many, 9, caps)] == [0, 4, 5]
    assert [c.identity["number"] for c in choose(many, 2, caps)] == [0, 4]


@given(CANDIDATES, st.integers(0, 12), CAPS, st.text(max_size=3), st.integers(0, 9))
def test_site_and_reach_decide_nothing(
    candidates: list[Candidate], quota: int, caps: Caps, site: str, start: int
) -> None:
    others = [replace(c, site=site, reach=Window(start, start + 1)) for c in candidates]
    keys = [c.key for c in choose(others, quota, caps)]
    assert keys == [c.key for c in choose(candidates, quota, caps)]


@given(CANDIDATES, st.integers(2, 6), st.randoms(use_true_random=False))
def test_every_nth_of_the_rest_is_dev_whatever_the_order(
    candidates: list[Candidate], every: int, luck: random.Random
) -> None:
    shuffled = list(candidates)
    luck.shuffle(shuffled)
    parts = by_split(shuffled, every)
    assert parts == by_split(candidates, every)
    rest = sorted((c for c in candidates if c.part == "rest"), key=lambda c: c.key)
    assert parts["dev"] == rest[every - 1 :: every]
    assert parts["train"] == [c for i, c in enumerate(rest, 1) if i % every]
    assert {c.key for c in parts["test"]} == {c.key for c in candidates if c.part == "test"}
    assert [c.key for c in parts["test"]] == sorted(c.key for c in parts["test"])


def test_the_fifth_and_the_tenth_are_dev() -> None:
    parts = by_split([candidate(i) for i in range(11)], 5)
    order = sorted(range(11), key=lambda i: key_of({"number": i}))
    assert [c.identity["number"] for c in parts["dev"]] == [order[4], order[9]]


@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=5))
def test_a_key_does_not_depend_on_the_order_of_names(identity: dict[str, int | str]) -> None:
    assert key_of(identity) == key_of(dict(reversed(identity.items())))


def test_keys_and_draws_are_those_of_the_page() -> None:
    key = hashlib.sha256(b'{"a":1,"b":"x"}').hexdigest()
    assert key_of({"b": "x", "a": 1}) == key
    assert draw({"b": "x", "a": 1}, 1000) == int(key, 16) % 1000
