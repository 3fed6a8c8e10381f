"""What stands in for large sets and lists: against plain sets, dicts and lists of Python."""

from __future__ import annotations

import random

import pytest

from benchwright.trajectory.digests import Digests, keyed
from benchwright.trajectory.events import Anchor, Call, Event, Message, Result
from benchwright.trajectory.files.history import Change, Changes
from benchwright.trajectory.spool import Spool
from benchwright.trajectory.timeline import Entry, Timeline


def test_digests_number_texts_as_a_dict_does() -> None:
    rng = random.Random(1)
    texts = [f"id {rng.randrange(6000)}" for _ in range(20_000)]
    digests, numbers = Digests(), dict[str, int]()
    for text in texts:
        assert digests.find(text) == numbers.get(text)
        assert digests.add(text) == (text not in numbers)
        numbers.setdefault(text, len(numbers))
        assert digests.number(text) == numbers[text]
    assert len(digests) == len(numbers)
    assert "id -1" not in digests


def test_half_a_character_is_a_text_too() -> None:
    digests = Digests()
    assert digests.add("\ud800") and digests.add("?") and not digests.add("\ud800")


def test_keys_of_different_parts_differ() -> None:
    parts = [
        ("a", "b"),
        ("ab", ""),
        ("", "ab"),
        ("ab", None),
        (None, "ab"),
        ("a", "1:b"),
        ("-", ""),
    ]
    assert len({keyed(*some) for some in parts}) == len(parts)


@pytest.mark.parametrize("largest", [40, 90_000])
def test_a_spool_gives_back_what_was_put(largest: int) -> None:
    rng = random.Random(2)
    spool, kept = Spool(), list[tuple[int, bytes]]()
    for _ in range(4_000_000 // largest):
        piece = rng.randbytes(rng.randrange(largest))
        kept.append((spool.put(piece), piece))
        place, expected = rng.choice(kept)
        assert spool.get(place) == expected
    assert [spool.get(place) for place, _ in kept] == [piece for _, piece in kept]


def test_a_piece_larger_than_every_block() -> None:
    spool = Spool()
    places = [spool.put(bytes([n]) * 3_000_000) for n in range(3)]
    assert [spool.get(place) for place in places] == [bytes([n]) * 3_000_000 for n in range(3)]


def _events(calls: int) -> list[Event]:
    found: list[Event] = []
    for n in range(calls):
        place = Anchor(n + 1, 10 * n, 10 * n + 9, "/part", "side.jsonl")
        found.append(Message(place, "agent", f"word {n} " * 40, time=f"time {n}"))
        found.append(Call(place, f"c{n}", "Bash", "shell", {"command": f"ls {n}"}, thread="child"))
        if n >= 3:
            found.append(Result(place, f"c{n - 3}", "ok", "x" * n, None, n, 1 << 80))
    return found


def test_a_long_timeline_has_its_answers_where_the_calls_are() -> None:
    fold = Timeline()
    for event in _events(9000):
        fold.see(event)
    fold.end()
    entries = list(fold.entries)
    assert len(entries) == len(fold.entries) == 18_000
    assert [entry.number for entry in entries] == list(range(1, 18_001))
    assert entries[8001] == fold.entries[8001] == Entry(
        8002, "call", "agent", "Bash", "ls 4000",
        Anchor(4001, 40_000, 40_009, "/part", "side.jsonl"), None, "child", "c4000", "ok",
        1 << 80, 4003, 4003,
    )  # fmt: skip
    assert entries[-1].status == "missing"
    assert fold.entries[-2:] == entries[-2:]
    with pytest.raises(IndexError):
        fold.entries[18_000]


def test_a_long_list_of_changes_is_as_it_came() -> None:
    changes = Changes()
    kept = [
        Change(
            f"/w/{n % 90}" if n % 3 else None, "write", "ok", n % 2 == 0, f"c{n}", "Write",
            Anchor(n, 5 * n, 5 * n + 4, "/message", "a.jsonl"), f"time {n}", "", None, "why " * 30,
            "/w/run.py",
        )
        for n in range(9000)
    ]  # fmt: skip
    for change in kept:
        changes.add(change)
    assert list(changes) == kept
    assert changes[8999] == kept[8999]
